import type { Sql } from '../../drivers/postgres/transaction.ts';
import type { LedgerProblem } from './problem.ts';
import { contentOf, countOf, leavesOf, sealHash, sumsOf } from './seal-sql.ts';

export const sealInvariants = {
  chain: 'each seal follows from the one before it',
  content: 'sealed transactions are as they were sealed',
  closings: 'closed parts of the ledger follow from their seals, and carry the sums of their transactions',
  lag: 'transactions are sealed within ten minutes',
  ancestor: 'the noted head belongs to this chain',
} as const;

/** The last seal. */
export interface LedgerHead {
  readonly number: number;
  /** In hexadecimal. */
  readonly hash: string;
  readonly branch: number;
  readonly sealedAt: Date;
}

const problemOf = (invariant: string, row: string, problem: string): LedgerProblem => ({ invariant, row, problem });

/** The head of the chain; null: nothing is sealed yet. */
export async function ledgerHead(sql: Pick<Sql, 'query'>): Promise<LedgerHead | null> {
  const { rows } = await sql.query<LedgerHead>(
    `SELECT number::integer, encode(hash, 'hex') AS hash, branch, sealed_at AS "sealedAt" FROM ledger_seals
     ORDER BY number DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** Seals above number $1, up to $2, that do not follow from the one before. */
export const brokenLinks = `
  SELECT format('ledger_seals %s', number) AS row, concat_ws(', ',
    CASE WHEN hash <> ${sealHash} THEN 'its hash is not that of its row' END,
    CASE WHEN number <> coalesce(before_number, 0) + 1 THEN format('it follows number %s', coalesce(before_number, 0)) END,
    CASE WHEN previous <> coalesce(before_hash, sha256('')) THEN 'it does not hold the hash of the one before' END,
    CASE WHEN after_id <> coalesce(before_through, 0)
      THEN format('it begins after id %s, the one before ends at %s', after_id, coalesce(before_through, 0)) END,
    CASE WHEN branch <> coalesce(before_branch + (origin <> before_origin)::integer, 1)
      THEN format('branch %s follows branch %s', branch, coalesce(before_branch, 0)) END) AS problem
  FROM (SELECT *, lag(number) OVER places AS before_number, lag(hash) OVER places AS before_hash,
               lag(through_id) OVER places AS before_through, lag(branch) OVER places AS before_branch,
               lag(origin) OVER places AS before_origin
        FROM ledger_seals WHERE number BETWEEN $1 AND $2 WINDOW places AS (ORDER BY number)) AS s
  WHERE number > $1 AND (hash <> ${sealHash} OR number <> coalesce(before_number, 0) + 1
    OR previous <> coalesce(before_hash, sha256('')) OR after_id <> coalesce(before_through, 0)
    OR branch <> coalesce(before_branch + (origin <> before_origin)::integer, 1))`;

const range = { after: 's.after_id', through: 's.through_id' };

/** Seals above number $1, up to $2, whose transactions, entries or sums have changed since. */
export const differing = (sums: boolean): string => `
  SELECT s.number, s.transactions, ${countOf(range)} AS found FROM ledger_seals s
  WHERE s.number > $1 AND s.number <= $2
    AND (s.content <> ${contentOf(range)}${sums ? ` OR s.sums <> ${sumsOf(range)}` : ''}) ORDER BY s.number`;

/** The changed transactions of seal $1, by their leaves. */
const changedTransactions = `
  WITH s AS (SELECT * FROM ledger_seals WHERE number = $1),
  sealed AS (SELECT ('x' || encode(substring(s.leaves FROM n * 16 + 1 FOR 8), 'hex'))::bit(64)::bigint AS id,
                    substring(s.leaves FROM n * 16 + 9 FOR 8) AS leaf
             FROM s, generate_series(0, length(s.leaves) / 16 - 1) AS n)
  SELECT format('ledger_transactions %s', coalesce(sealed.id, now.id)) AS row,
         CASE WHEN now.id IS NULL THEN 'deleted' WHEN sealed.id IS NULL THEN 'inserted' ELSE 'changed, or its entries' END
           || format(' after seal %s was made', $1::bigint) AS problem
  FROM sealed FULL JOIN (SELECT v.* FROM s, LATERAL (${leavesOf(range)}) AS v) AS now ON now.id = sealed.id
  WHERE now.leaf IS DISTINCT FROM sealed.leaf ORDER BY coalesce(sealed.id, now.id)`;

const lastNumber = '9223372036854775807';

/**
 * Checks the chain, and that every sealed transaction after seal `after`, up to seal `through`, is unchanged. With
 * `sums`, also computes the sums of each seal again.
 */
export async function checkSeals(
  query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>,
  { most, sums, after, through }: { most: number; sums: boolean; after: bigint; through?: bigint },
): Promise<LedgerProblem[]> {
  const seals = [after, through ?? lastNumber];
  const links = await query<{ row: string; problem: string }>(
    `SELECT * FROM (${brokenLinks}) AS found LIMIT ${most}`,
    seals,
  );
  const problems = links.map(({ row, problem }) => problemOf(sealInvariants.chain, row, problem));
  const changed = await query<{ number: bigint; transactions: number; found: number }>(
    `${differing(sums)} LIMIT ${most}`,
    seals,
  );
  for (const { number, transactions, found } of changed) {
    const rows = await query<{ row: string; problem: string }>(`${changedTransactions} LIMIT ${most}`, [number]);
    const counts = `${transactions} transactions were sealed, ${found} are there`;
    problems.push(
      problemOf(sealInvariants.content, `ledger_seals ${number}`, `its transactions or entries differ: ${counts}`),
      ...rows.map(({ row, problem }) => problemOf(sealInvariants.content, row, problem)),
    );
    if (problems.length >= most) break;
  }
  return problems;
}

/** Transactions that should have been sealed by `at`. A refund has the date of the month that it refunds. */
export const lagging = `
  SELECT format('ledger_transactions %s', id) AS row, format('of %s, not sealed at %s', at, $1::timestamptz) AS problem
  FROM ledger_transactions WHERE id > (SELECT coalesce(max(through_id), 0) FROM ledger_seals)
    AND at < $1::timestamptz - interval '10 minutes' AND kind <> 'task_models.hosting_refund' ORDER BY id`;

/** Checks that a head from an earlier check, in hexadecimal, belongs to the chain; returns a problem if not. */
export async function checkAncestor(
  query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>,
  noted: string,
): Promise<{ number: number | null; problems: LedgerProblem[] }> {
  const [found] = await query<{ number: number }>(
    `SELECT number::integer FROM ledger_seals WHERE hash = decode($1, 'hex')`,
    [noted],
  );
  if (found) return { number: found.number, problems: [] };
  const branches = await query<{ branch: number; number: number; at: string; before: string }>(
    `SELECT branch, min(number)::integer AS number, min(sealed_at)::text AS at,
       (SELECT encode(hash, 'hex') FROM ledger_seals p WHERE p.number = min(s.number) - 1) AS before
     FROM ledger_seals s WHERE branch > 1 GROUP BY branch ORDER BY branch`,
  );
  const words = branches.map(
    ({ branch, number, at, before }) =>
      ` Branch ${branch} began with seal ${number} on ${at}, after head ${before}: a restore or a failover.`,
  );
  return {
    number: null,
    problems: [
      problemOf(
        sealInvariants.ancestor,
        `ledger_seals ${noted}`,
        `no seal has this hash: transactions that it covered were changed or are gone.${words.join('')}`,
      ),
    ],
  };
}
