-- Double-entry ledger in integer micro-dollars. Entries are added and never changed; those of one transaction sum to zero.
-- Cached sums (wallets, spending_days) are written by triggers from the entries alone.
CREATE TABLE wallets (
  account_id uuid PRIMARY KEY REFERENCES accounts (id),
  balance    bigint NOT NULL DEFAULT 0 CONSTRAINT wallets_balance_not_negative CHECK (balance >= 0),
  held       bigint NOT NULL DEFAULT 0 CONSTRAINT wallets_held_not_negative CHECK (held >= 0)
);

CREATE TABLE holds (
  id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id  uuid NOT NULL REFERENCES wallets (account_id),
  model_id    text NOT NULL,
  amount      bigint NOT NULL CHECK (amount > 0),
  state       text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'captured', 'released')),
  created_at  timestamptz NOT NULL,
  resolved_at timestamptz,
  CHECK ((state = 'open') = (resolved_at IS NULL))
);
CREATE INDEX holds_open ON holds (account_id) WHERE state = 'open';

CREATE TABLE ledger_transactions (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES wallets (account_id),
  kind       text NOT NULL CHECK (kind IN ('credit.free', 'credit.operator', 'hold.reserve', 'hold.release',
                                           'task_models.create_fee', 'task_models.hosting', 'task_models.predict')),
  model_id   text,
  hold_id    uuid REFERENCES holds (id),
  -- Hosting month, counted from 1 at the fit; 0 for the create fee.
  period     integer,
  starts_at  timestamptz,
  ends_at    timestamptz,
  windows    bigint CHECK (windows > 0),
  note       text,
  at         timestamptz NOT NULL,
  CHECK ((kind LIKE 'task_models.%' OR kind LIKE 'hold.%') = (model_id IS NOT NULL)),
  CHECK (kind NOT LIKE 'hold.%' OR hold_id IS NOT NULL),
  CHECK ((kind = 'task_models.predict') = (windows IS NOT NULL)),
  CHECK (CASE kind WHEN 'task_models.create_fee' THEN period = 0
                   WHEN 'task_models.hosting' THEN period >= 1 AND ends_at = starts_at + interval '720 hours'
                   ELSE period IS NULL END)
);
-- One create fee per model and one charge per hosting month; a hold is reserved once and then captured or released, never both.
CREATE UNIQUE INDEX ledger_once_per_period ON ledger_transactions (model_id, kind, period) WHERE period IS NOT NULL;
CREATE UNIQUE INDEX ledger_hold_resolved_once ON ledger_transactions (hold_id) WHERE kind IN ('hold.release', 'task_models.create_fee');
CREATE UNIQUE INDEX ledger_hold_reserved_once ON ledger_transactions (hold_id) WHERE kind = 'hold.reserve';
CREATE UNIQUE INDEX ledger_free_credit_once ON ledger_transactions (account_id) WHERE kind = 'credit.free';
CREATE INDEX ledger_transactions_account ON ledger_transactions (account_id, at);

CREATE TABLE ledger_entries (
  transaction_id bigint NOT NULL REFERENCES ledger_transactions (id),
  account_id     uuid NOT NULL REFERENCES wallets (account_id),
  ledger_account text NOT NULL CHECK (ledger_account IN ('wallet', 'held', 'source.free', 'source.operator',
                   'revenue.task_models.create_fee', 'revenue.task_models.hosting', 'revenue.task_models.predict')),
  amount         bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (transaction_id, ledger_account)
);
CREATE INDEX ledger_entries_account ON ledger_entries (account_id, ledger_account);

-- Charges and windows per UTC day: what caps and GET /v1/usage read. Test keys count windows and never money.
CREATE TABLE spending_days (
  account_id uuid NOT NULL REFERENCES accounts (id),
  mode       text NOT NULL CHECK (mode IN ('live', 'test')),
  day        date NOT NULL,
  kind       text NOT NULL,
  windows    bigint NOT NULL DEFAULT 0,
  micro_usd  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, mode, kind),
  CHECK (mode = 'live' OR micro_usd = 0)
);

CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER holds_kept BEFORE DELETE OR TRUNCATE ON holds FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER wallets_kept BEFORE DELETE OR TRUNCATE ON wallets FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

CREATE FUNCTION hold_resolves_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'open' OR (NEW.id, NEW.account_id, NEW.model_id, NEW.amount) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.model_id, OLD.amount) THEN
    RAISE EXCEPTION 'hold % is % and cannot change', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER holds_resolve_once BEFORE UPDATE ON holds FOR EACH ROW EXECUTE FUNCTION hold_resolves_once();

CREATE FUNCTION ledger_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added_to   bigint := (to_jsonb(NEW) ->> TG_ARGV[0])::bigint;
  difference bigint;
  entries    integer;
BEGIN
  SELECT coalesce(sum(amount), 0), count(*) INTO difference, entries FROM ledger_entries WHERE transaction_id = added_to;
  IF difference <> 0 OR entries < 2 THEN
    RAISE EXCEPTION 'ledger transaction %: % entries that sum to % instead of 0', added_to, entries, difference USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_transaction_balances AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balances('id');
CREATE CONSTRAINT TRIGGER ledger_entry_balances AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balances('transaction_id');

-- Runs with the rights of the schema's owner: the service itself may not write the cached sums.
CREATE FUNCTION ledger_cache_sums() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE wallets w SET balance = w.balance + s.wallet, held = w.held + s.held
  FROM (SELECT account_id, coalesce(sum(amount) FILTER (WHERE ledger_account = 'wallet'), 0)::bigint AS wallet,
               coalesce(sum(amount) FILTER (WHERE ledger_account = 'held'), 0)::bigint AS held
        FROM added GROUP BY account_id) s
  WHERE w.account_id = s.account_id;

  INSERT INTO spending_days AS d (account_id, mode, day, kind, windows, micro_usd)
  SELECT t.account_id, 'live', (t.at AT TIME ZONE 'UTC')::date, t.kind, coalesce(sum(t.windows), 0), sum(a.amount)
  FROM added a JOIN ledger_transactions t ON t.id = a.transaction_id
  WHERE a.ledger_account LIKE 'revenue.%'
  GROUP BY 1, 3, 4
  ON CONFLICT (account_id, day, mode, kind)
    DO UPDATE SET windows = d.windows + excluded.windows, micro_usd = d.micro_usd + excluded.micro_usd;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entries_cache AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_cache_sums();
