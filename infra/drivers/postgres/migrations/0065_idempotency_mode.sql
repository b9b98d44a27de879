-- Idempotency keys of test keys and of live keys are apart: the same key sent with both means two requests.
ALTER TABLE idempotency_keys ADD COLUMN mode text NOT NULL DEFAULT 'live' CHECK (mode IN ('live', 'test'));
UPDATE idempotency_keys i SET mode = 'test' FROM task_models m WHERE m.id = i.job ->> 'modelId' AND m.mode = 'test';
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pkey, ADD PRIMARY KEY (account_id, mode, key);

DROP FUNCTION begin_idempotency(uuid, text, text, uuid, double precision, integer);

-- Takes an idempotency key for one request: new | taken (its process died; `job` is what it had begun) | running | replay | reused.
CREATE FUNCTION begin_idempotency(p_account uuid, p_mode text, p_key text, p_hash text, p_lock uuid, p_lock_seconds double precision,
                                  p_days integer)
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
      VALUES (p_account, p_mode, p_key, p_hash, 'running', p_lock, at + make_interval(secs => p_lock_seconds), at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      outcome := 'new';
      RETURN NEXT;
      RETURN;
    END IF;
    SELECT * INTO r FROM idempotency_keys i WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key FOR UPDATE;
    CONTINUE WHEN NOT FOUND;
    at := clock_timestamp();
    IF r.created_at + make_interval(days => p_days) <= at AND (r.state = 'done' OR r.locked_until <= at) THEN
      DELETE FROM idempotency_keys i WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key;
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
        WHERE i.account_id = p_account AND i.mode = p_mode AND i.key = p_key;
    END IF;
    RETURN NEXT;
    RETURN;
  END LOOP;
END
$$;
