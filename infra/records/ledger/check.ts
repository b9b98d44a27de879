import type pg from 'pg';
import { brokenClosings, comparedOn } from './closings-sql.ts';
import { cancelOn } from '../../drivers/postgres/cancel.ts';
import { checkAncestor, checkSeals, lagging, ledgerHead, sealInvariants, type LedgerHead } from './check-seals.ts';
import { checkSchema, schemaInvariant } from './check-schema.ts';
import { foreignKeyInvariants, foreignKeys } from './foreign-keys.ts';
import { onceInvariants } from './once-invariants.ts';
import { invariants, type CheckValues, type Invariant } from './invariants.ts';
import type { LedgerProblem } from './problem.ts';
import { quotaInvariants } from './quota-invariants.ts';
import { rangeInvariants } from './range-invariants.ts';
import { relationInvariants } from './relation-invariants.ts';
import { rowInvariants } from './row-invariants.ts';
import { seriesInvariants } from './series-invariants.ts';
import { suspicionsOf } from './suspicions.ts';

export interface LedgerCheck {
  readonly ok: boolean;
  readonly problems: readonly LedgerProblem[];
  /** Names of the checked invariants. */
  readonly checked: readonly string[];
  readonly transactions: number;
  /** Number of transactions that are not sealed yet. */
  readonly unsealed: number;
  /** The end of the chain; null: nothing is sealed yet. */
  readonly head: LedgerHead | null;
  /** Number of the seal with the hash `sinceHead`; null: no hash was given, or no seal has it. */
  readonly ancestor: number | null;
}

export interface LedgerCheckOptions {
  /** Time of the books; dates after it and after the database's clock are errors. */
  readonly at?: Date;
  /** Whether to report overdue actions, by `at` or by the database's clock; default: if `at` is given. */
  readonly overdue?: boolean;
  /**
   * Uses the sums of closed parts (`closeLedger`) instead of their transactions. Of these parts, only those whose turn
   * comes on the day of the check are read again, each once in 28 days. Default: every transaction is read.
   */
  readonly carry?: boolean;
  /** Cancels the running statement. */
  readonly signal?: AbortSignal;
  /** Also checks single transactions that were already checked when they were sealed. */
  readonly all?: boolean;
  /** A head of the chain from an earlier check, in hexadecimal; it must belong to the chain. */
  readonly sinceHead?: string;
}

const most = 100;

/** Statement timeout of a check, which reads all books; also of the server, which ends what a dead process left. */
const longestMs = 3_600_000;

const lag: Invariant = { invariant: sealInvariants.lag, query: lagging, values: ['instant'], overdue: true };
const others: readonly Invariant[] = [
  ...rangeInvariants,
  ...invariants,
  ...relationInvariants,
  ...onceInvariants,
  ...seriesInvariants,
  ...quotaInvariants,
  lag,
];

/** Names of all invariants. */
const checked: readonly string[] = [
  ...[...rowInvariants, ...others].map(({ invariant }) => invariant),
  foreignKeys,
  schemaInvariant,
  ...Object.values(sealInvariants).filter((each) => each !== sealInvariants.lag),
];

/**
 * Checks every invariant of the books in one snapshot, and reports each faulty row (at most 100 per invariant). The
 * query of an invariant returns rows of `row` and `problem`; no row means that it is satisfied. Single transactions
 * were checked when they were sealed; for these only the hash is compared.
 */
export async function checkLedger(pool: pg.Pool, o: LedgerCheckOptions = {}): Promise<LedgerCheck> {
  const { at, overdue = at !== undefined, all = false, carry = false, sinceHead, signal } = o;
  const client = await pool.connect();
  let stopCancelling = async (): Promise<void> => undefined;
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>({ text, values: [...values], query_timeout: longestMs } as pg.QueryConfig)).rows;
  const problems: LedgerProblem[] = [];
  const run = async ({ invariant, query: text }: Invariant, values: readonly unknown[]): Promise<void> => {
    const rows = await query<{ row: string; problem: string }>(
      `SELECT * FROM (${text}) AS found LIMIT ${most}`,
      values,
    );
    for (const { row, problem } of rows) problems.push({ invariant, row, problem });
  };
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    stopCancelling = await cancelOn(signal, pool, client);
    await client.query(
      `SET LOCAL statement_timeout = ${longestMs}; SET LOCAL client_connection_check_interval = '10s'`,
    );
    const closed = carry ? await lastClosing(query) : nothingClosed;
    const [clock] = await query<{ now: Date }>('SELECT greatest(now(), $1::timestamptz) AS now', [at ?? null]);
    for (const [after, through] of await rowRanges(query, all))
      for (const invariant of rowInvariants) await run(invariant, [after, through]);
    const summary = await suspicionsOf(query, closed.through, clock!.now);
    for (const invariant of others)
      if ((overdue || !invariant.overdue) && (!invariant.suspect || summary[invariant.suspect])) {
        const instant = invariant.overdue ? (at ?? clock!.now) : clock!.now;
        const given: CheckValues = { closed: closed.through, last: BigInt(ends[1]), instant };
        await run(
          invariant,
          (invariant.values ?? []).map((name) => given[name]),
        );
      }
    for (const invariant of await foreignKeyInvariants(client)) await run(invariant, []);
    const compared = all ? 'true' : carry ? comparedOn(`'${(at ?? clock!.now).toISOString()}'::timestamptz`) : 'false';
    await run({ invariant: sealInvariants.closings, query: brokenClosings(compared) }, []);
    problems.push(
      ...(await checkSchema(client)),
      ...(await checkSeals(query, { most, sums: all, after: closed.seal })),
    );
    if (carry)
      for (const part of await sealsOfClosings(query, compared))
        problems.push(...(await checkSeals(query, { most, sums: true, ...part })));
    const noted = sinceHead === undefined ? null : await checkAncestor(query, sinceHead);
    problems.push(...(noted?.problems ?? []));
    return {
      ok: problems.length === 0,
      problems,
      checked,
      transactions: summary.transactions,
      unsealed: summary.unsealed,
      head: await ledgerHead(client),
      ancestor: noted?.number ?? null,
    };
  } finally {
    await stopCancelling();
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}

/** The end of the closed parts: the last id, and the number of its seal. */
interface Closed {
  readonly through: bigint;
  readonly seal: bigint;
}
const nothingClosed: Closed = { through: 0n, seal: 0n };

async function lastClosing(query: <Row extends object>(text: string) => Promise<Row[]>): Promise<Closed> {
  const [last] = await query<Closed>(
    `SELECT c.through_id AS through, s.number AS seal FROM ledger_closings c JOIN ledger_seals s ON s.hash = c.seal_hash
     ORDER BY c.number DESC LIMIT 1`,
  );
  return last ?? nothingClosed;
}

/** The seals of each closing that meets the condition `compared`: above number `after`, up to `through`. */
const sealsOfClosings = (
  query: <Row extends object>(text: string) => Promise<Row[]>,
  compared: string,
): Promise<{ after: bigint; through: bigint }[]> =>
  query(
    `SELECT min(s.number) - 1 AS after, max(s.number) AS through
     FROM ledger_closings c JOIN ledger_seals s ON s.after_id >= c.after_id AND s.through_id <= c.through_id
     WHERE ${compared} GROUP BY c.number ORDER BY c.number`,
  );

const ends = ['-9223372036854775808', '9223372036854775807'] as const;

/**
 * Ranges of ids whose transactions are checked one by one: unsealed ones, and ones that were faulty when they were
 * sealed.
 */
async function rowRanges(
  query: <Row extends object>(text: string) => Promise<Row[]>,
  all: boolean,
): Promise<(readonly [after: string, through: string])[]> {
  if (all) return [ends];
  const rows = await query<{ after: bigint; through: bigint; unsound: number; last: boolean }>(
    `SELECT after_id AS after, through_id AS through, unsound, number = (SELECT max(number) FROM ledger_seals) AS last
     FROM ledger_seals s WHERE unsound > 0 OR number = (SELECT max(number) FROM ledger_seals) ORDER BY number`,
  );
  const last = rows.find((row) => row.last);
  if (!last) return [ends];
  return [
    ...rows.filter(({ unsound }) => unsound > 0).map(({ after, through }) => [String(after), String(through)] as const),
    [ends[0], '0'],
    [String(last.through), ends[1]],
  ];
}
