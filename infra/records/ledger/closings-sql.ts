/**
 * Id up to which a check uses the sums of `ledger_closings` instead of the transactions; 0: none. A parameter, because
 * a filter evaluates any function again for each row.
 */
export const closedThrough = '$1::bigint';

/** Columns `transactions` and `sums` of a closing of the ids above `after`, up to `through`. */
export const closedContent = (after: string, through: string): string => `
  (SELECT count(*) FROM ledger_transactions t WHERE t.id > ${after} AND t.id <= ${through}) AS transactions,
  jsonb_build_object(
    'accounts', (SELECT jsonb_agg(jsonb_build_array(account_id, wallet, held) ORDER BY account_id) FROM (
      ${entrySums(`e.transaction_id > ${after} AND e.transaction_id <= ${through}`)}) AS a),
    'days', (SELECT jsonb_agg(jsonb_build_array(account_id, day, kind, windows, micro_usd)
                              ORDER BY account_id, day, kind COLLATE "C") FROM (
      ${daySums(daysOf(`t.id > ${after} AND t.id <= ${through}`))}) AS d)) AS sums`;

/** The hash of a row of `ledger_closings`, of which the alias is `c`. */
export const closingHash = `sha256(convert_to(concat_ws('|', c.number, c.after_id, c.through_id,
  encode(c.seal_hash, 'hex'), c.transactions, c.sums, encode(c.previous, 'hex'),
  to_char(c.closed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')), 'UTF8'))`;

/** Sums of entries by account, for rows of the alias `e`. */
function entrySums(where: string): string {
  return `SELECT e.account_id, coalesce(sum(e.amount) FILTER (WHERE e.ledger_account = 'wallet'), 0) AS wallet,
                 coalesce(sum(e.amount) FILTER (WHERE e.ledger_account = 'held'), 0) AS held
          FROM ledger_entries e WHERE ${where} GROUP BY 1`;
}

const day = `(t.at AT TIME ZONE 'UTC')::date`;
const charged = 't.unit_price * coalesce(t.windows, 1)';

/** Single transactions with the columns that sums by day need, for rows of the alias `t`. */
export const daysOf = (where: string): string => `(
  SELECT t.account_id, t.kind, ${day} AS day, t.windows, ${charged} AS micro_usd
  FROM ledger_transactions t WHERE ${where})`;

/** Transactions summed by account, model, kind and UTC day, for rows of the alias `t`. */
export const postings = (where: string): string => `
  SELECT t.account_id, t.model_id, t.kind, ${day} AS day, count(*) AS transactions,
         sum(t.windows) AS windows, sum(${charged}) FILTER (WHERE t.kind LIKE 'task_models.%') AS micro_usd,
         max(t.id) AS last_id, min(t.at) AS first_at, max(t.at) AS last_at, max(t.starts_at) AS last_start
  FROM ledger_transactions t WHERE ${where} GROUP BY 1, 2, 3, 4`;

/** Charges by account, UTC day and kind, from rows of `daysOf` or `postings`. A refund's amount counts below zero. */
const daySums = (from: string): string => `
  SELECT p.account_id, p.day, p.kind, coalesce(sum(p.windows), 0) AS windows,
         sum(p.micro_usd) * CASE p.kind WHEN 'task_models.hosting_refund' THEN -1 ELSE 1 END AS micro_usd
  FROM ${from} AS p WHERE p.kind LIKE 'task_models.%' GROUP BY 1, 2, 3`;

const carried = (part: 'accounts' | 'days'): string =>
  `ledger_closings c, jsonb_array_elements(c.sums -> '${part}') AS v WHERE c.through_id <= ${closedThrough}`;

/** Sums of all entries by account: carried ones, and those of transactions that are not closed. */
export const allEntrySums = `
  SELECT account_id, sum(wallet) AS wallet, sum(held) AS held FROM (
    ${entrySums(`e.transaction_id > ${closedThrough}`)}
    UNION ALL SELECT (v ->> 0)::uuid, (v ->> 1)::numeric, (v ->> 2)::numeric FROM ${carried('accounts')}) AS parts
  GROUP BY 1`;

/** All charges by account, UTC day and kind: carried ones, and those of the rows `from` that are not closed. */
export const allDaySums = (from: string): string => `
  SELECT account_id, day, kind, sum(windows) AS windows, sum(micro_usd) AS micro_usd FROM (
    ${daySums(from)}
    UNION ALL SELECT (v ->> 0)::uuid, (v ->> 1)::date, v ->> 2, (v ->> 3)::numeric, (v ->> 4)::numeric
    FROM ${carried('days')}) AS parts
  GROUP BY 1, 2, 3`;

/** Number of transactions in closings that the check uses. */
export const carriedTransactions = `
  (SELECT coalesce(sum(transactions), 0) FROM ledger_closings WHERE through_id <= ${closedThrough})`;

/** Days in which each closing is compared once with its transactions. */
export const comparingDays = 28;

/** Condition on a closing, alias `c`: the daily check compares it on the UTC day of the instant `at`. */
export const comparedOn = (at: string): string =>
  `c.number % ${comparingDays} = ((${at} AT TIME ZONE 'UTC')::date - '1970-01-01'::date) % ${comparingDays}`;

/**
 * Closings that do not follow from the one before, or from their seal. Closings that meet the SQL condition `compared`
 * are also compared with their transactions.
 */
export const brokenClosings = (compared: string): string => `
  SELECT format('ledger_closings %s', number) AS row, problem FROM (
    SELECT c.number, concat_ws(', ',
      CASE WHEN c.hash <> ${closingHash} THEN 'its hash is not that of its row' END,
      CASE WHEN c.number <> coalesce(c.before_number, 0) + 1 OR c.after_id <> coalesce(c.before_through, 0)
        OR c.previous <> coalesce(c.before_hash, sha256('')) THEN 'it does not follow the one before' END,
      CASE WHEN NOT EXISTS (SELECT FROM ledger_seals s WHERE s.hash = c.seal_hash AND s.through_id = c.through_id)
        THEN 'its seal is not in the chain' END
      , CASE WHEN ${compared} AND (c.transactions, c.sums) IS DISTINCT FROM (SELECT (n.transactions, n.sums) FROM (SELECT ${closedContent('c.after_id', 'c.through_id')}) AS n) THEN 'its sums are not those of its transactions' END
      ) AS problem
    FROM (SELECT *, lag(number) OVER places AS before_number, lag(hash) OVER places AS before_hash,
                 lag(through_id) OVER places AS before_through
          FROM ledger_closings WINDOW places AS (ORDER BY number)) AS c) AS found
  WHERE problem <> ''`;
