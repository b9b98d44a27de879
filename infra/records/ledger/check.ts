import type pg from 'pg';
import { invariants } from './invariants.ts';
import { quotaInvariants } from './quota-invariants.ts';
import { seriesInvariants } from './series-invariants.ts';

export interface LedgerProblem {
  /** The invariant that fails, in words. */
  readonly invariant: string;
  /** Where: table and key of the row. */
  readonly row: string;
  readonly problem: string;
}

export interface LedgerCheck {
  readonly ok: boolean;
  readonly problems: readonly LedgerProblem[];
  /** Invariants that were checked. */
  readonly checked: readonly string[];
  readonly transactions: number;
}

const most = 100;

/** A check reads all books, which may take longer than any other statement. */
const longestMs = 3_600_000;

/**
 * Checks every invariant of the books in one snapshot, and names each row at fault (at most 100 per invariant). Every query of an invariant
 * returns rows of `row` and `problem`; none is sound. `at`: hosting that should have been charged more than a day before it is missing.
 */
export async function checkLedger(pool: pg.Pool, o: { at?: Date } = {}): Promise<LedgerCheck> {
  const client = await pool.connect();
  const all = [...invariants, ...seriesInvariants, ...quotaInvariants];
  const problems: LedgerProblem[] = [];
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0');
    for (const { invariant, query, needsInstant } of all) {
      if (needsInstant && o.at === undefined) continue;
      const { rows } = await client.query<{ row: string; problem: string }>({
        text: `SELECT * FROM (${query}) AS found LIMIT ${most}`,
        values: needsInstant ? [o.at] : [],
        query_timeout: longestMs,
      } as pg.QueryConfig);
      for (const { row, problem } of rows) problems.push({ invariant, row, problem });
    }
    const {
      rows: [size],
    } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM ledger_transactions');
    return {
      ok: problems.length === 0,
      problems,
      checked: all.map(({ invariant }) => invariant),
      transactions: size!.n,
    };
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}
