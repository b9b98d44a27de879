-- Predictions of one wallet that wait on each other are charged together, each for itself, in one round trip.

-- No transaction of the books is unbalanced or without entries: looked at once for each statement instead of at the
-- commit once for each row. A transaction is therefore written with its entries, in one statement.
CREATE FUNCTION ledger_transactions_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong record;
BEGIN
  SELECT a.id, s.entries, s.difference INTO wrong
    FROM added AS a
    CROSS JOIN LATERAL (SELECT count(*) AS entries, coalesce(sum(e.amount), 0) AS difference
                        FROM ledger_entries e WHERE e.transaction_id = a.id) AS s
    WHERE s.entries < 2 OR s.difference <> 0 ORDER BY a.id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: % entries that sum to % instead of 0',
      wrong.id, wrong.entries, wrong.difference USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION ledger_entries_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong record;
BEGIN
  SELECT a.id, s.entries, s.difference INTO wrong
    FROM (SELECT DISTINCT n.transaction_id AS id FROM added n) AS a
    CROSS JOIN LATERAL (SELECT count(*) AS entries, coalesce(sum(e.amount), 0) AS difference
                        FROM ledger_entries e WHERE e.transaction_id = a.id) AS s
    WHERE s.entries < 2 OR s.difference <> 0 ORDER BY a.id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: % entries that sum to % instead of 0',
      wrong.id, wrong.entries, wrong.difference USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

LOCK TABLE ledger_transactions, ledger_entries IN ACCESS EXCLUSIVE MODE;
DROP TRIGGER ledger_transaction_balances ON ledger_transactions;
DROP TRIGGER ledger_entry_balances ON ledger_entries;
DROP FUNCTION ledger_balances();
CREATE TRIGGER ledger_transactions_balance AFTER INSERT ON ledger_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_transactions_balance();
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_entries_balance();

-- Charges predictions of one account and mode, each for itself, in the order given: locks its model, the wallet and its
-- key, posts to the books, counts and logs the request, stores the answer under the key and, where `p_free`, ends the
-- lease. `outcomes`, in the same order: 'charged', or why nothing was done for that one: 'ended' (the model is active
-- no longer, or somebody changes it just now), 'due' (a hosting month comes first), 'refused' (credit or a cap), 'lost'
-- (the request does not hold its key, or somebody looks at it just now). For those the caller does all of it in a
-- transaction of its own, which waits and finds the words. `freed`: leases that have ended.
-- Models are locked before the wallet, as everywhere; the wallet alone is waited for: what others hold of models, keys
-- and leases would keep all of the account waiting. `p_keys` and `p_hashes` are null for a request without a key; the bodies stand
-- in `p_bodies` one after another, in UTF-8, `p_sizes` bytes each.
CREATE FUNCTION charge_predictions(
  p_account uuid, p_mode text, p_endpoint text, p_price bigint, p_models text[], p_windows bigint[], p_at timestamptz[],
  p_requests text[], p_api_keys text[], p_leases uuid[], p_free boolean[],
  p_keys text[], p_hashes text[], p_sizes integer[], p_bodies bytea,
  OUT outcomes text[], OUT freed uuid[])
LANGUAGE plpgsql AS $$
DECLARE
  w record;
  v_day date := (p_at[1] AT TIME ZONE 'UTC')::date;
  v_capped boolean;
  v_day_usd bigint;
  v_month_usd bigint;
  v_day_windows bigint;
  v_month_windows bigint;
  v_amount bigint;
  v_spent bigint := 0;
  v_windows bigint := 0;
  v_held uuid[];
BEGIN
  SELECT array_agg(
      CASE WHEN m.id IS NULL THEN 'ended' WHEN m.due_at <= i.at THEN 'due' ELSE 'charged' END ORDER BY i.n)
    INTO outcomes
    FROM unnest(p_models, p_at) WITH ORDINALITY AS i (model, at, n)
    LEFT JOIN (
      SELECT t.id, CASE WHEN t.mode = 'live' THEN CASE
               WHEN t.unpaid_since IS NOT NULL THEN '-infinity'
               WHEN t.retry_at IS NOT NULL THEN t.retry_at
               WHEN t.expires_at IS NULL OR t.expires_at > t.paid_through THEN t.paid_through END END AS due_at
      FROM task_models t
      WHERE t.id = ANY (p_models) AND t.account_id = p_account AND t.mode = p_mode AND t.status = 'active'
      ORDER BY t.id FOR SHARE SKIP LOCKED) AS m ON m.id = i.model;

  SELECT b.balance, b.held, a.daily_cap_micro_usd AS day_cap, a.monthly_cap_micro_usd AS month_cap,
         a.daily_windows AS day_windows, a.monthly_windows AS month_windows INTO STRICT w
    FROM wallets b JOIN accounts a ON a.id = b.account_id WHERE b.account_id = p_account FOR NO KEY UPDATE OF b;
  v_capped := coalesce(w.day_cap, w.month_cap, w.day_windows, w.month_windows) IS NOT NULL;
  IF v_capped THEN
    SELECT coalesce(sum(d.micro_usd) FILTER (WHERE d.day = v_day AND d.mode = 'live'), 0),
           coalesce(sum(d.micro_usd) FILTER (WHERE d.mode = 'live'), 0),
           coalesce(sum(d.windows) FILTER (WHERE d.day = v_day), 0), coalesce(sum(d.windows), 0)
      INTO v_day_usd, v_month_usd, v_day_windows, v_month_windows
      FROM spending_days d
      WHERE d.account_id = p_account AND d.day >= date_trunc('month', v_day)::date
        AND d.day < (date_trunc('month', v_day) + interval '1 month')::date;
  END IF;

  IF EXISTS (SELECT FROM unnest(p_keys) AS k WHERE k IS NOT NULL) THEN
    SELECT array_agg(l.lock_id) INTO v_held FROM (
      SELECT k.lock_id FROM idempotency_keys k
      WHERE k.account_id = p_account AND k.mode = p_mode AND k.key = ANY (p_keys) AND k.state = 'running'
        AND EXISTS (SELECT FROM unnest(p_keys, p_leases) AS i (key, lease) WHERE i.key = k.key AND i.lease = k.lock_id)
      FOR UPDATE SKIP LOCKED) AS l;
  END IF;

  FOR i IN 1 .. cardinality(p_models) LOOP
    CONTINUE WHEN outcomes[i] <> 'charged';
    v_amount := CASE p_mode WHEN 'live' THEN p_price * p_windows[i] ELSE 0 END;
    IF p_keys[i] IS NOT NULL AND (v_held IS NULL OR p_leases[i] <> ALL (v_held)) THEN
      outcomes[i] := 'lost';
    ELSIF w.balance < v_spent + v_amount OR (v_capped AND (
         (p_at[i] AT TIME ZONE 'UTC')::date <> v_day
      OR v_day_windows + v_windows + p_windows[i] > w.day_windows
      OR v_month_windows + v_windows + p_windows[i] > w.month_windows
      OR (p_mode = 'live' AND (v_day_usd + w.held + v_spent + v_amount > w.day_cap
                            OR v_month_usd + w.held + v_spent + v_amount > w.month_cap)))) IS TRUE THEN
      outcomes[i] := 'refused';
    ELSE
      v_spent := v_spent + v_amount;
      v_windows := v_windows + p_windows[i];
    END IF;
  END LOOP;
  IF v_windows = 0 THEN
    RETURN;
  END IF;

  IF p_mode = 'live' THEN
    WITH posted AS (
      INSERT INTO ledger_transactions AS t (account_id, kind, model_id, windows, unit_price, at)
      SELECT p_account, 'task_models.predict', i.model, i.windows, p_price, i.at
      FROM unnest(p_models, p_windows, p_at, outcomes) AS i (model, windows, at, outcome) WHERE i.outcome = 'charged'
      RETURNING t.id, t.windows)
    INSERT INTO ledger_entries (transaction_id, account_id, ledger_account, amount)
      SELECT p.id, p_account, e.account, e.sign * p.windows * p_price
      FROM posted p, (VALUES ('wallet', -1), ('revenue.task_models.predict', 1)) AS e (account, sign);
  ELSE
    INSERT INTO spending_days AS d (account_id, mode, day, kind, windows)
      SELECT p_account, 'test', (i.at AT TIME ZONE 'UTC')::date, 'task_models.predict', sum(i.windows)
      FROM unnest(p_windows, p_at, outcomes) AS i (windows, at, outcome) WHERE i.outcome = 'charged' GROUP BY 3
      ON CONFLICT (account_id, day, mode, kind) DO UPDATE SET windows = d.windows + excluded.windows;
  END IF;

  INSERT INTO usage_days AS u (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd,
                               last_at, last_request_id)
    SELECT p_account, i.api_key, p_mode, (i.at AT TIME ZONE 'UTC')::date, p_endpoint, 200, 'ok', count(*),
           sum(i.windows), CASE p_mode WHEN 'live' THEN sum(i.windows) * p_price ELSE 0 END, max(i.at),
           (array_agg(i.request ORDER BY i.at DESC))[1]
    FROM unnest(p_windows, p_at, p_requests, p_api_keys, outcomes) AS i (windows, at, request, api_key, outcome)
    WHERE i.outcome = 'charged' GROUP BY i.api_key, 4 ORDER BY i.api_key, 4
    ON CONFLICT (account_id, day, mode, key_id, endpoint, status, code) DO UPDATE
      SET requests = u.requests + excluded.requests, windows = u.windows + excluded.windows,
          micro_usd = u.micro_usd + excluded.micro_usd, last_at = excluded.last_at,
          last_request_id = excluded.last_request_id;

  INSERT INTO request_log (account_id, at, request_id, endpoint, status, code, key_id, mode, windows, micro_usd)
    SELECT p_account, i.at, i.request, p_endpoint, 200, 'ok', i.api_key, p_mode, i.windows,
           CASE p_mode WHEN 'live' THEN i.windows * p_price ELSE 0 END
    FROM unnest(p_windows, p_at, p_requests, p_api_keys, outcomes) AS i (windows, at, request, api_key, outcome)
    WHERE i.outcome = 'charged';

  -- To the minute, and never waits: whoever holds the key's row notes the same minute.
  IF EXISTS (SELECT FROM api_keys k WHERE k.key_id = ANY (p_api_keys) AND k.account_id = p_account
               AND (k.last_used_at IS NULL OR k.last_used_at < p_at[1] - interval '1 minute')) THEN
    UPDATE api_keys SET last_used_at = p_at[1] WHERE key_id = ANY (ARRAY(
      SELECT k.key_id FROM api_keys k
      WHERE k.account_id = p_account AND (k.last_used_at IS NULL OR k.last_used_at < p_at[1] - interval '1 minute')
        AND k.key_id = ANY (ARRAY(
          SELECT i.api_key FROM unnest(p_api_keys, outcomes) AS i (api_key, outcome) WHERE i.outcome = 'charged'))
      FOR NO KEY UPDATE SKIP LOCKED));
  END IF;

  IF v_held IS NOT NULL THEN
    UPDATE idempotency_keys k
      SET state = 'done', request_hash = i.hash, response_status = 200, lock_id = NULL, locked_until = NULL,
          response_body = convert_from(substring(p_bodies FROM i.first FOR i.size), 'UTF8')
      FROM (SELECT s.key, s.lease, s.hash, s.outcome, s.size, (1 + sum(s.size) OVER (ORDER BY s.n) - s.size)::integer AS first
            FROM unnest(p_keys, p_leases, p_hashes, outcomes, p_sizes) WITH ORDINALITY AS s (key, lease, hash, outcome, size, n)) AS i
      WHERE k.account_id = p_account AND k.mode = p_mode AND k.key = i.key AND k.lock_id = i.lease
        AND k.lock_id = ANY (v_held) AND i.outcome = 'charged';
  END IF;

  WITH ended AS (
    DELETE FROM request_leases WHERE id = ANY (ARRAY(
      SELECT l.id FROM request_leases l
      WHERE l.id = ANY (ARRAY(
        SELECT i.lease FROM unnest(p_leases, p_free, outcomes) AS i (lease, free, outcome)
        WHERE i.free AND i.outcome = 'charged'))
      FOR UPDATE SKIP LOCKED))
    RETURNING id)
  SELECT array_agg(e.id) INTO freed FROM ended e;
END
$$;
