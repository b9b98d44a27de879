import { carriedTransactions, closedThrough, postings } from './closings-sql.ts';
import { miscounted } from './invariants.ts';
import { isCreditAhead, isOfOther, skew } from './range-invariants.ts';

/**
 * The summary of the transactions above id $1, the last closed one, at the time $2; `transactions` counts all. One pass
 * over the transactions is a large part of a check.
 */
export const suspicions = `
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
