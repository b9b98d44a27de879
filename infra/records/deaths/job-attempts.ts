import type { Sql } from '../../drivers/postgres/transaction.ts';
import { goneAfter } from './worker-processes.ts';

type Queryable = Pick<Sql, 'query'>;

/** How an attempt ended; as in the table `job_attempts`. */
export type AttemptEnd = 'done' | 'failed' | 'stopped' | 'outage' | 'lost' | 'died';

export interface NewAttempt {
  readonly job: string;
  readonly process: string;
  /** No other job runs in the process. */
  readonly alone: boolean;
}

export interface BegunAttempt {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Number of earlier attempts of the job that failed with an error. */
  readonly failed: number;
}

/**
 * Records an attempt before its work starts. Null: nothing is recorded, because an earlier attempt has not ended or its
 * process died, and this attempt would not run alone in its process.
 */
export async function beginAttempt(sql: Queryable, { job, process, alone }: NewAttempt): Promise<BegunAttempt | null> {
  const { rows } = await sql.query<BegunAttempt>(
    `INSERT INTO job_attempts (job, attempt, process, alone, started_at)
     SELECT $1::text, coalesce(max(e.attempt), 0) + 1, $2, $3, clock_timestamp() FROM job_attempts e WHERE e.job = $1
     HAVING $3 OR count(*) FILTER (WHERE e.ended_at IS NULL OR e.how = 'died') = 0
     RETURNING attempt,
       (SELECT count(*)::int FROM job_attempts e WHERE e.job = $1 AND e.how = 'failed') AS failed`,
    [job, process, alone],
  );
  return rows[0] ?? null;
}

/** The attempt's own process records its end; that replaces any outcome that other processes recorded. */
export async function endAttempt(
  sql: Queryable,
  { job, attempt, how }: { readonly job: string; readonly attempt: number; readonly how: AttemptEnd },
): Promise<void> {
  await sql.query('UPDATE job_attempts SET ended_at = clock_timestamp(), how = $3 WHERE job = $1 AND attempt = $2', [
    job,
    attempt,
    how,
  ]);
}

/** Outcomes of the earlier attempts of a job. */
export interface Past {
  /** Number of attempts whose process may still run: check again later. */
  readonly unknown: number;
  readonly died: number;
  /** Number of attempts that died and ran alone in their process. */
  readonly diedAlone: number;
}

/**
 * Checks the earlier attempts of a job, and records the outcome of those whose process did not record it. `process` is
 * the current process: an open attempt of its own was lost by Temporal. A process is alive if it was seen since `since`
 * (null: now). It has died if it was not seen for ten seconds during which the current process was seen without gaps,
 * so that an outage of the database does not count as a death.
 */
export async function judgeAttempts(
  sql: Queryable,
  { job, process, since }: { readonly job: string; readonly process: string; readonly since: Date | null },
): Promise<Past & { readonly at: Date }> {
  const { rows } = await sql.query<Past & { readonly at: Date }>(
    `WITH judged AS (
       SELECT a.attempt, a.alone, CASE
         WHEN a.ended_at IS NOT NULL THEN a.how
         WHEN a.process = $2 OR p.seen_at > $3 THEN 'lost'
         WHEN p.stopping_at IS NOT NULL THEN 'stopped'
         WHEN coalesce(p.seen_at, '-infinity') < clock_timestamp() - ${goneAfter}
           AND me.steady_since < clock_timestamp() - ${goneAfter} THEN 'died' END AS how
       FROM job_attempts a
       LEFT JOIN worker_processes p ON p.process = a.process LEFT JOIN worker_processes me ON me.process = $2
       WHERE a.job = $1),
     ended AS (
       UPDATE job_attempts a SET ended_at = clock_timestamp(), how = j.how
       FROM judged j WHERE a.job = $1 AND a.attempt = j.attempt AND a.ended_at IS NULL AND j.how IS NOT NULL)
     SELECT count(*) FILTER (WHERE how IS NULL)::int AS unknown, count(*) FILTER (WHERE how = 'died')::int AS died,
            count(*) FILTER (WHERE how = 'died' AND alone)::int AS "diedAlone", clock_timestamp() AS at
     FROM judged`,
    [job, process, since],
  );
  return rows[0]!;
}

/** Deletes attempts that began before `before`, and worker processes last seen before it. */
export async function reapAttempts(sql: Queryable, before: Date): Promise<number> {
  await sql.query('DELETE FROM worker_processes WHERE seen_at < $1', [before]);
  const { rowCount } = await sql.query('DELETE FROM job_attempts WHERE started_at < $1', [before]);
  return rowCount ?? 0;
}
