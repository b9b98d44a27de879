/**
 * Serialization of a transaction; different values give different bytes. Aliases: `t`, `e`. Predictions, which are
 * nearly all transactions, have a short form that takes half the time of Postgres's binary form of a row.
 */
const transaction = `CASE
  WHEN num_nulls(t.model_id, t.windows, t.unit_price) = 0
    AND num_nonnulls(t.hold_id, t.period, t.starts_at, t.ends_at, t.note) = 0
  THEN '\\x01'::bytea || int8send(t.id) || uuid_send(t.account_id) || timestamptz_send(t.at) || int8send(t.windows)
    || int8send(t.unit_price) || textsend(t.kind) || '\\x00'::bytea || textsend(t.model_id)
  ELSE '\\x00'::bytea || record_send(ROW(t.id, t.account_id, t.kind, t.model_id, t.hold_id, t.period, t.starts_at,
    t.ends_at, t.windows, t.note, t.at, t.unit_price)) END`;
const entry = `int8send(e.transaction_id) || uuid_send(e.account_id) || int8send(e.amount)
  || textsend(e.ledger_account) || '\\x00'::bytea`;
/**
 * Order of the entries, the same as of the primary key. The two accounts of a transaction begin with different letters,
 * so that all collations agree.
 */
const entryOrder = 'e.transaction_id, e.ledger_account';

/** Rows with an id above `after`, up to `through`. */
interface Range {
  readonly after: string;
  readonly through: string;
}

const transactionsOf = ({ after, through }: Range): string =>
  `ledger_transactions t WHERE t.id > ${after} AND t.id <= ${through}`;
const entriesOf = ({ after, through }: Range): string =>
  `ledger_entries e WHERE e.transaction_id > ${after} AND e.transaction_id <= ${through}`;

/** SHA-256 of all transactions and entries of the range. */
export const contentOf = (range: Range): string => `sha256(
  sha256(coalesce((SELECT string_agg(${transaction}, ''::bytea ORDER BY t.id) FROM ${transactionsOf(range)}), ''))
  || sha256(coalesce((SELECT string_agg(${entry}, ''::bytea ORDER BY ${entryOrder})
                      FROM ${entriesOf(range)}), '')))`;

export const countOf = (range: Range): string => `(SELECT count(*) FROM ${transactionsOf(range)})::integer`;

/** Rows of `id` and `leaf`: the first 8 bytes of the hash of each transaction with its entries. */
export const leavesOf = (range: Range): string => `
  SELECT t.id, substring(sha256(${transaction} || coalesce(entries.bytes, '')) FOR 8) AS leaf
  FROM (SELECT * FROM ${transactionsOf(range)}) AS t LEFT JOIN (
    SELECT e.transaction_id, string_agg(${entry}, ''::bytea ORDER BY ${entryOrder}) AS bytes
    FROM ${entriesOf(range)} GROUP BY 1) AS entries ON entries.transaction_id = t.id`;

/**
 * `days`: transactions, windows and the amount at their unit prices, by UTC day and kind. `accounts`: sums of the
 * entries by ledger account. A refund's amount counts below zero.
 */
export const sumsOf = (range: Range): string => `jsonb_build_object(
  'days', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.day, d.kind COLLATE "C") FROM (
    SELECT (t.at AT TIME ZONE 'UTC')::date AS day, t.kind, count(*) AS transactions, coalesce(sum(t.windows), 0) AS windows,
           coalesce(sum(t.unit_price * coalesce(t.windows, 1)), 0)
             * CASE t.kind WHEN 'task_models.hosting_refund' THEN -1 ELSE 1 END AS micro_usd
    FROM ${transactionsOf(range)} GROUP BY 1, 2) AS d),
  'accounts', (SELECT jsonb_object_agg(a.ledger_account, a.micro_usd) FROM (
    SELECT e.ledger_account, sum(e.amount) AS micro_usd FROM ${entriesOf(range)} GROUP BY 1) AS a))`;

/** The hash of a row of `ledger_seals`, of which the alias is `s`. */
export const sealHash = `sha256(convert_to(concat_ws('|', s.number, s.branch, s.origin, s.after_id, s.through_id,
  s.transactions, s.unsound, s.sums, encode(s.content, 'hex'), encode(sha256(s.leaves), 'hex'),
  encode(s.previous, 'hex'), to_char(s.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')), 'UTF8'))`;
