-- contract: 0.1.0
DROP FUNCTION admit_requests_together(bytea, text[], boolean, integer, text[], bytea[], integer[], inet[], uuid[], text[], text[]);
DROP FUNCTION admit_request(text, bytea, bytea, inet, text[], text, text, uuid, integer, boolean);
DROP FUNCTION admit_session(bytea, integer, text, text, text, uuid, integer, boolean, text);
DROP FUNCTION hold_place(uuid, integer, integer, integer, text, text, text, text, text, uuid, integer);
DROP FUNCTION take_place(uuid, integer, integer, integer, text, text, text, text, text, uuid, integer);
DROP FUNCTION charge_predictions(uuid, text, text, bigint, text[], bigint[], timestamptz[], text[], text[], uuid[], boolean[], text[], text[], integer[], bytea);
DROP FUNCTION charge_predictions_together(text, text, bigint, boolean, uuid[], text[], bigint[], timestamptz[], text[], text[], uuid[], boolean[], text[], text[], integer[], bytea);

-- The account behind an API key, with its limits. `outcome`: 'admitted', or what refuses every request of the key.
-- `secret_hash` is compared by the caller of this function. No row: there is no such key.
CREATE FUNCTION caller_by_key(p_key text, p_scopes text[], p_while_suspended boolean, p_at timestamptz)
RETURNS TABLE (
  account_id uuid, mode text, usage_key text, secret_hash bytea, allow_ips cidr[], scopes text[], outcome text,
  since timestamptz, message text, retry_after double precision, rps integer, burst integer, concurrency integer,
  daily_estimates integer, available bigint, capped boolean)
LANGUAGE sql STABLE AS $$
  SELECT a.id, k.mode, k.key_id, k.secret_hash, k.allow_ips, k.scopes, o.outcome,
         CASE o.outcome WHEN 'KEY_REVOKED' THEN coalesce(k.revoked_at, a.closed_at) WHEN 'KEY_EXPIRED' THEN k.expires_at
                        WHEN 'TENANT_SUSPENDED' THEN a.suspended_at END,
         s.message, s.retry_after_seconds::double precision, a.rps, a.burst, a.concurrency, a.daily_estimates, w.balance,
         coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) IS NOT NULL
  FROM api_keys k JOIN accounts a ON a.id = k.account_id LEFT JOIN wallets w ON w.account_id = a.id
  CROSS JOIN service_state s
  CROSS JOIN LATERAL (SELECT CASE
    WHEN coalesce(k.revoked_at, a.closed_at) <= p_at THEN 'KEY_REVOKED'
    WHEN k.expires_at <= p_at THEN 'KEY_EXPIRED'
    WHEN a.suspended_at <= p_at AND NOT p_while_suspended THEN 'TENANT_SUSPENDED'
    WHEN NOT k.scopes && p_scopes THEN 'SCOPE_MISSING'
    WHEN NOT s.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END AS outcome) AS o
  WHERE k.key_id = p_key
$$;

-- The same for a session of the account pages, which may do what a key of `p_mode` with every permission may.
-- `p_terms`: the version of the terms that must be accepted; null: any version. No row: the session has ended.
CREATE FUNCTION caller_by_session(
  p_hash bytea, p_mode text, p_idle_days integer, p_terms text, p_while_suspended boolean, p_at timestamptz)
RETURNS TABLE (
  account_id uuid, mode text, usage_key text, secret_hash bytea, allow_ips cidr[], scopes text[], outcome text,
  since timestamptz, message text, retry_after double precision, rps integer, burst integer, concurrency integer,
  daily_estimates integer, available bigint, capped boolean)
LANGUAGE sql STABLE AS $$
  SELECT a.id, p_mode, 'dashboard', i.token_hash, '{}'::cidr[], '{}'::text[], o.outcome,
         CASE o.outcome WHEN 'TENANT_SUSPENDED' THEN a.suspended_at END,
         s.message, s.retry_after_seconds::double precision, a.rps, a.burst, a.concurrency, a.daily_estimates, w.balance,
         coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) IS NOT NULL
  FROM sessions i JOIN accounts a ON a.id = i.account_id LEFT JOIN wallets w ON w.account_id = a.id
  CROSS JOIN service_state s
  CROSS JOIN LATERAL (SELECT CASE
    WHEN a.suspended_at <= p_at AND NOT p_while_suspended THEN 'TENANT_SUSPENDED'
    WHEN a.terms_accepted_at IS NULL OR NOT EXISTS (
      SELECT FROM terms_acceptances t WHERE t.account_id = a.id AND t.version = coalesce(p_terms, t.version))
      THEN 'TERMS_NOT_ACCEPTED'
    WHEN NOT s.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END AS outcome) AS o
  WHERE i.token_hash = p_hash AND i.expires_at > p_at AND i.last_seen_at > p_at - make_interval(days => p_idle_days)
    AND a.closed_at IS NULL
$$;

-- Requests of the account that run now, counted up to its limit. Removes leases that have expired.
CREATE FUNCTION running_requests(p_account uuid, p_concurrency integer, p_at timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  v_running integer;
  v_oldest timestamptz;
BEGIN
  LOOP
    SELECT count(*), min(l.expires_at) INTO v_running, v_oldest FROM (
      SELECT e.expires_at FROM request_leases e WHERE e.account_id = p_account
      ORDER BY e.expires_at LIMIT p_concurrency) AS l;
    IF v_oldest IS NULL OR v_oldest > p_at THEN
      RETURN v_running;
    END IF;
    DELETE FROM request_leases d WHERE d.id IN (
      SELECT l.id FROM request_leases l WHERE l.account_id = p_account AND l.expires_at <= p_at
      FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
      RETURN (SELECT count(*) FROM request_leases l WHERE l.account_id = p_account AND l.expires_at > p_at);
    END IF;
  END LOOP;
END
$$;

-- Admits or refuses the requests of several callers, in the order given, and counts each refusal. `p_sessions` says what
-- a caller is: an API key (`p_callers`: its id) or a session (`p_callers`: the mode). `p_counts`: how many requests of the
-- other lists belong to each caller, one caller after another.
-- `outcome`: 'admitted', why the request is refused, or 'busy': another transaction holds the account's counters, nothing
-- was done, and the request is to be sent again with `p_waits`, which is for one caller alone. So no account waits for
-- another. An admitted request has a lease, and holds the Idempotency-Key `p_begin` if `key_begun`.
CREATE FUNCTION admit_requests(
  p_waits boolean, p_sessions boolean, p_scopes text[], p_while_suspended boolean, p_terms text, p_idle_days integer,
  p_lease_seconds integer, p_nonce bytea, p_callers text[], p_hashes bytea[], p_counts integer[],
  p_endpoints text[], p_requests text[], p_ips inet[], p_leases uuid[], p_begin text[])
RETURNS TABLE (
  outcome text, account_id uuid, mode text, at timestamptz, window_limit integer, remaining integer,
  reset_seconds double precision, daily_estimates integer, available bigint, capped boolean, key_begun boolean,
  refusal jsonb)
LANGUAGE plpgsql ROWS 1 SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  k record;
  r rate_windows;
  v_known boolean;
  v_outcome text;
  v_running integer;
  v_leases uuid[];
  v_retry double precision;
  v_first integer := 1;
BEGIN
  -- Leases and counters need not survive a crash of the server. A charge that commits later flushes them too.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- One caller's row must not hold up the others of the statement.
  IF NOT p_waits THEN
    PERFORM set_config('lock_timeout', '500ms', true);
  END IF;
  FOR c IN 1 .. cardinality(p_callers) LOOP
    at := clock_timestamp();
    account_id := NULL;
    IF p_sessions THEN
      SELECT * INTO k FROM caller_by_session(p_hashes[c], p_callers[c], p_idle_days, p_terms, p_while_suspended, at);
    ELSE
      SELECT * INTO k FROM caller_by_key(p_callers[c], p_scopes, p_while_suspended, at);
    END IF;
    v_known := FOUND;
    -- Takes the same time for an unknown caller and for a wrong secret.
    IF sha256(coalesce(k.secret_hash, p_nonce) || p_nonce) <> sha256(p_hashes[c] || p_nonce) OR NOT v_known THEN
      v_outcome := 'UNAUTHENTICATED';
    ELSE
      v_outcome := k.outcome;
      IF p_waits THEN
        INSERT INTO rate_windows VALUES (k.account_id, at, 0, at, 0) ON CONFLICT DO NOTHING;
        SELECT * INTO r FROM rate_windows w WHERE w.account_id = k.account_id FOR UPDATE;
      ELSE
        SELECT * INTO r FROM rate_windows w WHERE w.account_id = k.account_id FOR UPDATE SKIP LOCKED;
      END IF;
      IF NOT FOUND THEN
        v_outcome := 'busy';
      END IF;
    END IF;
    IF v_outcome IN ('UNAUTHENTICATED', 'busy') THEN
      outcome := v_outcome;
      FOR i IN 1 .. p_counts[c] LOOP
        RETURN NEXT;
      END LOOP;
      v_first := v_first + p_counts[c];
      CONTINUE;
    END IF;

    at := clock_timestamp();
    account_id := k.account_id;
    mode := k.mode;
    daily_estimates := k.daily_estimates;
    available := k.available;
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
    v_running := CASE v_outcome WHEN 'admitted' THEN running_requests(k.account_id, k.concurrency, at) END;
    v_leases := '{}';
    FOR i IN v_first .. v_first + p_counts[c] - 1 LOOP
      outcome := v_outcome;
      v_retry := NULL;
      IF outcome NOT IN ('KEY_REVOKED', 'KEY_EXPIRED', 'TENANT_SUSPENDED') AND cardinality(k.allow_ips) > 0
        AND NOT EXISTS (SELECT FROM unnest(k.allow_ips) AS range WHERE p_ips[i] <<= range)
      THEN
        outcome := 'IP_NOT_ALLOWED';
      ELSIF outcome = 'SERVING_DISABLED' THEN
        v_retry := k.retry_after;
      ELSIF outcome = 'admitted' AND r.window_count >= window_limit THEN
        outcome := 'WINDOW';
        v_retry := reset_seconds;
      ELSIF outcome = 'admitted' AND r.second_count >= k.burst THEN
        outcome := 'BURST';
        v_retry := extract(epoch FROM r.second_start + interval '1 second' - at);
      ELSIF outcome = 'admitted' AND v_running >= k.concurrency THEN
        outcome := 'CONCURRENCY_LIMITED';
        v_retry := 1;
      END IF;

      IF outcome = 'admitted' THEN
        r.window_count := r.window_count + 1;
        r.second_count := r.second_count + 1;
        v_running := v_running + 1;
        v_leases := v_leases || p_leases[i];
        refusal := NULL;
        key_begun := p_begin[i] IS NOT NULL
          AND begin_open_key(k.account_id, k.mode, p_begin[i], p_leases[i], p_lease_seconds);
      ELSE
        key_begun := false;
        refusal := jsonb_build_object(
          'since', k.since, 'message', CASE outcome WHEN 'SERVING_DISABLED' THEN k.message END, 'retryAfter', v_retry,
          'scopes', k.scopes, 'burst', k.burst, 'concurrency', k.concurrency);
        PERFORM count_refusal(k.account_id, k.usage_key, k.mode, p_endpoints[i], outcome, p_requests[i], at);
      END IF;
      remaining := greatest(0, window_limit - r.window_count);
      RETURN NEXT;
    END LOOP;
    v_first := v_first + p_counts[c];
    IF cardinality(v_leases) > 0 THEN
      INSERT INTO request_leases
        SELECT id, k.account_id, at + make_interval(secs => p_lease_seconds) FROM unnest(v_leases) AS id;
      UPDATE rate_windows w SET window_start = r.window_start, window_count = r.window_count,
             second_start = r.second_start, second_count = r.second_count WHERE w.account_id = k.account_id;
    END IF;
  END LOOP;
END
$$;

-- Counts a request that was not admitted, under the code and status of its answer.
CREATE FUNCTION count_refusal(
  p_account uuid, p_key text, p_mode text, p_endpoint text, p_outcome text, p_request text, p_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  code text := CASE WHEN p_outcome IN ('WINDOW', 'BURST') THEN 'RATE_LIMITED'
                    WHEN p_outcome = 'TERMS_NOT_ACCEPTED' THEN 'SCOPE_MISSING' ELSE p_outcome END;
BEGIN
  PERFORM count_usage(p_account, p_key, p_mode, p_endpoint,
    CASE WHEN code LIKE 'KEY_%' THEN 401 WHEN code LIKE '%_LIMITED' THEN 429
         WHEN code = 'SERVING_DISABLED' THEN 503 ELSE 403 END, code, 0, 0, p_request, p_at);
END
$$;

-- Charges the predictions of several accounts, each for itself, in the order given, those of one account one after
-- another: locks wallet, model and key, posts to the ledger, counts and logs the request, stores the answer under the
-- key and, where `p_free`, ends the lease. `outcomes`, in the same order: 'charged', or why nothing was done:
-- 'busy' (another transaction holds wallet, model or key: send it again with `p_waits`), 'ended' (the model is not active
-- any more), 'due' (a hosting month has to be paid first), 'refused' (credit or a cap), 'lost' (the request does not hold
-- its key). `freed`: the leases that ended.
-- With `p_waits`, which is for one account alone, it waits for these rows, in the order that all transactions take them:
-- models, wallet, keys. Without, it waits for nothing but the counters of a day, which others hold only with the wallet
-- or for one request. So no account waits for another, and there is no deadlock.
-- `p_keys`, `p_hashes` and `p_sizes` are null where no request has a key; `p_bodies` holds the answers in UTF-8, one after
-- another, `p_sizes` bytes each.
CREATE FUNCTION charge_predictions(
  p_waits boolean, p_mode text, p_endpoint text, p_price bigint, p_accounts uuid[], p_models text[], p_windows bigint[],
  p_at timestamptz[], p_requests text[], p_api_keys text[], p_leases uuid[], p_free boolean[],
  p_keys text[], p_hashes text[], p_sizes integer[], p_bodies bytea,
  OUT outcomes text[], OUT freed uuid[])
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  v_price bigint := CASE p_mode WHEN 'live' THEN p_price ELSE 0 END;
  v_account uuid;
  v_model text;
  w record;
  -- What is left of the balance; null: another transaction holds the wallet.
  v_left bigint;
  -- When hosting is due next; null: the model is not active, or another transaction holds it.
  v_due_at timestamptz;
  v_day date;
  v_day_usd bigint;
  v_month_usd bigint;
  v_day_windows bigint;
  v_month_windows bigint;
  v_paid integer[];
BEGIN
  IF p_waits THEN
    PERFORM FROM task_models t WHERE t.id = ANY (p_models) AND t.account_id = p_accounts[1] ORDER BY t.id FOR SHARE;
    PERFORM FROM wallets b WHERE b.account_id = p_accounts[1] FOR NO KEY UPDATE;
    PERFORM FROM idempotency_keys k
      WHERE k.account_id = p_accounts[1] AND k.mode = p_mode AND k.key = ANY (p_keys) ORDER BY k.key FOR UPDATE;
  END IF;
  FOR i IN 1 .. cardinality(p_accounts) LOOP
    IF p_accounts[i] IS DISTINCT FROM v_account OR p_models[i] IS DISTINCT FROM v_model THEN
      IF p_accounts[i] IS DISTINCT FROM v_account THEN
        v_account := p_accounts[i];
        SELECT b.balance, b.held, a.daily_cap_micro_usd AS day_cap, a.monthly_cap_micro_usd AS month_cap,
               a.daily_windows AS day_windows, a.monthly_windows AS month_windows,
               coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) AS cap
          INTO w FROM wallets b JOIN accounts a ON a.id = b.account_id WHERE b.account_id = v_account
          FOR NO KEY UPDATE OF b SKIP LOCKED;
        v_left := w.balance;
        IF w.cap IS NOT NULL THEN
          v_day := (p_at[i] AT TIME ZONE 'UTC')::date;
          SELECT coalesce(sum(d.micro_usd) FILTER (WHERE d.day = v_day AND d.mode = 'live'), 0),
                 coalesce(sum(d.micro_usd) FILTER (WHERE d.mode = 'live'), 0),
                 coalesce(sum(d.windows) FILTER (WHERE d.day = v_day), 0), coalesce(sum(d.windows), 0)
            INTO v_day_usd, v_month_usd, v_day_windows, v_month_windows
            FROM spending_days d
            WHERE d.account_id = v_account AND d.day >= date_trunc('month', v_day)::date
              AND d.day < (date_trunc('month', v_day) + interval '1 month')::date;
        END IF;
      END IF;
      v_model := p_models[i];
      SELECT CASE WHEN t.mode = 'test' THEN 'infinity'
                  WHEN t.unpaid_since IS NOT NULL THEN '-infinity'
                  WHEN t.retry_at IS NOT NULL THEN t.retry_at
                  WHEN t.expires_at <= t.paid_through THEN 'infinity'
                  ELSE coalesce(t.paid_through, 'infinity') END
        INTO v_due_at
        FROM task_models t
        WHERE t.id = v_model AND t.account_id = v_account AND t.mode = p_mode AND t.status = 'active'
        FOR SHARE SKIP LOCKED;
    END IF;

    outcomes[i] := CASE WHEN v_left IS NULL OR (v_due_at IS NULL AND NOT p_waits) THEN 'busy'
                        WHEN v_due_at IS NULL THEN 'ended'
                        WHEN v_due_at <= p_at[i] THEN 'due'
                        WHEN v_left < v_price * p_windows[i] THEN 'refused'
                        ELSE 'charged' END;
    CONTINUE WHEN outcomes[i] <> 'charged';
    IF w.cap IS NOT NULL THEN
      IF ((p_at[i] AT TIME ZONE 'UTC')::date <> v_day
        OR v_day_windows + p_windows[i] > w.day_windows
        OR v_month_windows + p_windows[i] > w.month_windows
        OR (p_mode = 'live' AND (v_day_usd + w.held + v_price * p_windows[i] > w.day_cap
                              OR v_month_usd + w.held + v_price * p_windows[i] > w.month_cap))) IS TRUE THEN
        outcomes[i] := 'refused';
        CONTINUE;
      END IF;
    END IF;
    IF p_keys[i] IS NOT NULL THEN
      PERFORM FROM idempotency_keys k
        WHERE k.account_id = v_account AND k.mode = p_mode AND k.key = p_keys[i] AND k.state = 'running'
          AND k.lock_id = p_leases[i] FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        outcomes[i] := CASE WHEN p_waits THEN 'lost' ELSE 'busy' END;
        CONTINUE;
      END IF;
      UPDATE idempotency_keys k
        SET state = 'done', request_hash = p_hashes[i], response_status = 200, lock_id = NULL, locked_until = NULL,
            response_body = convert_from(substring(
              p_bodies FROM (SELECT 1 + coalesce(sum(s.size), 0)::integer FROM unnest(p_sizes[1:i-1]) AS s (size))
              FOR p_sizes[i]), 'UTF8')
        WHERE k.account_id = v_account AND k.mode = p_mode AND k.key = p_keys[i];
    END IF;
    v_paid := v_paid || i;
    v_left := v_left - v_price * p_windows[i];
    IF w.cap IS NOT NULL THEN
      v_day_usd := v_day_usd + v_price * p_windows[i];
      v_month_usd := v_month_usd + v_price * p_windows[i];
      v_day_windows := v_day_windows + p_windows[i];
      v_month_windows := v_month_windows + p_windows[i];
    END IF;
  END LOOP;
  IF v_paid IS NULL THEN
    RETURN;
  END IF;

  IF p_mode = 'live' THEN
    WITH posted AS (
      INSERT INTO ledger_transactions AS t (account_id, kind, model_id, windows, unit_price, at)
      SELECT p_accounts[i.n], 'task_models.predict', p_models[i.n], p_windows[i.n], p_price, p_at[i.n]
      FROM (SELECT unnest(v_paid) AS n) AS i
      RETURNING t.id, t.account_id, t.windows)
    INSERT INTO ledger_entries (transaction_id, account_id, ledger_account, amount)
      SELECT p.id, p.account_id, e.account, e.sign * p.windows * p_price
      FROM posted p, (VALUES ('wallet', -1), ('revenue.task_models.predict', 1)) AS e (account, sign);
  ELSE
    INSERT INTO spending_days AS d (account_id, mode, day, kind, windows)
      SELECT p_accounts[i.n], 'test', (p_at[i.n] AT TIME ZONE 'UTC')::date, 'task_models.predict', sum(p_windows[i.n])
      FROM (SELECT unnest(v_paid) AS n) AS i GROUP BY 1, 3
      ON CONFLICT (account_id, day, mode, kind) DO UPDATE SET windows = d.windows + excluded.windows;
  END IF;

  INSERT INTO usage_days AS u (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd,
                               last_at, last_request_id)
    SELECT p_accounts[i.n], p_api_keys[i.n], p_mode, (p_at[i.n] AT TIME ZONE 'UTC')::date, p_endpoint, 200, 'ok',
           count(*), sum(p_windows[i.n]), sum(p_windows[i.n]) * v_price, max(p_at[i.n]), p_requests[max(i.n)]
    FROM (SELECT unnest(v_paid) AS n) AS i GROUP BY 1, 2, 4
    ON CONFLICT (account_id, day, mode, key_id, endpoint, status, code) DO UPDATE
      SET requests = u.requests + excluded.requests, windows = u.windows + excluded.windows,
          micro_usd = u.micro_usd + excluded.micro_usd, last_at = excluded.last_at,
          last_request_id = excluded.last_request_id;

  INSERT INTO request_log (account_id, at, request_id, endpoint, status, code, key_id, mode, windows, micro_usd)
    SELECT p_accounts[i.n], p_at[i.n], p_requests[i.n], p_endpoint, 200, 'ok', p_api_keys[i.n], p_mode,
           p_windows[i.n], p_windows[i.n] * v_price
    FROM (SELECT unnest(v_paid) AS n) AS i;

  -- To the minute, and never waits: whoever holds the key's row notes the same minute.
  IF EXISTS (SELECT FROM api_keys k WHERE k.key_id = ANY (p_api_keys)
               AND (k.last_used_at IS NULL OR k.last_used_at < p_at[1] - interval '1 minute')) THEN
    UPDATE api_keys SET last_used_at = p_at[1] WHERE key_id = ANY (ARRAY(
      SELECT k.key_id FROM api_keys k
      WHERE k.key_id = ANY (ARRAY(SELECT p_api_keys[i.n] FROM unnest(v_paid) AS i (n)))
        AND (k.last_used_at IS NULL OR k.last_used_at < p_at[1] - interval '1 minute')
      FOR NO KEY UPDATE SKIP LOCKED));
  END IF;

  WITH ended AS (
    DELETE FROM request_leases WHERE id = ANY (ARRAY(
      SELECT l.id FROM request_leases l
      WHERE l.id = ANY (ARRAY(SELECT p_leases[i.n] FROM (SELECT unnest(v_paid) AS n) AS i WHERE p_free[i.n]))
      FOR UPDATE SKIP LOCKED))
    RETURNING id)
  SELECT array_agg(e.id) INTO freed FROM ended e;
END
$$;
