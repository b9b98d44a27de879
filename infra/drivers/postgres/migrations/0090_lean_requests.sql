-- expand
-- A request costs the database less, and means the same: fewer statements and checks of single rows, none of which
-- changes what is admitted or booked.

-- All at once, so that requests wait for it once and never in a circle.
LOCK TABLE wallets, accounts, request_leases, request_log, ledger_transactions, ledger_entries
  IN ACCESS EXCLUSIVE MODE;

-- Accounts, wallets and the ledger's transactions are never removed, and whoever writes these rows has just read the
-- account. To look again for each row would lock the account's row for each request.
ALTER TABLE request_leases DROP CONSTRAINT request_leases_account_id_fkey;
ALTER TABLE request_log DROP CONSTRAINT request_log_account_id_fkey;

-- Each entry belongs to a transaction of the same account, and each transaction to a wallet, by its foreign key: looked
-- at once for each statement, where the entries are summed.
ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_transaction_id_fkey,
  DROP CONSTRAINT ledger_entries_account_id_fkey;
DROP TRIGGER ledger_entries_balance ON ledger_entries;

-- The entries themselves are summed with the sums that are kept of them.
CREATE OR REPLACE FUNCTION ledger_transactions_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_empty bigint;
BEGIN
  SELECT a.id INTO v_empty FROM added a
    WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.transaction_id = a.id) ORDER BY a.id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: 0 entries', v_empty USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- As before, and what is added to a transaction sums to zero: so do all of its entries, as all that came before did.
CREATE OR REPLACE FUNCTION ledger_cache_sums() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  wrong record;
BEGIN
  SELECT a.transaction_id AS id, count(*) - count(t.id) AS strange INTO wrong
    FROM added a LEFT JOIN ledger_transactions t ON t.id = a.transaction_id AND t.account_id = a.account_id
    GROUP BY a.transaction_id HAVING sum(a.amount) <> 0 OR count(t.id) < count(*) ORDER BY a.transaction_id LIMIT 1;
  IF FOUND AND wrong.strange > 0 THEN
    RAISE EXCEPTION 'ledger transaction %: it is none of the account of its entries', wrong.id
      USING ERRCODE = 'foreign_key_violation';
  ELSIF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: % instead of 0', wrong.id,
      (SELECT format('%s entries that sum to %s', count(*), sum(e.amount)) FROM ledger_entries e
       WHERE e.transaction_id = wrong.id) USING ERRCODE = 'check_violation';
  END IF;

  UPDATE wallets w SET balance = w.balance + s.wallet, held = w.held + s.held
  FROM (SELECT account_id, coalesce(sum(amount) FILTER (WHERE ledger_account = 'wallet'), 0)::bigint AS wallet,
               coalesce(sum(amount) FILTER (WHERE ledger_account = 'held'), 0)::bigint AS held
        FROM added GROUP BY account_id) s
  WHERE w.account_id = s.account_id;

  INSERT INTO spending_days AS d (account_id, mode, day, kind, windows, micro_usd)
  SELECT t.account_id, 'live', (t.at AT TIME ZONE 'UTC')::date, t.kind, coalesce(sum(t.windows), 0), sum(a.amount)
  FROM added a JOIN ledger_transactions t ON t.id = a.transaction_id
  WHERE a.ledger_account LIKE 'revenue.%'
  GROUP BY 1, 3, 4
  ON CONFLICT (account_id, day, mode, kind)
    DO UPDATE SET windows = d.windows + excluded.windows, micro_usd = d.micro_usd + excluded.micro_usd;
  RETURN NULL;
END $$;

-- As `take_place`, which nothing calls any more, in fewer and smaller statements. Leases are counted in the order of
-- their index and no further than the limit: so the index forgets those that have ended, as it is read.
CREATE FUNCTION hold_place(
  p_account uuid, p_rps integer, p_burst integer, p_concurrency integer, p_outcome text, p_key text, p_mode text,
  p_endpoint text, p_request text, p_lease uuid, p_lease_seconds integer,
  OUT outcome text, OUT at timestamptz, OUT remaining integer, OUT reset_seconds double precision,
  OUT retry_after double precision)
LANGUAGE plpgsql AS $$
DECLARE
  r rate_windows;
  flying integer;
  oldest timestamptz;
  -- Without waiting for the disk: see 0080.
  code text := set_config('synchronous_commit', 'off', true);
BEGIN
  outcome := p_outcome;
  SELECT * INTO r FROM rate_windows w WHERE w.account_id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO rate_windows VALUES (p_account, clock_timestamp(), 0, clock_timestamp(), 0) ON CONFLICT DO NOTHING;
    SELECT * INTO r FROM rate_windows w WHERE w.account_id = p_account FOR UPDATE;
  END IF;
  at := clock_timestamp();
  IF r.window_start + interval '10 seconds' <= at THEN
    r.window_start := at;
    r.window_count := 0;
  END IF;
  IF r.second_start + interval '1 second' <= at THEN
    r.second_start := at;
    r.second_count := 0;
  END IF;
  reset_seconds := extract(epoch FROM r.window_start + interval '10 seconds' - at);

  IF outcome = 'admitted' AND r.window_count >= p_rps * 10 THEN
    outcome := 'WINDOW';
    retry_after := reset_seconds;
  ELSIF outcome = 'admitted' AND r.second_count >= p_burst THEN
    outcome := 'BURST';
    retry_after := extract(epoch FROM r.second_start + interval '1 second' - at);
  ELSIF outcome = 'admitted' THEN
    LOOP
      SELECT count(*), min(l.expires_at) INTO flying, oldest FROM (
        SELECT e.expires_at FROM request_leases e WHERE e.account_id = p_account
        ORDER BY e.expires_at LIMIT p_concurrency) AS l;
      EXIT WHEN oldest IS NULL OR oldest > at;
      DELETE FROM request_leases d WHERE d.id IN (
        SELECT l.id FROM request_leases l
        WHERE l.account_id = p_account AND l.expires_at <= hold_place.at FOR UPDATE SKIP LOCKED);
      CONTINUE WHEN FOUND;
      SELECT count(*) INTO flying FROM request_leases l
        WHERE l.account_id = p_account AND l.expires_at > hold_place.at;
      EXIT;
    END LOOP;
    IF flying >= p_concurrency THEN
      outcome := 'CONCURRENCY_LIMITED';
      retry_after := 1;
    ELSE
      INSERT INTO request_leases VALUES (p_lease, p_account, at + make_interval(secs => p_lease_seconds));
      UPDATE rate_windows w SET window_start = r.window_start, window_count = r.window_count + 1,
             second_start = r.second_start, second_count = r.second_count + 1 WHERE w.account_id = p_account;
      r.window_count := r.window_count + 1;
    END IF;
  END IF;
  remaining := greatest(0, p_rps * 10 - r.window_count);
  IF outcome <> 'admitted' THEN
    code := CASE WHEN outcome IN ('WINDOW', 'BURST') THEN 'RATE_LIMITED'
                 WHEN outcome = 'TERMS_NOT_ACCEPTED' THEN 'SCOPE_MISSING' ELSE outcome END;
    PERFORM count_usage(p_account, p_key, p_mode, p_endpoint,
      CASE WHEN code LIKE 'KEY_%' THEN 401 WHEN code LIKE '%_LIMITED' THEN 429
           WHEN code = 'SERVING_DISABLED' THEN 503 ELSE 403 END, code, 0, 0, p_request, at);
  END IF;
END
$$;

-- As before, with `hold_place`; what does not depend on the request is read in one statement.
CREATE OR REPLACE FUNCTION admit_request(
  p_key text, p_hash bytea, p_nonce bytea, p_ip inet, p_scopes text[], p_endpoint text, p_request text, p_lease uuid,
  p_lease_seconds integer, p_while_suspended boolean)
RETURNS TABLE (
  outcome text, account_id uuid, mode text, at timestamptz, scopes text[], since timestamptz, message text,
  window_limit integer, remaining integer, reset_seconds double precision, retry_after double precision,
  burst integer, concurrency integer, daily_estimates integer)
LANGUAGE plpgsql ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  k record;
  place record;
  known boolean;
  v_elsewhere boolean := false;
BEGIN
  SELECT a.id, k1.mode, k1.scopes, k1.secret_hash, k1.allow_ips, coalesce(k1.revoked_at, a.closed_at) AS revoked_at,
         k1.expires_at, a.suspended_at, a.rps, a.burst, a.concurrency, a.daily_estimates,
         s.serving, s.message, s.retry_after_seconds
    INTO k FROM api_keys k1 JOIN accounts a ON a.id = k1.account_id CROSS JOIN service_state s WHERE k1.key_id = p_key;
  known := FOUND;
  at := clock_timestamp();
  IF sha256(coalesce(k.secret_hash, p_nonce) || p_nonce) <> sha256(p_hash || p_nonce) OR NOT known THEN
    outcome := 'UNAUTHENTICATED';
    RETURN NEXT;
    RETURN;
  END IF;
  account_id := k.id;
  mode := k.mode;
  scopes := k.scopes;
  burst := k.burst;
  concurrency := k.concurrency;
  daily_estimates := k.daily_estimates;
  window_limit := k.rps * 10;
  IF cardinality(k.allow_ips) > 0 THEN
    v_elsewhere := NOT EXISTS (SELECT FROM unnest(k.allow_ips) AS range WHERE p_ip <<= range);
  END IF;
  outcome := CASE
    WHEN k.revoked_at <= at THEN 'KEY_REVOKED'
    WHEN k.expires_at <= at THEN 'KEY_EXPIRED'
    WHEN k.suspended_at <= at AND NOT p_while_suspended THEN 'TENANT_SUSPENDED'
    WHEN v_elsewhere THEN 'IP_NOT_ALLOWED'
    WHEN NOT k.scopes && p_scopes THEN 'SCOPE_MISSING'
    WHEN NOT k.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END;
  since := CASE outcome WHEN 'KEY_REVOKED' THEN k.revoked_at WHEN 'KEY_EXPIRED' THEN k.expires_at
                        WHEN 'TENANT_SUSPENDED' THEN k.suspended_at END;
  message := CASE outcome WHEN 'SERVING_DISABLED' THEN k.message END;
  place := hold_place(k.id, k.rps, k.burst, k.concurrency, outcome, p_key, k.mode, p_endpoint, p_request, p_lease,
                      p_lease_seconds);
  retry_after := CASE outcome WHEN 'SERVING_DISABLED' THEN k.retry_after_seconds ELSE place.retry_after END;
  outcome := place.outcome;
  at := place.at;
  remaining := place.remaining;
  reset_seconds := place.reset_seconds;
  RETURN NEXT;
END
$$;

CREATE OR REPLACE FUNCTION admit_session(
  p_hash bytea, p_idle_days integer, p_mode text, p_endpoint text, p_request text, p_lease uuid,
  p_lease_seconds integer, p_while_suspended boolean, p_terms text)
RETURNS TABLE (
  outcome text, account_id uuid, mode text, at timestamptz, scopes text[], since timestamptz, message text,
  window_limit integer, remaining integer, reset_seconds double precision, retry_after double precision,
  burst integer, concurrency integer, daily_estimates integer)
LANGUAGE plpgsql ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  k record;
  place record;
  v_accepted boolean;
BEGIN
  at := clock_timestamp();
  SELECT a.id, a.suspended_at, a.terms_accepted_at, a.rps, a.burst, a.concurrency, a.daily_estimates,
         s.serving, s.message, s.retry_after_seconds INTO k
    FROM sessions s1 JOIN accounts a ON a.id = s1.account_id CROSS JOIN service_state s
    WHERE s1.token_hash = p_hash AND s1.expires_at > at AND s1.last_seen_at > at - make_interval(days => p_idle_days)
      AND a.closed_at IS NULL;
  IF NOT FOUND THEN
    outcome := 'UNAUTHENTICATED';
    RETURN NEXT;
    RETURN;
  END IF;
  account_id := k.id;
  mode := p_mode;
  burst := k.burst;
  concurrency := k.concurrency;
  daily_estimates := k.daily_estimates;
  window_limit := k.rps * 10;
  v_accepted := k.terms_accepted_at IS NOT NULL AND EXISTS (
    SELECT FROM terms_acceptances t WHERE t.account_id = k.id AND t.version = coalesce(p_terms, t.version));
  outcome := CASE
    WHEN k.suspended_at <= at AND NOT p_while_suspended THEN 'TENANT_SUSPENDED'
    WHEN NOT v_accepted THEN 'TERMS_NOT_ACCEPTED'
    WHEN NOT k.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END;
  since := CASE outcome WHEN 'TENANT_SUSPENDED' THEN k.suspended_at END;
  message := CASE outcome WHEN 'SERVING_DISABLED' THEN k.message END;
  place := hold_place(k.id, k.rps, k.burst, k.concurrency, outcome, 'dashboard', p_mode, p_endpoint, p_request, p_lease,
                      p_lease_seconds);
  retry_after := CASE outcome WHEN 'SERVING_DISABLED' THEN k.retry_after_seconds ELSE place.retry_after END;
  outcome := place.outcome;
  at := place.at;
  remaining := place.remaining;
  reset_seconds := place.reset_seconds;
  RETURN NEXT;
END
$$;
