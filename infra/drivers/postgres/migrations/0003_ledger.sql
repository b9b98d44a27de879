-- contract: 0.1.0
-- Money: wallets, holds, the ledger and hosting.

-- Cached sums of an account's ledger entries, in micro-dollars. `balance` is what can be spent; `held` is reserved
-- for fits that run.
CREATE TABLE wallets (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  balance bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  CONSTRAINT wallets_balance_not_negative CHECK (balance >= 0),
  CONSTRAINT wallets_held_not_negative CHECK (held >= 0)
);

-- Credit reserved for a fit, at the prices of that moment. A hold is captured or released once. It is deleted 400 days
-- later; its transactions stay.
CREATE TABLE holds (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES wallets,
  model_id text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'captured', 'released')),
  created_at timestamptz NOT NULL,
  resolved_at timestamptz,
  create_fee bigint NOT NULL CHECK (create_fee > 0),
  hosting_month bigint NOT NULL CHECK (hosting_month > 0),
  CONSTRAINT holds_amount_is_its_prices CHECK (amount = (create_fee + hosting_month)),
  CHECK ((state = 'open') = (resolved_at IS NULL))
);
CREATE INDEX holds_open ON holds (account_id) WHERE state = 'open';
CREATE INDEX holds_resolved ON holds (resolved_at) WHERE resolved_at IS NOT NULL;

-- Conditions of a ledger transaction, by its kind. One function instead of seven constraints, because parsing their
-- text took a tenth of the time of a charge. Never NULL, which a CHECK accepts.
CREATE FUNCTION ledger_transaction_is_sound(
  kind text, model_id text, hold_id uuid, period integer, starts_at timestamptz, ends_at timestamptz, windows bigint,
  unit_price bigint)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF kind = 'task_models.predict' THEN
    RETURN coalesce(model_id IS NOT NULL AND windows > 0 AND unit_price > 0 AND period IS NULL, false);
  END IF;
  RETURN coalesce(windows IS NULL AND coalesce(unit_price > 0, true) AND CASE kind
    WHEN 'credit.free' THEN model_id IS NULL AND period IS NULL
    WHEN 'credit.operator' THEN model_id IS NULL AND period IS NULL
    WHEN 'hold.reserve' THEN model_id IS NOT NULL AND hold_id IS NOT NULL AND period IS NULL
    WHEN 'hold.release' THEN model_id IS NOT NULL AND hold_id IS NOT NULL AND period IS NULL
    WHEN 'task_models.create_fee' THEN model_id IS NOT NULL AND period = 0
    WHEN 'task_models.hosting' THEN model_id IS NOT NULL AND period >= 1 AND ends_at = starts_at + interval '720 hours'
    WHEN 'task_models.hosting_refund' THEN model_id IS NOT NULL AND period > 1
    ELSE false END, false);
END
$$;

-- Double-entry ledger in integer micro-dollars. Transactions and entries are added and never changed. Each charge
-- keeps the price of its unit (one window, one create fee, one hosting month), and the free credit its amount.
-- `period`: hosting month, counted from 1 at the fit; 0 for the create fee. `hold_id` has no foreign key, because it
-- outlives its hold. The check of the books compares both. `0004_ledger_months.sql` makes the partitions, and the table
-- of what may exist once.
CREATE TABLE ledger_transactions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES wallets,
  kind text NOT NULL,
  model_id text,
  hold_id uuid,
  period integer,
  starts_at timestamptz,
  ends_at timestamptz,
  windows bigint,
  note text,
  at timestamptz NOT NULL,
  unit_price bigint,
  CONSTRAINT ledger_charges_have_a_unit_price CHECK (
    (kind LIKE 'task_models.%' OR kind = 'credit.free') = (unit_price IS NOT NULL)),
  CONSTRAINT ledger_transactions_sound CHECK (
    ledger_transaction_is_sound(kind, model_id, hold_id, period, starts_at, ends_at, windows, unit_price))
) PARTITION BY RANGE (id);
CREATE INDEX ledger_transactions_account ON ledger_transactions (account_id, at);
CREATE INDEX ledger_transactions_free_credit ON ledger_transactions (account_id) WHERE kind = 'credit.free';
CREATE INDEX ledger_transactions_hold ON ledger_transactions (hold_id) WHERE hold_id IS NOT NULL;
CREATE INDEX ledger_transactions_page ON ledger_transactions (account_id, id DESC);
CREATE INDEX ledger_transactions_period ON ledger_transactions (model_id, kind, period) WHERE period IS NOT NULL;

-- The entries of one transaction sum to zero, and are in the month of their transaction. No foreign keys: they would
-- lock a row for each entry. `ledger_cache_sums` checks once for each statement that entries belong to a transaction of
-- their account.
CREATE TABLE ledger_entries (
  transaction_id bigint,
  account_id uuid NOT NULL,
  ledger_account text CHECK (ledger_account IN (
    'wallet', 'held', 'source.free', 'source.operator', 'revenue.task_models.create_fee', 'revenue.task_models.hosting',
    'revenue.task_models.predict')),
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (transaction_id, ledger_account)
) PARTITION BY RANGE (transaction_id);

-- Charges and windows per UTC day, for caps and GET /v1/usage. Test keys count windows and never money. Kept for 400
-- days; the ledger keeps them longer.
CREATE TABLE spending_days (
  account_id uuid REFERENCES accounts,
  mode text CHECK (mode IN ('live', 'test')),
  day date,
  kind text,
  windows bigint NOT NULL DEFAULT 0,
  micro_usd bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, mode, kind),
  CHECK (mode = 'live' OR micro_usd = 0)
);
CREATE INDEX spending_days_day ON spending_days (day);

-- Hosting months that cost nothing, because the service could not serve the model, or the account was suspended, when
-- they began. With the hosting charges of the ledger they cover the time from the fit without gap or overlap. The first
-- month is always charged, with the create.
CREATE TABLE hosting_waivers (
  model_id text REFERENCES task_models,
  period integer CHECK (period > 1),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  reason text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (model_id, period),
  CHECK (ends_at = (starts_at + interval '720 hours'))
);

-- The hash chain over the ledger. A worker seals transactions once every transaction of Postgres that may have written
-- ids up to `through_id` has ended: a row covers the ids above `after_id` up to `through_id`. `content` hashes the
-- transactions and their entries; `leaves` holds 16 bytes for each transaction, its id and the start of its hash, which
-- name the row that differs; `sums` holds counts and amounts by UTC day and kind, and by ledger account. `hash` covers
-- all columns and the hash of the previous row. `origin` is the server with its timeline: after a restore or a failover
-- it differs, and `branch` goes up by one. `unsound`: rows that broke an invariant when they were sealed.
CREATE TABLE ledger_seals (
  number bigint PRIMARY KEY CHECK (number > 0),
  branch integer NOT NULL CHECK (branch > 0),
  origin text NOT NULL,
  after_id bigint NOT NULL,
  through_id bigint NOT NULL,
  transactions integer NOT NULL CHECK (transactions > 0),
  unsound integer NOT NULL CHECK (unsound >= 0),
  sums jsonb NOT NULL,
  content bytea NOT NULL CHECK (length(content) = 32),
  leaves bytea NOT NULL,
  previous bytea NOT NULL UNIQUE,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  sealed_at timestamptz NOT NULL,
  CHECK (through_id > after_id)
);

-- Parts of the ledger that the daily check has verified and does not read again. A row covers whole seals, of the ids
-- above `after_id` up to `through_id`; `seal_hash` is that of the last. `sums` carries what the check needs: entries by
-- account (wallet, held), and charges by account, UTC day and kind. `hash` covers all columns and the previous row.
CREATE TABLE ledger_closings (
  number bigint PRIMARY KEY CHECK (number > 0),
  after_id bigint NOT NULL,
  through_id bigint NOT NULL,
  seal_hash bytea NOT NULL,
  transactions bigint NOT NULL CHECK (transactions > 0),
  sums jsonb NOT NULL,
  previous bytea NOT NULL UNIQUE,
  hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  closed_at timestamptz NOT NULL,
  CHECK (through_id > after_id)
);

-- Refuses changes of append-only tables.
CREATE FUNCTION ledger_refuse_change()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: the ledger is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation';
END $$;

-- A hold changes once, from open to captured or released.
CREATE FUNCTION hold_resolves_once()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'open' OR (NEW.id, NEW.account_id, NEW.model_id, NEW.amount, NEW.create_fee, NEW.hosting_month)
     IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.model_id, OLD.amount, OLD.create_fee, OLD.hosting_month) THEN
    RAISE EXCEPTION 'hold % is % and cannot change', OLD.id, OLD.state USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- A hold stays for 400 days after it was captured or released.
CREATE FUNCTION hold_is_kept()
RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'open' OR OLD.resolved_at > now() - interval '400 days' THEN
    RAISE EXCEPTION 'hold % is %, resolved %, and is kept for 400 days from then', OLD.id, OLD.state,
      coalesce(OLD.resolved_at::text, 'never') USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;

-- Refuses a transaction without entries (one statement writes both), and a second one of what may exist once. Looks up
-- each transaction: as a join, many at once would read the index of all entries. Runs with the rights of the schema's
-- owner: the service itself may not write the keys.
CREATE FUNCTION ledger_check_transactions()
RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- The ids of the statement. With these bounds a generic plan opens only the partition of the month; a plan for each
  -- statement took as long as the charge.
  v_first bigint;
  v_last bigint;
  v_keys boolean;
  v_empty bigint;
BEGIN
  SELECT min(a.id), max(a.id), bool_or(a.kind <> 'task_models.predict') INTO v_first, v_last, v_keys FROM added a;
  SELECT a.id INTO v_empty FROM added a
    WHERE (SELECT true FROM ledger_entries e
           WHERE e.transaction_id = a.id AND e.transaction_id BETWEEN v_first AND v_last LIMIT 1) IS NULL
    ORDER BY a.id LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: 0 entries', v_empty USING ERRCODE = 'check_violation';
  END IF;
  IF v_keys THEN
    INSERT INTO ledger_once
      SELECT key, a.id
      FROM added a, unnest(ledger_once_keys(a.kind, a.account_id, a.model_id, a.hold_id, a.period)) AS key;
  END IF;
  RETURN NULL;
END $$;

-- Checks that entries belong to a transaction of their account and sum to zero, then adds them to the cached sums.
-- Runs with the rights of the schema's owner: the service itself may not write these sums.
CREATE FUNCTION ledger_cache_sums()
RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- As in `ledger_check_transactions`.
  v_first bigint;
  v_last bigint;
  wrong record;
BEGIN
  SELECT min(a.transaction_id), max(a.transaction_id) INTO v_first, v_last FROM added a;
  SELECT a.transaction_id AS id, count(*) - count(t.id) AS strange INTO wrong
    FROM added a LEFT JOIN ledger_transactions t
      ON t.id = a.transaction_id AND t.account_id = a.account_id AND t.id BETWEEN v_first AND v_last
    GROUP BY a.transaction_id HAVING sum(a.amount) <> 0 OR count(t.id) < count(*) ORDER BY a.transaction_id LIMIT 1;
  IF FOUND AND wrong.strange > 0 THEN
    RAISE EXCEPTION 'ledger transaction %: it is none of the account of its entries', wrong.id
      USING ERRCODE = 'foreign_key_violation';
  ELSIF FOUND THEN
    RAISE EXCEPTION 'ledger transaction %: % instead of 0', wrong.id,
      (SELECT format('%s entries that sum to %s', count(*), sum(e.amount)) FROM ledger_entries e
       WHERE e.transaction_id = wrong.id) USING ERRCODE = 'check_violation';
  END IF;

  UPDATE wallets w SET balance = w.balance + s.wallet, held = w.held + s.held
  FROM (SELECT account_id, coalesce(sum(amount) FILTER (WHERE ledger_account = 'wallet'), 0)::bigint AS wallet,
               coalesce(sum(amount) FILTER (WHERE ledger_account = 'held'), 0)::bigint AS held
        FROM added GROUP BY account_id) s
  WHERE w.account_id = s.account_id;

  INSERT INTO spending_days AS d (account_id, mode, day, kind, windows, micro_usd)
  SELECT t.account_id, 'live', (t.at AT TIME ZONE 'UTC')::date, t.kind, coalesce(sum(t.windows), 0), sum(a.amount)
  FROM added a JOIN ledger_transactions t ON t.id = a.transaction_id AND t.id BETWEEN v_first AND v_last
  WHERE a.ledger_account LIKE 'revenue.%'
  GROUP BY 1, 3, 4
  ON CONFLICT (account_id, day, mode, kind)
    DO UPDATE SET windows = d.windows + excluded.windows, micro_usd = d.micro_usd + excluded.micro_usd;
  RETURN NULL;
END $$;

CREATE TRIGGER hosting_waivers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON hosting_waivers FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_transactions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_transactions_check AFTER INSERT ON ledger_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_check_transactions();
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entries FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_entries_cache AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_cache_sums();
CREATE TRIGGER wallets_kept BEFORE DELETE OR TRUNCATE ON wallets FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER holds_not_truncated BEFORE TRUNCATE ON holds FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER holds_kept BEFORE DELETE ON holds FOR EACH ROW
  EXECUTE FUNCTION hold_is_kept();
CREATE TRIGGER holds_resolve_once BEFORE UPDATE ON holds FOR EACH ROW
  EXECUTE FUNCTION hold_resolves_once();
CREATE TRIGGER ledger_closings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_closings FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_seals FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_refuse_change();
