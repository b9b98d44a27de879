-- Each charge keeps the price of its unit (one window, one create fee, one hosting month), the free credit its amount, and each hold the
-- prices it was reserved at: a change of prices alters neither what was charged nor a fit that runs. Micro-dollars.
ALTER TABLE ledger_transactions ADD COLUMN unit_price bigint CHECK (unit_price > 0);

ALTER TABLE ledger_transactions DISABLE TRIGGER ledger_transactions_append_only;
UPDATE ledger_transactions t SET unit_price = e.amount / coalesce(t.windows, 1)
FROM ledger_entries e
WHERE e.transaction_id = t.id AND e.amount > 0 AND (t.kind LIKE 'task_models.%' OR t.kind = 'credit.free');
ALTER TABLE ledger_transactions ENABLE TRIGGER ledger_transactions_append_only;

ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_charges_have_a_unit_price
  CHECK ((kind LIKE 'task_models.%' OR kind = 'credit.free') = (unit_price IS NOT NULL));

ALTER TABLE holds ADD COLUMN create_fee bigint CHECK (create_fee > 0), ADD COLUMN hosting_month bigint CHECK (hosting_month > 0);

-- Every earlier hold was reserved at one dollar for the create and the rest for the first month.
ALTER TABLE holds DISABLE TRIGGER holds_resolve_once;
UPDATE holds SET create_fee = 1000000, hosting_month = amount - 1000000;
ALTER TABLE holds ENABLE TRIGGER holds_resolve_once;

ALTER TABLE holds ALTER COLUMN create_fee SET NOT NULL, ALTER COLUMN hosting_month SET NOT NULL;
ALTER TABLE holds ADD CONSTRAINT holds_amount_is_its_prices CHECK (amount = create_fee + hosting_month);

CREATE OR REPLACE FUNCTION hold_resolves_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'open' OR (NEW.id, NEW.account_id, NEW.model_id, NEW.amount, NEW.create_fee, NEW.hosting_month)
     IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.model_id, OLD.amount, OLD.create_fee, OLD.hosting_month) THEN
    RAISE EXCEPTION 'hold % is % and cannot change', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
