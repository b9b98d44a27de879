/** Bytes of a transaction, the same for the same values: Postgres's binary form of its columns. Aliases: `t`, `e`. */
const transaction = `record_send(ROW(t.id, t.account_id, t.kind, t.model_id, t.hold_id, t.period, t.starts_at, t.ends_at,
  t.windows, t.note, t.at, t.unit_price))`;
const entry = 'record_send(ROW(e.transaction_id, e.account_id, e.ledger_account, e.amount))';
/** Entries of one transaction differ in sign; a name decides only where they are unsound. */
const entryOrder = `e.amount, e.ledger_account COLLATE "C"`;

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
  || sha256(coalesce((SELECT string_agg(${entry}, ''::bytea ORDER BY e.transaction_id, ${entryOrder})
                      FROM ${entriesOf(range)}), '')))`;

export const countOf = (range: Range): string => `(SELECT count(*) FROM ${transactionsOf(range)})::integer`;

/** Rows of `id` and `leaf`: the first 8 bytes of the hash of each transaction with its entries. */
export const leavesOf = (range: Range): string => `
  SELECT t.id, substring(sha256(${transaction} || coalesce((
    SELECT string_agg(${entry}, ''::bytea ORDER BY ${entryOrder}) FROM ledger_entries e WHERE e.transaction_id = t.id), ''))
    FOR 8) AS leaf
  FROM ${transactionsOf(range)}`;

/**
 * `days`: transactions, windows and the amount at their unit prices, by UTC day and kind. `accounts`: sums of the entries
 * by ledger account. A refund's amount counts below zero.
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
