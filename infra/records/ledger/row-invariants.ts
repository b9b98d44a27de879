import type { Sql } from '../../drivers/postgres/transaction.ts';
import type { Invariant } from './invariants.ts';
import { routes } from './post.ts';

const literal = (text: string): string => `'${text}'`;
const routeRows = Object.entries(routes)
  .map(([kind, { from, to }]) => `(${literal(kind)}, ${literal(from)}, ${literal(to)})`)
  .join(', ');

const some = (id: string): string => `${id} > $1 AND ${id} <= $2`;

/**
 * Invariants of single transactions and their entries, for ids above $1 up to $2. Transactions that were correct when
 * they were sealed need no further check.
 */
export const rowInvariants: readonly Invariant[] = [
  {
    invariant: 'the entries of a transaction sum to zero',
    query: `
      SELECT format('ledger_transactions %s', t.id) AS row, format('%s entries sum to %s micro-dollars', count(e.amount), coalesce(sum(e.amount), 0)) AS problem
      FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND ${some('e.transaction_id')}
      WHERE ${some('t.id')}
      GROUP BY t.id HAVING count(e.amount) <> 2 OR coalesce(sum(e.amount), 1) <> 0`,
  },
  {
    invariant: 'entries belong to a transaction of the same account',
    query: `
      SELECT format('ledger_entries %s/%s', e.transaction_id, e.ledger_account) AS row,
             CASE WHEN t.id IS NULL THEN 'there is no such transaction' ELSE format('account %s, its transaction %s', e.account_id, t.account_id) END AS problem
      FROM ledger_entries e LEFT JOIN ledger_transactions t ON t.id = e.transaction_id AND ${some('t.id')}
      WHERE ${some('e.transaction_id')} AND (t.id IS NULL OR t.account_id <> e.account_id)`,
  },
  {
    invariant: 'each kind of transaction moves money between its own ledger accounts',
    query: `
      SELECT format('ledger_entries %s/%s', e.transaction_id, e.ledger_account) AS row, format('%s of %s is not for %s', e.ledger_account, e.amount, t.kind) AS problem
      FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
      LEFT JOIN (VALUES ${routeRows}) AS r (kind, source, target) ON r.kind = t.kind
      WHERE ${some('t.id')} AND ${some('e.transaction_id')} AND (CASE
        WHEN r.kind IS NULL THEN false
        WHEN t.kind = 'credit.operator' THEN e.ledger_account IN (r.source, r.target)
        WHEN e.ledger_account = r.target THEN e.amount > 0
        WHEN e.ledger_account = r.source THEN e.amount < 0 AND (t.kind <> 'task_models.hosting' OR t.period > 1)
        ELSE t.kind = 'task_models.hosting' AND t.period = 1 AND e.ledger_account = 'held' AND e.amount < 0 END) IS NOT TRUE`,
  },
  {
    invariant: 'each charge, and each refund, is its own unit price times its units',
    query: `
      SELECT format('ledger_transactions %s', t.id) AS row,
             format('%s charged %s micro-dollars for %s units of %s', t.kind, e.amount, coalesce(t.windows, 1), coalesce(t.unit_price::text, 'no price')) AS problem
      FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id AND e.ledger_account LIKE 'revenue.%'
      WHERE ${some('t.id')} AND ${some('e.transaction_id')} AND e.amount IS DISTINCT FROM t.unit_price * coalesce(t.windows, 1) * CASE t.kind WHEN 'task_models.hosting_refund' THEN -1 ELSE 1 END`,
  },
  {
    invariant: 'a transaction names a hold if its kind is one of a hold, and no other does',
    query: `
      SELECT format('ledger_transactions %s', id) AS row, format('%s has hold %s', kind, coalesce(hold_id::text, 'none')) AS problem
      FROM ledger_transactions t
      WHERE ${some('t.id')} AND (hold_id IS NOT NULL) IS DISTINCT FROM (
        kind IN ('hold.reserve', 'hold.release', 'task_models.create_fee') OR kind = 'task_models.hosting' AND period = 1)`,
  },
  {
    invariant: 'a transaction has what its kind needs, and nothing else',
    query: `
      SELECT format('ledger_transactions %s', id) AS row,
             format('%s with model %s, period %s, windows %s', kind, coalesce(model_id, 'none'), coalesce(period::text, 'none'), coalesce(windows::text, 'none')) AS problem
      FROM ledger_transactions t
      WHERE ${some('t.id')}
        AND ledger_transaction_is_sound(kind, model_id, hold_id, period, starts_at, ends_at, windows, unit_price) IS NOT TRUE`,
  },
];

/** Number of rows of the range that break an invariant of single transactions. */
export async function countUnsound(sql: Sql, range: { after: bigint; through: bigint }): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM (${rowInvariants.map(({ query }) => `(${query})`).join(' UNION ALL ')}) AS found`,
    [range.after, range.through],
  );
  return rows[0]!.n;
}
