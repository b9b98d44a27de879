import { carriedTransactions, closedThrough, postings } from './closings-sql.ts';
import { miscounted, type Suspicions } from './invariants.ts';
import { isCreditAhead, isOfOther, skew } from './range-invariants.ts';

/** The summary of the transactions above id $1, at the time $2, from one pass over them. */
const suspicions = `
  WITH postings AS MATERIALIZED (${postings(`t.id > ${closedThrough}`)})
  SELECT coalesce(greatest(max(t.last_at), max(t.last_start)) > $2::timestamptz + ${skew}, false) AS ahead,
         coalesce(max(t.last_id) > (SELECT last_value FROM ledger_transactions_id_seq), false)
           OR EXISTS (SELECT FROM ledger_transactions u WHERE u.id < 1) AS outside,
         EXISTS (SELECT FROM postings t LEFT JOIN task_models m ON m.id = t.model_id WHERE ${isOfOther}) AS "ofOthers",
         EXISTS (SELECT FROM postings t JOIN accounts a ON a.id = t.account_id WHERE ${isCreditAhead('t.first_at')})
           AS "creditsAhead",
         EXISTS (${miscounted('postings')}) AS miscounted,
         (coalesce(sum(t.transactions), 0) + ${carriedTransactions})::integer AS transactions,
         (SELECT count(*)::integer FROM ledger_transactions u
          WHERE u.id > (SELECT coalesce(max(through_id), 0) FROM ledger_seals)) AS unsealed
  FROM postings t`;

interface Summary extends Suspicions {
  /** Number of all transactions. */
  readonly transactions: number;
  readonly unsealed: number;
}

/**
 * The summary of the transactions that are not closed. Postgres cannot estimate the number of days in the ledger. It
 * would sort all transactions to add them up by day, which takes three times as long as hashing.
 */
export async function suspicionsOf(
  query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>,
  closed: bigint,
  instant: Date,
): Promise<Summary> {
  await query('SET LOCAL enable_sort = off');
  await query('SET LOCAL enable_incremental_sort = off');
  const [summary] = await query<Summary>(suspicions, [closed, instant]);
  await query('SET LOCAL enable_sort = DEFAULT');
  await query('SET LOCAL enable_incremental_sort = DEFAULT');
  return summary!;
}
