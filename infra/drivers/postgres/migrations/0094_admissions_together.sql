-- expand
-- Requests of several keys that come together are admitted in one round trip and one commit.

-- Admits what may pass, line by line: `p_keys` and `p_hashes` say whose each line is, `p_counts` how many of the requests
-- are its own, in the order of the other lists. Limits are those of `admit_request`, looked at under the same lock.
-- `outcome`: 'admitted', 'UNAUTHENTICATED' (the key does not exist or its secret is another), or 'alone': whatever stands
-- against the request, or another transaction holds the account's counts; then nothing was done for it, and the caller
-- asks `admit_request`, which waits, and says and counts what it was. So no account keeps another waiting: all that is
-- waited for is a statement that begins the same Idempotency-Key of the same account just now.
-- `model`: the model to be found for the request; null where the request before found it, or nothing is to be found.
CREATE FUNCTION admit_requests_together(
  p_nonce bytea, p_scopes text[], p_while_suspended boolean, p_lease_seconds integer,
  p_keys text[], p_hashes bytea[], p_counts integer[],
  p_ips inet[], p_leases uuid[], p_models text[], p_begin text[])
RETURNS TABLE (
  outcome text, account_id uuid, mode text, at timestamptz, window_limit integer, remaining integer,
  reset_seconds double precision, daily_estimates integer, available bigint, capped boolean, key_begun boolean,
  model text)
LANGUAGE plpgsql ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  k record;
  r rate_windows;
  passes boolean;
  v_model text;
  flying integer;
  oldest timestamptz;
  taken uuid[];
  next_line integer := 1;
  -- Without waiting for the disk: see 0080.
  v_commit text := set_config('synchronous_commit', 'off', true);
BEGIN
  FOR line IN 1 .. cardinality(p_keys) LOOP
    account_id := NULL;
    model := NULL;
    SELECT a.id, k1.mode, k1.secret_hash, k1.allow_ips, a.rps, a.burst, a.concurrency, a.daily_estimates, w.balance,
           coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) IS NOT NULL
             AS capped,
           s.serving AND k1.scopes && p_scopes AND (a.suspended_at IS NULL OR p_while_suspended) AS passes,
           least(k1.revoked_at, a.closed_at, k1.expires_at) AS ends_at
      INTO k FROM api_keys k1 JOIN accounts a ON a.id = k1.account_id LEFT JOIN wallets w ON w.account_id = a.id
        CROSS JOIN service_state s WHERE k1.key_id = p_keys[line];
    passes := FOUND;
    IF sha256(coalesce(k.secret_hash, p_nonce) || p_nonce) <> sha256(p_hashes[line] || p_nonce) OR NOT passes THEN
      outcome := 'UNAUTHENTICATED';
      passes := false;
    ELSE
      outcome := 'alone';
      passes := k.passes;
    END IF;
    IF passes THEN
      SELECT * INTO r FROM rate_windows w WHERE w.account_id = k.id FOR UPDATE SKIP LOCKED;
      passes := FOUND;
      at := clock_timestamp();
    END IF;
    IF passes THEN
      SELECT count(*), min(l.expires_at) INTO flying, oldest FROM (
        SELECT e.expires_at FROM request_leases e WHERE e.account_id = k.id
        ORDER BY e.expires_at LIMIT k.concurrency) AS l;
      -- Leases that have ended are removed by `admit_request`.
      passes := (oldest > at) IS NOT FALSE AND (k.ends_at > at) IS NOT FALSE;
    END IF;
    IF NOT passes THEN
      FOR i IN 1 .. p_counts[line] LOOP
        RETURN NEXT;
      END LOOP;
      next_line := next_line + p_counts[line];
      CONTINUE;
    END IF;

    account_id := k.id;
    mode := k.mode;
    daily_estimates := k.daily_estimates;
    available := k.balance;
    capped := k.capped;
    window_limit := k.rps * 10;
    IF r.window_start + interval '10 seconds' <= at THEN
      r.window_start := at;
      r.window_count := 0;
    END IF;
    IF r.second_start + interval '1 second' <= at THEN
      r.second_start := at;
      r.second_count := 0;
    END IF;
    reset_seconds := extract(epoch FROM r.window_start + interval '10 seconds' - at);
    taken := '{}';
    v_model := NULL;
    FOR i IN next_line .. next_line + p_counts[line] - 1 LOOP
      model := NULL;
      IF r.window_count >= window_limit OR r.second_count >= k.burst OR flying >= k.concurrency
        OR cardinality(k.allow_ips) > 0 AND NOT EXISTS (
          SELECT FROM unnest(k.allow_ips) AS range WHERE p_ips[i] <<= range)
      THEN
        outcome := 'alone';
      ELSE
        outcome := 'admitted';
        r.window_count := r.window_count + 1;
        r.second_count := r.second_count + 1;
        flying := flying + 1;
        taken := taken || p_leases[i];
        remaining := window_limit - r.window_count;
        key_begun := false;
        IF p_begin[i] IS NOT NULL THEN
          key_begun := begin_open_key(k.id, k.mode, p_begin[i], p_leases[i], p_lease_seconds);
        END IF;
        IF p_models[i] IS DISTINCT FROM v_model THEN
          v_model := p_models[i];
          model := v_model;
        END IF;
      END IF;
      RETURN NEXT;
    END LOOP;
    next_line := next_line + p_counts[line];
    IF cardinality(taken) > 0 THEN
      INSERT INTO request_leases SELECT id, k.id, at + make_interval(secs => p_lease_seconds) FROM unnest(taken) AS id;
      UPDATE rate_windows w SET window_start = r.window_start, window_count = r.window_count,
             second_start = r.second_start, second_count = r.second_count WHERE w.account_id = k.id;
    END IF;
  END LOOP;
END
$$;
