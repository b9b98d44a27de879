import type { Invariant } from './invariants.ts';

/** Largest difference between the clocks of processes. */
export const skew = `interval '5 minutes'`;

/** Condition on a transaction, alias `t`, and its model `m`: the charge is not for a live model of its account. */
export const isOfOther = `((t.kind LIKE 'task_models.%' AND m.id IS NULL)
    OR (t.model_id IS NOT NULL AND (m.mode <> 'live' OR m.account_id <> t.account_id)))`;

/** Condition on a transaction, alias `t`, and its account `a`: the credit of `at` is dated before its account. */
export const isCreditAhead = (at: string): string => `t.kind LIKE 'credit.%' AND ${at} < a.created_at - ${skew}`;

/** Charges of ids above $1, up to $2, that are not for a live model of their account. */
export const chargesOfOthers = `
  SELECT format('ledger_transactions %s', t.id) AS row, format('%s for %s, which is %s', t.kind, t.model_id, coalesce(m.mode || ' of account ' || m.account_id, 'unknown')) AS problem
  FROM ledger_transactions t LEFT JOIN task_models m ON m.id = t.model_id
  WHERE t.id > $1 AND t.id <= $2 AND ${isOfOther}`;

/** Credits of ids above $1, up to $2, that are dated before their account. */
export const creditsAhead = `
  SELECT format('ledger_transactions %s', t.id) AS row, format('%s at %s, account %s created %s', t.kind, t.at, a.id, a.created_at) AS problem
  FROM ledger_transactions t JOIN accounts a ON a.id = t.account_id
  WHERE t.id > $1 AND t.id <= $2 AND ${isCreditAhead('t.at')}`;

/** Invariants of single transactions and other tables; closed transactions were checked when they were closed. */
export const rangeInvariants: readonly Invariant[] = [
  {
    invariant: 'every charge is for a live model of the same account',
    values: ['closed', 'last'],
    suspect: 'ofOthers',
    query: chargesOfOthers,
  },
  {
    invariant: 'no credit is dated before its account',
    values: ['closed', 'last'],
    suspect: 'creditsAhead',
    query: creditsAhead,
  },
];
