-- Requests one by one for their account, without any body, kept for 30 days. Counters (`usage_days`) stay exact and stay longer.
CREATE TABLE request_log (
  account_id uuid NOT NULL REFERENCES accounts (id),
  at         timestamptz NOT NULL,
  request_id text NOT NULL,
  endpoint   text NOT NULL,
  status     integer NOT NULL,
  -- Error code, or `ok`.
  code       text NOT NULL,
  key_id     text NOT NULL,
  mode       text NOT NULL CHECK (mode IN ('live', 'test')),
  windows    bigint NOT NULL,
  micro_usd  bigint NOT NULL
);
CREATE INDEX request_log_page ON request_log (account_id, at DESC, request_id DESC);
CREATE INDEX request_log_refused ON request_log (account_id, at DESC, request_id DESC) WHERE status >= 400;
CREATE INDEX request_log_codes ON request_log (account_id, code, at DESC, request_id DESC) WHERE status >= 400;
CREATE INDEX request_log_old ON request_log (at);

-- To the minute, so that a key that is used all the time is not written all the time.
ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz;
UPDATE api_keys k SET last_used_at = u.at
FROM (SELECT account_id, key_id, max(last_at) AS at FROM usage_days GROUP BY 1, 2) u
WHERE u.key_id = k.key_id AND u.account_id = k.account_id;

-- Pages of an account's ledger, and what its available balance was after each line, from the index alone.
CREATE INDEX ledger_transactions_page ON ledger_transactions (account_id, id DESC);
CREATE INDEX ledger_entries_balance ON ledger_entries (account_id, transaction_id DESC) INCLUDE (amount)
  WHERE ledger_account = 'wallet';

-- Every model of an account, ended ones too, for what its owner takes with him.
CREATE INDEX task_models_account ON task_models (account_id, id);

-- Counts one answered request exactly, and writes it into the log. Of those that cost the service next to nothing to refuse (no right, too many,
-- paused) an account has at most three rows in a second. The counter's row is locked first: requests refused alike wait for one another, and
-- each sees the rows of those before it.
CREATE OR REPLACE FUNCTION count_usage(p_account uuid, p_key text, p_mode text, p_endpoint text, p_status integer, p_code text,
                            p_windows bigint, p_micro_usd bigint, p_request text, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_days AS u (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd, last_at, last_request_id)
  VALUES (p_account, p_key, p_mode, (p_at AT TIME ZONE 'UTC')::date, p_endpoint, p_status, p_code, 1, p_windows, p_micro_usd, p_at, p_request)
  ON CONFLICT (account_id, day, mode, key_id, endpoint, status, code) DO UPDATE
    SET requests = u.requests + 1, windows = u.windows + excluded.windows, micro_usd = u.micro_usd + excluded.micro_usd,
        last_at = excluded.last_at, last_request_id = excluded.last_request_id;

  IF p_status NOT IN (401, 403, 429, 503) OR (
    SELECT count(*) FROM (
      SELECT FROM request_log l WHERE l.account_id = p_account AND l.status >= 400 AND l.status IN (401, 403, 429, 503)
        AND l.at > p_at - interval '1 second' AND l.at <= p_at LIMIT 3) AS lately) < 3
  THEN
    INSERT INTO request_log VALUES (p_account, p_at, p_request, p_endpoint, p_status, p_code, p_key, p_mode, p_windows, p_micro_usd);
  END IF;

  -- Never waits: whoever holds the key's row notes the same minute.
  UPDATE api_keys SET last_used_at = p_at WHERE key_id = (
    SELECT k.key_id FROM api_keys k
    WHERE k.key_id = p_key AND k.account_id = p_account AND (k.last_used_at IS NULL OR k.last_used_at < p_at - interval '1 minute')
    FOR NO KEY UPDATE SKIP LOCKED);
END
$$;
