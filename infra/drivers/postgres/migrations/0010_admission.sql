-- Admission: limits of an account shared by all its keys and all API processes, on the database's clock; usage; idempotency keys.

CREATE TABLE rate_windows (
  account_id   uuid PRIMARY KEY REFERENCES accounts (id),
  window_start timestamptz NOT NULL,
  window_count integer NOT NULL,
  second_start timestamptz NOT NULL,
  second_count integer NOT NULL
);

CREATE TABLE request_leases (
  id         uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX request_leases_account ON request_leases (account_id, expires_at);

-- Requests of a UTC day by key, endpoint and answer; refused ones too, under their code. Counters, so that a flood of refusals stays small.
CREATE TABLE usage_days (
  account_id      uuid NOT NULL REFERENCES accounts (id),
  key_id          text NOT NULL,
  mode            text NOT NULL,
  day             date NOT NULL,
  endpoint        text NOT NULL,
  status          integer NOT NULL,
  code            text NOT NULL,
  requests        bigint NOT NULL,
  windows         bigint NOT NULL,
  micro_usd       bigint NOT NULL,
  last_at         timestamptz NOT NULL,
  last_request_id text NOT NULL,
  PRIMARY KEY (account_id, day, mode, key_id, endpoint, status, code)
);

CREATE TABLE estimate_days (
  account_id uuid NOT NULL REFERENCES accounts (id),
  day        date NOT NULL,
  estimates  integer NOT NULL,
  PRIMARY KEY (account_id, day)
);

CREATE TABLE idempotency_keys (
  account_id      uuid NOT NULL REFERENCES accounts (id),
  key             text NOT NULL,
  request_hash    text NOT NULL,
  state           text NOT NULL CHECK (state IN ('running', 'done')),
  lock_id         uuid,
  locked_until    timestamptz,
  job             jsonb,
  response_status integer,
  response_body   text,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (account_id, key),
  CHECK ((state = 'done') = (response_status IS NOT NULL AND response_body IS NOT NULL))
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

CREATE TABLE service_state (
  only_row            boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  serving             boolean NOT NULL,
  message             text NOT NULL,
  retry_after_seconds integer NOT NULL
);
INSERT INTO service_state (serving, message, retry_after_seconds) VALUES (true, 'Serving.', 60);

CREATE FUNCTION count_usage(p_account uuid, p_key text, p_mode text, p_endpoint text, p_status integer, p_code text,
                            p_windows bigint, p_micro_usd bigint, p_request text, p_at timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO usage_days AS u (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd, last_at, last_request_id)
  VALUES (p_account, p_key, p_mode, (p_at AT TIME ZONE 'UTC')::date, p_endpoint, p_status, p_code, 1, p_windows, p_micro_usd, p_at, p_request)
  ON CONFLICT (account_id, day, mode, key_id, endpoint, status, code) DO UPDATE
    SET requests = u.requests + 1, windows = u.windows + excluded.windows, micro_usd = u.micro_usd + excluded.micro_usd,
        last_at = excluded.last_at, last_request_id = excluded.last_request_id
$$;

-- Admits one request or names why not. Compares key hashes through a keyed digest, so that the time taken tells nothing about the stored one,
-- and does the same work for a key id that does not exist. A 401 or 403 counts against no limit.
CREATE FUNCTION admit_request(p_key text, p_hash bytea, p_nonce bytea, p_ip inet, p_scopes text[], p_endpoint text, p_request text,
                              p_lease uuid, p_lease_seconds integer)
RETURNS TABLE (outcome text, account_id uuid, mode text, at timestamptz, scopes text[], since timestamptz, message text,
               window_limit integer, remaining integer, reset_seconds double precision, retry_after double precision,
               burst integer, concurrency integer, daily_estimates integer)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  k record;
  r rate_windows;
  s service_state;
  known boolean;
  flying integer;
  code text;
BEGIN
  SELECT a.id, k1.mode, k1.scopes, k1.secret_hash, k1.allow_ips, k1.revoked_at, k1.expires_at, a.suspended_at, a.rps, a.burst, a.concurrency,
         a.daily_estimates
    INTO k FROM api_keys k1 JOIN accounts a ON a.id = k1.account_id WHERE k1.key_id = p_key;
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
  SELECT * INTO s FROM service_state;
  outcome := CASE
    WHEN k.revoked_at <= at THEN 'KEY_REVOKED'
    WHEN k.expires_at <= at THEN 'KEY_EXPIRED'
    WHEN k.suspended_at <= at THEN 'TENANT_SUSPENDED'
    WHEN cardinality(k.allow_ips) > 0 AND NOT EXISTS (SELECT FROM unnest(k.allow_ips) AS range WHERE p_ip <<= range) THEN 'IP_NOT_ALLOWED'
    WHEN NOT k.scopes && p_scopes THEN 'SCOPE_MISSING'
    WHEN NOT s.serving THEN 'SERVING_DISABLED'
    ELSE 'admitted' END;
  since := CASE outcome WHEN 'KEY_REVOKED' THEN k.revoked_at WHEN 'KEY_EXPIRED' THEN k.expires_at WHEN 'TENANT_SUSPENDED' THEN k.suspended_at END;
  IF outcome = 'SERVING_DISABLED' THEN
    message := s.message;
    retry_after := s.retry_after_seconds;
  END IF;

  INSERT INTO rate_windows VALUES (k.id, at, 0, at, 0) ON CONFLICT DO NOTHING;
  SELECT * INTO r FROM rate_windows w WHERE w.account_id = k.id FOR UPDATE;
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

  IF outcome = 'admitted' AND r.window_count >= window_limit THEN
    outcome := 'WINDOW';
    retry_after := reset_seconds;
  ELSIF outcome = 'admitted' AND r.second_count >= k.burst THEN
    outcome := 'BURST';
    retry_after := extract(epoch FROM r.second_start + interval '1 second' - at);
  ELSIF outcome = 'admitted' THEN
    DELETE FROM request_leases l WHERE l.account_id = k.id AND l.expires_at <= at;
    SELECT count(*) INTO flying FROM request_leases l WHERE l.account_id = k.id;
    IF flying >= k.concurrency THEN
      outcome := 'CONCURRENCY_LIMITED';
      retry_after := 1;
    ELSE
      INSERT INTO request_leases VALUES (p_lease, k.id, at + make_interval(secs => p_lease_seconds));
      UPDATE rate_windows w SET window_start = r.window_start, window_count = r.window_count + 1,
             second_start = r.second_start, second_count = r.second_count + 1 WHERE w.account_id = k.id;
      r.window_count := r.window_count + 1;
    END IF;
  END IF;
  remaining := greatest(0, window_limit - r.window_count);
  IF outcome <> 'admitted' THEN
    code := CASE WHEN outcome IN ('WINDOW', 'BURST') THEN 'RATE_LIMITED' ELSE outcome END;
    PERFORM count_usage(k.id, p_key, k.mode, p_endpoint, CASE WHEN code LIKE 'KEY_%' THEN 401 WHEN code LIKE '%_LIMITED' THEN 429
      WHEN code = 'SERVING_DISABLED' THEN 503 ELSE 403 END, code, 0, 0, p_request, at);
  END IF;
  RETURN NEXT;
END
$$;

-- Takes an idempotency key for one request: new | taken (its process died; `job` is what it had begun) | running | replay | reused.
CREATE FUNCTION begin_idempotency(p_account uuid, p_key text, p_hash text, p_lock uuid, p_lock_seconds double precision, p_days integer)
RETURNS TABLE (outcome text, status integer, body text, job jsonb, retry_after double precision)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  r idempotency_keys;
  at timestamptz;
BEGIN
  LOOP
    at := clock_timestamp();
    INSERT INTO idempotency_keys (account_id, key, request_hash, state, lock_id, locked_until, created_at)
      VALUES (p_account, p_key, p_hash, 'running', p_lock, at + make_interval(secs => p_lock_seconds), at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      outcome := 'new';
      RETURN NEXT;
      RETURN;
    END IF;
    SELECT * INTO r FROM idempotency_keys i WHERE i.account_id = p_account AND i.key = p_key FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    at := clock_timestamp();
    IF r.created_at + make_interval(days => p_days) <= at AND (r.state = 'done' OR r.locked_until <= at) THEN
      DELETE FROM idempotency_keys i WHERE i.account_id = p_account AND i.key = p_key;
      CONTINUE;
    END IF;
    job := r.job;
    IF r.request_hash <> p_hash THEN
      outcome := 'reused';
    ELSIF r.state = 'done' THEN
      outcome := 'replay';
      status := r.response_status;
      body := r.response_body;
    ELSIF r.locked_until > at THEN
      outcome := 'running';
      retry_after := extract(epoch FROM r.locked_until - at);
    ELSE
      outcome := 'taken';
      UPDATE idempotency_keys i SET lock_id = p_lock, locked_until = at + make_interval(secs => p_lock_seconds)
        WHERE i.account_id = p_account AND i.key = p_key;
    END IF;
    RETURN NEXT;
    RETURN;
  END LOOP;
END
$$;
