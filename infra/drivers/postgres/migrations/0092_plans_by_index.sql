-- expand
-- What every request does is planned for tables that grow: a plan that was made and kept while a table had few rows
-- would read all of it, again and again, until its next statistics.
ALTER FUNCTION admit_request(text, bytea, bytea, inet, text[], text, text, uuid, integer, boolean)
  SET enable_seqscan = off;
ALTER FUNCTION admit_session(bytea, integer, text, text, text, uuid, integer, boolean, text) SET enable_seqscan = off;
ALTER FUNCTION count_usage(uuid, text, text, text, integer, text, bigint, bigint, text, timestamptz)
  SET enable_seqscan = off;
ALTER FUNCTION charge_predictions_together(
  text, text, bigint, boolean, uuid[], text[], bigint[], timestamptz[], text[], text[], uuid[], boolean[],
  text[], text[], integer[], bytea) SET enable_seqscan = off;
ALTER FUNCTION ledger_transactions_balance() SET enable_seqscan = off;
ALTER FUNCTION ledger_cache_sums() SET enable_seqscan = off;

-- What a transaction of the books must be, in one constraint for the seven of before: to read their text anew for each
-- statement was a tenth of a charge. Null where one of them was, which lets the row pass, as there.
CREATE FUNCTION ledger_transaction_is_sound(
  kind text, model_id text, hold_id uuid, period integer, starts_at timestamptz, ends_at timestamptz, windows bigint,
  unit_price bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF kind = 'task_models.predict' THEN
    RETURN model_id IS NOT NULL AND windows IS NOT NULL AND windows > 0 AND unit_price > 0 AND period IS NULL;
  END IF;
  RETURN windows IS NULL AND unit_price > 0 AND CASE kind
    WHEN 'credit.free' THEN model_id IS NULL AND period IS NULL
    WHEN 'credit.operator' THEN model_id IS NULL AND period IS NULL
    WHEN 'hold.reserve' THEN model_id IS NOT NULL AND hold_id IS NOT NULL AND period IS NULL
    WHEN 'hold.release' THEN model_id IS NOT NULL AND hold_id IS NOT NULL AND period IS NULL
    WHEN 'task_models.create_fee' THEN model_id IS NOT NULL AND period = 0
    WHEN 'task_models.hosting' THEN model_id IS NOT NULL AND period >= 1 AND ends_at = starts_at + interval '720 hours'
    WHEN 'task_models.hosting_refund' THEN model_id IS NOT NULL AND period > 1
    ELSE false END;
END
$$;
ALTER TABLE ledger_transactions
  ADD CONSTRAINT ledger_transactions_sound CHECK (
    ledger_transaction_is_sound(kind, model_id, hold_id, period, starts_at, ends_at, windows, unit_price)) NOT VALID,
  DROP CONSTRAINT ledger_transactions_check, DROP CONSTRAINT ledger_transactions_check1,
  DROP CONSTRAINT ledger_transactions_check2, DROP CONSTRAINT ledger_transactions_kind_check,
  DROP CONSTRAINT ledger_transactions_period_check, DROP CONSTRAINT ledger_transactions_unit_price_check,
  DROP CONSTRAINT ledger_transactions_windows_check;
