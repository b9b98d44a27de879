-- contract: 0.1.0
-- Charges of predictions.

-- Charges predictions of several accounts, each account independently, in the order given and those of one account one
-- after another. It locks wallet, model and key, posts to the ledger, counts and logs the request, stores the answer
-- under the key and, if `p_free`, ends the lease. `outcomes`, in the same order: 'charged', or why nothing was done:
-- - 'busy': another transaction has locked wallet, model or key; send it again with `p_waits`
-- - 'ended': the model is no longer active
-- - 'due': a hosting month must be paid first
-- - 'refused': credit or a cap
-- - 'lost': the request no longer has its key
-- - 'full': the account has no room for the answer
-- `freed`: the leases that ended. With `p_waits`, which is for one account only, it waits for the locked rows, in the
-- order of all transactions: models, wallet, keys. Without, it waits only for the counters of a day, which others lock
-- only together with the wallet or for one request. So no account waits for another, and there is no deadlock.
-- `p_keys`, `p_hashes`, `p_sizes` and `p_refs` are null for a request without a key. `p_sizes` are the bytes of the
-- answers. `p_bodies` contains the answers without an object in `p_refs`, in UTF-8, one after another.
CREATE FUNCTION charge_predictions(
  p_waits boolean, p_mode text, p_endpoint text, p_price bigint, p_accounts uuid[], p_models text[], p_windows bigint[],
  p_at timestamptz[], p_requests text[], p_api_keys text[], p_leases uuid[], p_free boolean[],
  p_keys text[], p_hashes text[], p_sizes integer[], p_refs text[], p_bodies bytea,
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
  v_test_windows bigint;
  -- Stored answers of the account and their bytes; null: not read yet.
  v_answers bigint;
  v_bytes bigint;
  -- Where the answer begins in `p_bodies`.
  v_from integer := 1;
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
               coalesce(a.daily_cap_micro_usd, a.monthly_cap_micro_usd, a.daily_windows, a.monthly_windows) AS cap,
               CASE p_mode WHEN 'test' THEN a.daily_test_windows END AS test_windows,
               a.stored_answers, a.stored_answer_bytes
          INTO w FROM wallets b JOIN accounts a ON a.id = b.account_id WHERE b.account_id = v_account
          FOR NO KEY UPDATE OF b SKIP LOCKED;
        v_left := w.balance;
        v_answers := NULL;
        v_day := (p_at[i] AT TIME ZONE 'UTC')::date;
        IF w.test_windows IS NOT NULL THEN
          v_test_windows := test_windows(v_account, p_at[i]);
        END IF;
        IF w.cap IS NOT NULL THEN
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
    IF i > 1 AND p_refs[i-1] IS NULL THEN
      v_from := v_from + coalesce(p_sizes[i-1], 0);
    END IF;
    CONTINUE WHEN outcomes[i] <> 'charged';
    IF w.test_windows IS NOT NULL
      AND ((p_at[i] AT TIME ZONE 'UTC')::date <> v_day OR v_test_windows + p_windows[i] > w.test_windows) THEN
      outcomes[i] := 'refused';
      CONTINUE;
    END IF;
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
      IF v_answers IS NULL THEN
        SELECT coalesce(sum(s.answers), 0), coalesce(sum(s.bytes), 0) INTO v_answers, v_bytes
          FROM stored_answer_days s WHERE s.account_id = v_account;
      END IF;
      IF (v_answers + 1 > w.stored_answers OR v_bytes + p_sizes[i] > w.stored_answer_bytes) IS TRUE THEN
        outcomes[i] := 'full';
        CONTINUE;
      END IF;
      v_answers := v_answers + 1;
      v_bytes := v_bytes + p_sizes[i];
      UPDATE idempotency_keys k
        SET state = 'done', request_hash = p_hashes[i], response_status = 200, locked_until = NULL, model_id = v_model,
            response_ref = p_refs[i], response_bytes = p_sizes[i],
            response_body = CASE WHEN p_refs[i] IS NULL
              THEN convert_from(substring(p_bodies FROM v_from FOR p_sizes[i]), 'UTF8') END
        WHERE k.account_id = v_account AND k.mode = p_mode AND k.key = p_keys[i];
    END IF;
    v_paid := v_paid || i;
    v_test_windows := v_test_windows + p_windows[i];
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

  INSERT INTO usage_days AS u (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd)
    SELECT p_accounts[i.n], p_api_keys[i.n], p_mode, (p_at[i.n] AT TIME ZONE 'UTC')::date, p_endpoint, 200, 'ok',
           count(*), sum(p_windows[i.n]), sum(p_windows[i.n]) * v_price
    FROM (SELECT unnest(v_paid) AS n) AS i GROUP BY 1, 2, 4
    ON CONFLICT (account_id, day, mode, key_id, endpoint, status, code) DO UPDATE
      SET requests = u.requests + excluded.requests, windows = u.windows + excluded.windows,
          micro_usd = u.micro_usd + excluded.micro_usd;

  INSERT INTO request_log (account_id, at, request_id, endpoint, status, code, key_id, mode, windows, micro_usd)
    SELECT p_accounts[i.n], p_at[i.n], p_requests[i.n], p_endpoint, 200, 'ok', p_api_keys[i.n], p_mode,
           p_windows[i.n], p_windows[i.n] * v_price
    FROM (SELECT unnest(v_paid) AS n) AS i;

  -- To the minute. Skips locked rows: the transaction that locks one writes the same minute.
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
