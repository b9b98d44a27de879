-- contract: 0.1.0
-- The months of the ledger. `ledger_transactions` and `ledger_entries` are partitioned by the UTC month of posting. The
-- key is the id, and the first six digits of an id are its month: 2026050000000000 is the first id of May 2026.
-- `keep_ledger_months` makes the months in advance and moves the sequence to each month when it begins. Reasons for the
-- id instead of `at`:
-- - Seals, closings and exports of the history select by id, so that each of these statements reads only its own
--   months.
-- - A refund has the date of its charge. By date it would change a month that has ended. By id a past month never
--   changes.
-- - The sequence enters only a month that has partitions, so that a posting never lacks one.

-- Months that have partitions of both tables. A month is added together with its partitions and never removed, so that
-- the check of the books finds a partition that is gone.
CREATE TABLE ledger_months (
  month date PRIMARY KEY CHECK (extract(day FROM month) = 1)
);

CREATE TRIGGER ledger_months_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_months FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_refuse_change();

-- Keys that may occur once in the whole ledger: an index of a partitioned table is unique only within a partition. Each
-- transaction adds its keys in the statement that posts it; predictions have none.
CREATE TABLE ledger_once (
  key text PRIMARY KEY,
  transaction_id bigint NOT NULL
);

-- Keys of a transaction in `ledger_once`: the free credit of an account, the reservation and the end of a hold, and the
-- create fee or hosting month of a model.
CREATE FUNCTION ledger_once_keys(kind text, account_id uuid, model_id text, hold_id uuid, period integer)
RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_remove(ARRAY[
    CASE WHEN kind = 'credit.free' THEN 'free credit of ' || account_id END,
    CASE WHEN kind = 'hold.reserve' THEN 'reservation of hold ' || hold_id
         WHEN kind IN ('hold.release', 'task_models.create_fee') THEN 'end of hold ' || hold_id END,
    CASE WHEN period IS NOT NULL THEN kind || ' ' || period || ' of ' || model_id END], NULL)
$$;

CREATE TRIGGER ledger_once_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_once FOR EACH STATEMENT
  EXECUTE FUNCTION ledger_refuse_change();

-- Adds a partition to both tables, for ids from `p_from` up to `p_to`. Attaching it waits for no statement that reads
-- or posts, except for a moment on `wallets`, to which the foreign key refers. Triggers of a statement run for the
-- table that the statement names, so each partition refuses all statements that name it; the service also has no rights
-- on it.
CREATE FUNCTION add_ledger_partitions(p_suffix text, p_from text, p_to text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_table text;
  v_name text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['ledger_transactions', 'ledger_entries'] LOOP
    v_name := v_table || '_' || p_suffix;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING IDENTITY)', v_name, v_table);
    EXECUTE format('CREATE TRIGGER ledger_partition_closed BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON %I '
      'FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change()', v_name);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', v_table, v_name, p_from, p_to);
  END LOOP;
END
$$;

-- The first id of a month.
CREATE FUNCTION ledger_month_starts(p_month date)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(year FROM p_month) * 100 + extract(month FROM p_month))::bigint * 10000000000
$$;

-- The newest month that begins at or below an id: a December that draws more than 10^10 ids continues with 202613….
-- NULL for an id below or above all months.
CREATE FUNCTION ledger_month_of(p_id bigint)
RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_id BETWEEN 1000000000000 AND 9999999999999999 THEN
    (make_date((p_id / 1000000000000)::integer, 1, 1)
      + make_interval(months => least(p_id / 10000000000 % 100, 12)::integer - 1))::date END
$$;

-- Makes the partitions of the UTC month of `p_at` and the next two, and of three months from that of the next id, which
-- is a later one if a clock was wrong or a month drew more than 10^10 ids. Then it moves the sequence into the month of
-- `p_at`, but only if an earlier call made that month: the move takes effect at once, and the partitions when they are
-- committed. Returns the number of months that it made. It waits at most 300 ms for a lock, then returns 0; the next
-- sweep tries again, and until then postings stay in the month before. Does nothing before 2020 and from 9000 on.
CREATE FUNCTION keep_ledger_months(p_at timestamptz)
RETURNS integer LANGUAGE plpgsql SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_this date;
  v_was_made boolean;
  v_last_id bigint;
  v_month date;
  v_made integer := 0;
BEGIN
  IF (p_at >= '2020-01-01T00:00:00Z' AND p_at < '9000-01-01T00:00:00Z') IS NOT TRUE THEN
    RETURN 0;
  END IF;
  v_this := date_trunc('month', p_at AT TIME ZONE 'UTC')::date;
  -- One process at a time: the sequence must never move back.
  LOCK TABLE ledger_months IN SHARE ROW EXCLUSIVE MODE;
  v_was_made := EXISTS (SELECT FROM ledger_months m WHERE m.month = v_this);
  SELECT s.last_value INTO v_last_id FROM ledger_transactions_id_seq s;
  FOR v_month IN
    SELECT DISTINCT (f.month + make_interval(months => n))::date AS month
    FROM (VALUES (v_this), (ledger_month_of(v_last_id + 1))) AS f (month), generate_series(0, 2) AS n
    WHERE f.month BETWEEN '2020-01-01' AND '9000-01-01' ORDER BY 1
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM ledger_months m WHERE m.month = v_month);
    PERFORM add_ledger_partitions(to_char(v_month, 'YYYYMM'), ledger_month_starts(v_month)::text,
      ledger_month_starts((v_month + interval '1 month')::date)::text);
    INSERT INTO ledger_months VALUES (v_month);
    v_made := v_made + 1;
  END LOOP;
  IF v_was_made AND v_last_id < ledger_month_starts(v_this) - 1 THEN
    PERFORM setval('ledger_transactions_id_seq', ledger_month_starts(v_this) - 1);
  END IF;
  RETURN v_made;
EXCEPTION
  WHEN lock_not_available THEN RETURN 0;
END
$$;

-- The same by the clock of the database, with the rights of the owner, for the service.
CREATE FUNCTION keep_ledger_months()
RETURNS integer LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT keep_ledger_months(clock_timestamp())
$$;

-- Takes the ids from 1, which are drawn until the first sweep.
SELECT add_ledger_partitions('first', 'MINVALUE', ledger_month_starts('2020-01-01')::text);
