import type { Invariant } from './invariants.ts';

/** Transactions that may exist once, found with partial indexes. */
const single = `(
  SELECT * FROM ledger_transactions WHERE period IS NOT NULL
  UNION ALL SELECT * FROM ledger_transactions WHERE hold_id IS NOT NULL AND period IS NULL
  UNION ALL SELECT * FROM ledger_transactions WHERE kind = 'credit.free' AND hold_id IS NULL AND period IS NULL)`;

/** Invariants of `ledger_once`, which refuses a second transaction of a key in any month. */
export const onceInvariants: readonly Invariant[] = [
  {
    invariant: 'a transaction that may exist once has its keys, and each key its transaction',
    query: `
      SELECT CASE WHEN t.id IS NULL THEN format('ledger_once %s', k.key) ELSE format('ledger_transactions %s', t.id) END AS row,
             CASE WHEN t.id IS NULL THEN format('the key names transaction %s, which does not have it', k.transaction_id)
               ELSE format('the key "%s" is missing, or names another transaction', t.key) END AS problem
      FROM ledger_once k FULL JOIN (
        SELECT s.id, key FROM ${single} s, unnest(ledger_once_keys(s.kind, s.account_id, s.model_id, s.hold_id, s.period)) AS key) t
        ON t.key = k.key AND t.id = k.transaction_id
      WHERE t.id IS NULL OR k.key IS NULL`,
  },
];
