-- A hosting month that was charged while the DELETE, or the expiry, that comes before it was on its way is given back: one more balanced
-- transaction, once for each month. It names the month and the price that was paid.
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_kind_check, DROP CONSTRAINT ledger_transactions_check3;
ALTER TABLE ledger_transactions
  ADD CONSTRAINT ledger_transactions_kind_check CHECK (kind IN ('credit.free', 'credit.operator', 'hold.reserve', 'hold.release',
    'task_models.create_fee', 'task_models.hosting', 'task_models.hosting_refund', 'task_models.predict')),
  ADD CONSTRAINT ledger_transactions_period_check CHECK (CASE kind WHEN 'task_models.create_fee' THEN period = 0
    WHEN 'task_models.hosting' THEN period >= 1 AND ends_at = starts_at + interval '720 hours'
    WHEN 'task_models.hosting_refund' THEN period > 1
    ELSE period IS NULL END);
