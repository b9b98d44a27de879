-- contract: 0.1.0
-- Admission: limits shared by all keys of an account and all API processes, on the database's clock; usage;
-- Idempotency-Keys.

-- Whether the service accepts requests, and the message while it does not.
CREATE TABLE service_state (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  serving boolean NOT NULL,
  message text NOT NULL,
  retry_after_seconds integer NOT NULL
);

INSERT INTO service_state (serving, message, retry_after_seconds) VALUES (true, 'Serving.', 60);

-- Requests of an account in the current 10-second window and in the current second.
CREATE TABLE rate_windows (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  window_start timestamptz NOT NULL,
  window_count integer NOT NULL,
  second_start timestamptz NOT NULL,
  second_count integer NOT NULL
);

-- Running requests. A lease is renewed while its request runs and expires by itself after a crash. No foreign key: it
-- would lock the account's row for each request.
CREATE TABLE request_leases (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX request_leases_account ON request_leases (account_id, expires_at);

-- Requests of a UTC day by key, endpoint and answer, refused ones under their code. Counters, so that a flood of
-- refusals stays small.
CREATE TABLE usage_days (
  account_id uuid REFERENCES accounts,
  key_id text,
  mode text,
  day date,
  endpoint text,
  status integer,
  code text,
  requests bigint NOT NULL,
  windows bigint NOT NULL,
  micro_usd bigint NOT NULL,
  PRIMARY KEY (account_id, day, mode, key_id, endpoint, status, code)
);
CREATE INDEX usage_days_day ON usage_days (day);

-- Single requests without their bodies, kept for 30 days. The counters in `usage_days` are exact and stay for 400 days.
-- No foreign key, as above. `code`: an error code, or `ok`. The sweep creates the partition of each UTC day in advance
-- and drops those of old days, so single rows are never deleted. `request_log_others` takes rows of a day without a
-- partition.
CREATE TABLE request_log (
  account_id uuid NOT NULL,
  at timestamptz NOT NULL,
  request_id text NOT NULL,
  endpoint text NOT NULL,
  status integer NOT NULL,
  code text NOT NULL,
  key_id text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  windows bigint NOT NULL,
  micro_usd bigint NOT NULL
) PARTITION BY RANGE (at);
CREATE TABLE request_log_others PARTITION OF request_log DEFAULT;
CREATE INDEX request_log_codes ON request_log (account_id, code, at DESC, request_id DESC);
CREATE INDEX request_log_old ON request_log (at);
CREATE INDEX request_log_page ON request_log (account_id, at DESC, request_id DESC);
CREATE INDEX request_log_refused ON request_log (account_id, at DESC, request_id DESC) WHERE status >= 400;

-- Makes the partitions of this UTC day and the next two, and drops those of which every row is older than `p_days`;
-- returns how many it dropped. Runs with the rights of the owner. It gives way to statements that run: the next sweep
-- tries again.
CREATE FUNCTION keep_request_log(p_at timestamptz, p_days integer)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_today date := (p_at AT TIME ZONE 'UTC')::date;
  v_day date;
  v_name text;
  v_dropped integer := 0;
BEGIN
  FOR v_day IN SELECT v_today + n FROM generate_series(0, 2) AS n LOOP
    v_name := 'request_log_' || to_char(v_day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(v_name) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE %I PARTITION OF request_log FOR VALUES FROM (%L) TO (%L)', v_name,
        v_day::timestamp AT TIME ZONE 'UTC', (v_day + 1)::timestamp AT TIME ZONE 'UTC');
    EXCEPTION
      -- Rows of that day are in `request_log_others`, as on the first day; the sweep deletes them one by one.
      WHEN check_violation OR lock_not_available OR duplicate_table THEN NULL;
    END;
  END LOOP;
  FOR v_name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_log'::regclass AND c.relname ~ '^request_log_[0-9]{8}$'
      AND (to_date(right(c.relname, 8), 'YYYYMMDD') + 1)::timestamp AT TIME ZONE 'UTC' <= p_at - make_interval(days => p_days)
  LOOP
    BEGIN
      EXECUTE format('DROP TABLE %I', v_name);
      v_dropped := v_dropped + 1;
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
  END LOOP;
  RETURN v_dropped;
END
$$;

-- Estimates of a UTC day, counted against the daily allowance.
CREATE TABLE estimate_days (
  account_id uuid REFERENCES accounts,
  day date,
  estimates integer NOT NULL,
  PRIMARY KEY (account_id, day)
);

-- Estimates that were answered "not ready" and counted: the same request is not counted again that day until it is
-- ready.
CREATE TABLE estimate_waits (
  account_id uuid REFERENCES accounts,
  day date,
  request_hash text,
  PRIMARY KEY (account_id, day, request_hash)
);
CREATE INDEX estimate_waits_day ON estimate_waits (day);

-- Idempotency-Keys of each account and mode. `lock_id` is the lease of the request that uses the key, or used it last.
-- A key changes once, from running to done, and that of a create once more when its model ends. No index covers a
-- column that a prediction changes, nor has a condition on one, and pages keep free space. So the new row stays in its
-- page and no index is written (a HOT update).
CREATE TABLE idempotency_keys (
  account_id uuid REFERENCES accounts,
  mode text CHECK (mode IN ('live', 'test')),
  key text,
  -- Empty until the body of the request is known; then nothing was done under the key, so that any body may take it
  -- over.
  request_hash text NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'done')),
  lock_id uuid,
  locked_until timestamptz,
  job jsonb,
  response_status integer,
  -- The answer: its text, or the name of the object that holds it. Neither, and 0 bytes: it was erased with its model.
  response_body text,
  response_ref text,
  response_bytes bigint,
  -- Model of the answer: of a prediction from its start, of other requests with the answer. When the model ends, the
  -- answer of its create is erased; the others are removed.
  model_id text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, mode, key),
  CHECK (request_hash <> '' OR (state = 'running' AND job IS NULL)),
  CHECK ((state = 'done') = (response_status IS NOT NULL AND response_bytes IS NOT NULL
    AND num_nonnulls(response_body, response_ref) = sign(response_bytes)))
) WITH (fillfactor = 50);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_lock ON idempotency_keys (lock_id);
CREATE INDEX idempotency_keys_model ON idempotency_keys (model_id) WHERE model_id IS NOT NULL;

-- Number and bytes of stored answers, by the UTC day on which their keys were first used. Triggers keep these sums.
CREATE TABLE stored_answer_days (
  account_id uuid,
  day date,
  answers bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (account_id, day)
);

-- Objects of answers whose keys were removed; the sweep deletes them.
CREATE TABLE ended_answers (
  object text PRIMARY KEY
);

-- Adds a stored answer to the sums.
CREATE FUNCTION count_stored_answer()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stored_answer_days AS s VALUES (NEW.account_id, (NEW.created_at AT TIME ZONE 'UTC')::date, 1,
                                              NEW.response_bytes)
    ON CONFLICT (account_id, day) DO UPDATE SET answers = s.answers + 1, bytes = s.bytes + excluded.bytes;
  RETURN NULL;
END
$$;

-- Subtracts removed answers from the sums, and lists their objects for the sweep. Locks the rows of the sums in one
-- order.
CREATE FUNCTION count_removed_answers()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM removed r WHERE r.state = 'done') THEN
    RETURN NULL;
  END IF;
  INSERT INTO ended_answers SELECT r.response_ref FROM removed r WHERE r.response_ref IS NOT NULL
    ON CONFLICT DO NOTHING;
  PERFORM FROM stored_answer_days s
    WHERE (s.account_id, s.day) IN (SELECT r.account_id, (r.created_at AT TIME ZONE 'UTC')::date FROM removed r)
    ORDER BY s.account_id, s.day FOR UPDATE;
  WITH sums AS (
    SELECT r.account_id, (r.created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS answers,
           sum(r.response_bytes) AS bytes
    FROM removed r WHERE r.state = 'done' GROUP BY 1, 2)
  UPDATE stored_answer_days s
    SET answers = greatest(0, s.answers - d.answers), bytes = greatest(0, s.bytes - d.bytes)
    FROM sums d WHERE s.account_id = d.account_id AND s.day = d.day;
  DELETE FROM stored_answer_days s USING removed r
    WHERE s.account_id = r.account_id AND s.day = (r.created_at AT TIME ZONE 'UTC')::date AND s.answers = 0;
  RETURN NULL;
END
$$;

-- Subtracts the bytes of an erased answer. Its key still counts as an answer.
CREATE FUNCTION count_erased_answer()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stored_answer_days s SET bytes = greatest(0, s.bytes - OLD.response_bytes)
    WHERE s.account_id = OLD.account_id AND s.day = (OLD.created_at AT TIME ZONE 'UTC')::date;
  RETURN NULL;
END
$$;

CREATE TRIGGER idempotency_keys_stored AFTER UPDATE ON idempotency_keys FOR EACH ROW
  WHEN (old.state = 'running' AND new.state = 'done')
  EXECUTE FUNCTION count_stored_answer();
CREATE TRIGGER idempotency_keys_erased AFTER UPDATE ON idempotency_keys FOR EACH ROW
  WHEN (old.state = 'done' AND new.response_bytes = 0)
  EXECUTE FUNCTION count_erased_answer();
CREATE TRIGGER idempotency_keys_removed AFTER DELETE ON idempotency_keys
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT
  EXECUTE FUNCTION count_removed_answers();

-- Whether the account has no room for one more answer. `p_running`: its running requests, this one included; each may
-- still store an answer. Until then an answer counts as 64 KiB (`limits.inlineAnswerBytes`), except for predictions.
CREATE FUNCTION answers_are_full(p_account uuid, p_running bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(coalesce(sum(s.answers), 0) + p_running > a.stored_answers, false)
      OR coalesce(coalesce(sum(s.bytes), 0) + p_running * 65536 > a.stored_answer_bytes, false)
  FROM accounts a LEFT JOIN stored_answer_days s ON s.account_id = a.id
  WHERE a.id = p_account GROUP BY a.id
$$;

-- Counts one answered request exactly, and logs it. Requests that are cheap to refuse (no permission, too many, paused)
-- get at most three log rows a second per account. The row of the counter is locked first: equal refusals wait for one
-- another, and each sees the rows of the earlier ones.
CREATE FUNCTION count_usage(
  p_account uuid, p_key text, p_mode text, p_endpoint text, p_status integer, p_code text, p_windows bigint,
  p_micro_usd bigint, p_request text, p_at timestamptz)
RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO usage_days AS u (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd)
  VALUES (p_account, p_key, p_mode, (p_at AT TIME ZONE 'UTC')::date, p_endpoint, p_status, p_code, 1, p_windows,
          p_micro_usd)
  ON CONFLICT (account_id, day, mode, key_id, endpoint, status, code) DO UPDATE
    SET requests = u.requests + 1, windows = u.windows + excluded.windows,
        micro_usd = u.micro_usd + excluded.micro_usd;

  IF p_status NOT IN (401, 403, 429, 503) OR (
    SELECT count(*) FROM (
      SELECT FROM request_log l WHERE l.account_id = p_account AND l.status >= 400 AND l.status IN (401, 403, 429, 503)
        AND l.at > p_at - interval '1 second' AND l.at <= p_at LIMIT 3) AS lately) < 3
  THEN
    INSERT INTO request_log
      VALUES (p_account, p_at, p_request, p_endpoint, p_status, p_code, p_key, p_mode, p_windows, p_micro_usd);
  END IF;

  -- Skips a locked row: the transaction that locks it writes the same minute.
  UPDATE api_keys SET last_used_at = p_at WHERE key_id = (
    SELECT k.key_id FROM api_keys k
    WHERE k.key_id = p_key AND k.account_id = p_account
      AND (k.last_used_at IS NULL OR k.last_used_at < p_at - interval '1 minute')
    FOR NO KEY UPDATE SKIP LOCKED);
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

-- Begins an unused key for a request whose body is not known yet: its hash is empty until the answer is stored. False:
-- the key is in use, or there is no room for its answer; then `begin_idempotency` decides when the body is known.
-- `p_running` as in `answers_are_full`.
CREATE FUNCTION begin_open_key(
  p_account uuid, p_mode text, p_key text, p_lock uuid, p_lock_seconds double precision, p_running bigint, p_model text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := clock_timestamp();
BEGIN
  -- This read does not wait for a transaction that changes the key. The insert would, with the account's limits locked.
  IF EXISTS (SELECT FROM idempotency_keys i WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key)
    OR answers_are_full(p_account, p_running) THEN
    RETURN false;
  END IF;
  INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, lock_id, locked_until, created_at, model_id)
    VALUES (p_account, p_mode, p_key, '', 'running', p_lock, at + make_interval(secs => p_lock_seconds), at, p_model)
    ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$$;

-- Takes an Idempotency-Key for one request: new | taken (its process died; `job` is the job that it began) | running |
-- replay | reused | full (no room for its answer). A key with an empty hash is running, or any body may take it over,
-- because nothing was done under it.
CREATE FUNCTION begin_idempotency(
  p_account uuid, p_mode text, p_key text, p_hash text, p_lock uuid, p_lock_seconds double precision, p_days integer)
RETURNS TABLE (
  outcome text, status integer, body text, ref text, bytes bigint, model text, job jsonb, retry_after double precision)
LANGUAGE plpgsql ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  r idempotency_keys;
  at timestamptz;
  -- The lease of this request is one of them.
  v_full boolean := answers_are_full(p_account, greatest(1, (
    SELECT count(*) FROM request_leases l WHERE l.account_id = p_account AND l.expires_at > clock_timestamp())));
BEGIN
  LOOP
    at := clock_timestamp();
    INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, lock_id, locked_until, created_at)
      SELECT p_account, p_mode, p_key, p_hash, 'running', p_lock, at + make_interval(secs => p_lock_seconds), at
      WHERE NOT v_full ON CONFLICT DO NOTHING;
    IF FOUND THEN
      outcome := 'new';
      RETURN NEXT;
      RETURN;
    END IF;
    SELECT * INTO r FROM idempotency_keys i
      WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key FOR UPDATE;
    IF NOT FOUND THEN
      CONTINUE WHEN NOT v_full;
      outcome := 'full';
      RETURN NEXT;
      RETURN;
    END IF;
    at := clock_timestamp();
    IF r.created_at + make_interval(days => p_days) <= at AND (r.state = 'done' OR r.locked_until <= at) THEN
      DELETE FROM idempotency_keys i WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key;
      CONTINUE;
    END IF;
    job := r.job;
    IF r.request_hash NOT IN (p_hash, '') THEN
      outcome := 'reused';
    ELSIF r.state = 'done' THEN
      outcome := 'replay';
      status := r.response_status;
      body := r.response_body;
      ref := r.response_ref;
      bytes := r.response_bytes;
      model := r.model_id;
    ELSIF r.locked_until > at THEN
      outcome := 'running';
      retry_after := extract(epoch FROM r.locked_until - at);
    ELSE
      outcome := 'taken';
      UPDATE idempotency_keys i
        SET request_hash = p_hash, lock_id = p_lock, locked_until = at + make_interval(secs => p_lock_seconds)
        WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key;
    END IF;
    RETURN NEXT;
    RETURN;
  END LOOP;
END
$$;

-- Windows of an account's test keys on the UTC day of the instant. A function, so that Postgres plans this only for
-- test keys.
CREATE FUNCTION test_windows(p_account uuid, p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((
    SELECT d.windows FROM spending_days d
    WHERE d.account_id = p_account AND d.day = (p_at AT TIME ZONE 'UTC')::date AND d.mode = 'test'
      AND d.kind = 'task_models.predict'), 0);
END
$$;

-- The account of an API key, with its limits. `windows_left`: rest of the daily allowance of test keys; null for live
-- keys and without a limit. `outcome`: 'admitted', or the reason that refuses every request of the key. The caller of
-- this function compares `secret_hash`. No row: there is no such key.
CREATE FUNCTION caller_by_key(p_key text, p_scopes text[], p_while_suspended boolean, p_at timestamptz)
RETURNS TABLE (
  account_id uuid, mode text, usage_key text, secret_hash bytea, allow_ips cidr[], scopes text[], outcome text,
  since timestamptz, message text, retry_after double precision, rps integer, burst integer, concurrency integer,
  daily_estimates integer, available bigint, capped boolean, windows_left bigint)
LANGUAGE sql STABLE AS $$
  SELECT a.id, k.mode, k.key_id, k.secret_hash, k.allow_ips, k.scopes, o.outcome,
         CASE o.outcome WHEN 'KEY_REVOKED' THEN coalesce(k.revoked_at, a.closed_at) WHEN 'KEY_EXPIRED' THEN k.expires_at
                        WHEN 'TENANT_SUSPENDED' THEN a.suspended_at END,
         s.message, s.retry_after_seconds::double precision, a.rps, a.burst, a.concurrency, a.daily_estimates,
         w.balance,
         coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) IS NOT NULL,
         CASE k.mode WHEN 'test' THEN a.daily_test_windows - test_windows(a.id, p_at) END
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

-- The same for a session of the account pages, which has the permissions of a key of `p_mode` with every permission.
-- `p_terms`: the version of the terms that must be accepted; null: any version. No row: the session has ended.
CREATE FUNCTION caller_by_session(
  p_hash bytea, p_mode text, p_idle_days integer, p_terms text, p_while_suspended boolean, p_at timestamptz)
RETURNS TABLE (
  account_id uuid, mode text, usage_key text, secret_hash bytea, allow_ips cidr[], scopes text[], outcome text,
  since timestamptz, message text, retry_after double precision, rps integer, burst integer, concurrency integer,
  daily_estimates integer, available bigint, capped boolean, windows_left bigint)
LANGUAGE sql STABLE AS $$
  SELECT a.id, p_mode, 'dashboard', i.token_hash, '{}'::cidr[], '{}'::text[], o.outcome,
         CASE o.outcome WHEN 'TENANT_SUSPENDED' THEN a.suspended_at END,
         s.message, s.retry_after_seconds::double precision, a.rps, a.burst, a.concurrency, a.daily_estimates,
         w.balance,
         coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) IS NOT NULL,
         CASE p_mode WHEN 'test' THEN a.daily_test_windows - test_windows(a.id, p_at) END
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

-- Running requests of the account, counted up to its limit. Removes expired leases.
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

-- Admits or refuses the requests of several callers, in the order given, and counts each refusal. `p_sessions` gives
-- the kind of a caller: an API key (`p_callers`: its id) or a session (`p_callers`: the mode). `p_counts`: how many
-- requests of the other lists belong to each caller, one caller after another. `outcome`: 'admitted', the reason of the
-- refusal, or 'busy'. 'busy': another transaction has locked the counters of `account_id`, and nothing was done. Send
-- the request again with `p_waits`, which is for callers of one account. So no account waits for another. An admitted
-- request has a lease, and the Idempotency-Key `p_begin` if `key_begun`.
CREATE FUNCTION admit_requests(
  p_waits boolean, p_sessions boolean, p_scopes text[], p_while_suspended boolean, p_terms text, p_idle_days integer,
  p_lease_seconds integer, p_nonce bytea, p_callers text[], p_hashes bytea[], p_counts integer[],
  p_endpoints text[], p_requests text[], p_ips inet[], p_leases uuid[], p_begin text[], p_models text[])
RETURNS TABLE (
  outcome text, account_id uuid, mode text, at timestamptz, window_limit integer, remaining integer,
  reset_seconds double precision, daily_estimates integer, available bigint, capped boolean, windows_left bigint,
  key_begun boolean, refusal jsonb, model text)
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
  -- Leases and counters need not survive a crash of the server. A charge that commits later flushes them too.
  v_commit text := set_config('synchronous_commit', 'off', true);
  v_patience text;
BEGIN
  -- The row of one caller must not hold up the others of the statement.
  IF NOT p_waits THEN
    v_patience := set_config('lock_timeout', '500ms', true);
  END IF;
  FOR c IN 1 .. cardinality(p_callers) LOOP
    at := clock_timestamp();
    account_id := NULL;
    refusal := NULL;
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
      account_id := k.account_id;
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
    mode := k.mode;
    daily_estimates := k.daily_estimates;
    available := k.available;
    capped := k.capped;
    windows_left := k.windows_left;
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
      model := p_models[i];
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
          AND begin_open_key(k.account_id, k.mode, p_begin[i], p_leases[i], p_lease_seconds, v_running, model);
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
