import { dayMs, limits } from '../contract/limits.ts';
import type { Sql } from '../drivers/postgres/transaction.ts';

/** Numbers about the books for the metrics, read from a few small indexes. Ages in seconds. */
export interface BooksSummary {
  readonly holds: number;
  readonly holdSeconds: number;
  readonly leases: number;
  readonly leaseOverdueSeconds: number;
  readonly fits: number;
  readonly fitSeconds: number;
  /** Age of the oldest fit that no worker has begun. */
  readonly fitWaitingSeconds: number;
  readonly unpaid: number;
  /** Age of the oldest row of a table, and how long its rows are kept. */
  readonly oldest: readonly { readonly table: string; readonly seconds: number; readonly promise: number }[];
  readonly reconciled: readonly {
    readonly step: string;
    /** Unix seconds. */
    readonly at: number;
    readonly problems: number;
    readonly oldestStagedAt: number | null;
  }[];
}

const age = (column: string): string => `greatest(0, extract(epoch FROM now() - min(${column})))::float8`;
const of = (name: string, column: string, from: string): string =>
  `(SELECT json_build_array(count(*), ${age(column)}) FROM ${from}) AS ${name}`;

/** Tables whose rows have an end: the column that dates a row, with an index, and the days for which it is kept. */
const keptTables = [
  // A partition is dropped when its last row is too old, so a row may stay for a day more.
  { table: 'request_log', column: 'at', days: limits.requestLogDays },
  { table: 'usage_days', column: 'day', days: limits.usageDays },
  { table: 'spending_days', column: 'day', days: limits.usageDays },
  { table: 'holds', column: 'resolved_at', days: limits.holdDays },
  { table: 'idempotency_keys', column: 'created_at', days: limits.idempotencyKeyDays },
] as const;

/** Open holds, leases, running fits, unpaid models and the reconciler's last runs, in one statement. */
export async function readBooksSummary(sql: Pick<Sql, 'query'>): Promise<BooksSummary> {
  const { rows } = await sql.query<{
    holds: [number, number | null];
    leases: [number, number | null];
    fits: [number, number | null];
    waiting: [number, number | null];
    unpaid: number;
    oldest: (number | null)[];
    reconciled: BooksSummary['reconciled'];
  }>(
    `SELECT ${of('holds', 'created_at', `holds WHERE state = 'open'`)},
       ${of('leases', 'expires_at', 'request_leases')},
       ${of('fits', 'created_at', 'fit_requests WHERE finished_at IS NULL')},
       ${of('waiting', 'created_at', `fit_requests f WHERE finished_at IS NULL AND NOT EXISTS (SELECT FROM job_attempts WHERE job = f.job_id)`)},
       json_build_array(${keptTables.map(({ table, column }) => `(SELECT ${age(column)} FROM ${table})`).join(', ')}) AS oldest,
       (SELECT count(*)::int FROM task_models WHERE unpaid_since IS NOT NULL AND status = 'active') AS unpaid,
       (SELECT coalesce(json_agg(json_build_object('step', step, 'at', extract(epoch FROM at), 'problems', problems,
          'oldestStagedAt', extract(epoch FROM oldest_staged_at))), '[]') FROM reconciler_runs) AS reconciled`,
  );
  const { holds, leases, fits, waiting, unpaid, oldest, reconciled } = rows[0]!;
  return {
    holds: holds[0],
    holdSeconds: holds[1] ?? 0,
    leases: leases[0],
    leaseOverdueSeconds: leases[1] ?? 0,
    fits: fits[0],
    fitSeconds: fits[1] ?? 0,
    fitWaitingSeconds: waiting[1] ?? 0,
    unpaid,
    oldest: keptTables.map(({ table, days }, i) => ({
      table,
      seconds: oldest[i] ?? 0,
      promise: (days * dayMs) / 1000,
    })),
    reconciled,
  };
}

/** Records the result of one step of the reconciler. */
export async function recordReconciled(
  sql: Pick<Sql, 'query'>,
  run: { step: string; at: Date; problems: number; oldestStagedAt?: Date | null },
): Promise<void> {
  await sql.query(
    `INSERT INTO reconciler_runs AS r (step, at, problems, oldest_staged_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (step) DO UPDATE SET at = excluded.at, problems = excluded.problems,
       oldest_staged_at = excluded.oldest_staged_at WHERE r.at <= excluded.at`,
    [run.step, run.at, run.problems, run.oldestStagedAt ?? null],
  );
}
