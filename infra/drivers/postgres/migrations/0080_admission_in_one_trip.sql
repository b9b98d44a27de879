-- What a prediction asks before it computes is one statement. Leases, rate windows and keys that were only begun need
-- not survive a crash of the database: whoever charges looks for its key under lock, and a charge is always durable.

-- As before, in fewer statements where the account has been here before and no lease has expired, and without waiting
-- for the disk. What commits later, on any connection, takes these rows to the disk before itself.
CREATE OR REPLACE FUNCTION take_place(
  p_account uuid, p_rps integer, p_burst integer, p_concurrency integer, p_outcome text, p_key text, p_mode text,
  p_endpoint text, p_request text, p_lease uuid, p_lease_seconds integer)
RETURNS TABLE (
  outcome text, at timestamptz, remaining integer, reset_seconds double precision, retry_after double precision)
LANGUAGE plpgsql AS $$
DECLARE
  r rate_windows;
  flying integer;
  ended integer;
  code text;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
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
    SELECT count(*) FILTER (WHERE l.expires_at > at), count(*) FILTER (WHERE l.expires_at <= at) INTO flying, ended
      FROM request_leases l WHERE l.account_id = p_account;
    IF ended > 0 THEN
      DELETE FROM request_leases d WHERE d.id IN (
        SELECT l.id FROM request_leases l WHERE l.account_id = p_account AND l.expires_at <= take_place.at FOR UPDATE SKIP LOCKED);
    END IF;
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
  RETURN NEXT;
END
$$;

-- Begins a key that nobody has, for a request whose body is not known yet: its hash is open (empty), and is noted with
-- the answer. False: somebody has or had it, and `begin_idempotency` decides once the body is known.
CREATE FUNCTION begin_open_key(
  p_account uuid, p_mode text, p_key text, p_lock uuid, p_lock_seconds double precision) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := clock_timestamp();
BEGIN
  -- A plain look does not wait for whoever changes the key just now, while the account's place is held.
  IF EXISTS (SELECT FROM idempotency_keys i WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key) THEN
    RETURN false;
  END IF;
  INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, lock_id, locked_until, created_at)
    VALUES (p_account, p_mode, p_key, '', 'running', p_lock, at + make_interval(secs => p_lock_seconds), at)
    ON CONFLICT DO NOTHING;
  RETURN FOUND;
END
$$;

-- As before; a key whose hash is open runs, or is taken over by any body: nothing was ever done under it.
CREATE OR REPLACE FUNCTION begin_idempotency(
  p_account uuid, p_mode text, p_key text, p_hash text, p_lock uuid, p_lock_seconds double precision, p_days integer)
RETURNS TABLE (outcome text, status integer, body text, job jsonb, retry_after double precision)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  r idempotency_keys;
  at timestamptz;
BEGIN
  LOOP
    at := clock_timestamp();
    INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, lock_id, locked_until, created_at)
      VALUES (p_account, p_mode, p_key, p_hash, 'running', p_lock, at + make_interval(secs => p_lock_seconds), at)
      ON CONFLICT DO NOTHING;
    IF FOUND THEN
      outcome := 'new';
      RETURN NEXT;
      RETURN;
    END IF;
    SELECT * INTO r FROM idempotency_keys i
      WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
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

-- One row each, so that what is found beside it is looked up and not joined.
ALTER FUNCTION admit_request(text, bytea, bytea, inet, text[], text, text, uuid, integer, boolean) ROWS 1;
ALTER FUNCTION admit_session(bytea, integer, text, text, text, uuid, integer, boolean, text) ROWS 1;
ALTER FUNCTION take_place(uuid, integer, integer, integer, text, text, text, text, text, uuid, integer) ROWS 1;
ALTER FUNCTION begin_idempotency(uuid, text, text, text, uuid, double precision, integer) ROWS 1;
