import type { Sql } from '../../drivers/postgres/transaction.ts';

type Asked = Pick<Sql, 'query'>;

/** How often a worker process renews its row. */
export const beatMs = 2_000;
/** A process whose row is older than this counts as gone, unless the database was unavailable meanwhile. */
export const goneAfter = `interval '10 seconds'`;
/** A longer pause between two renewals counts as a gap. */
const gap = `interval '6 seconds'`;

/** Renews the row of a running worker process. */
export async function beat(sql: Asked, process: string): Promise<void> {
  await sql.query(
    `INSERT INTO worker_processes AS w (process, steady_since, seen_at) VALUES ($1, clock_timestamp(), clock_timestamp())
     ON CONFLICT (process) DO UPDATE SET seen_at = excluded.seen_at,
       steady_since = CASE WHEN w.seen_at < excluded.seen_at - ${gap} THEN excluded.seen_at ELSE w.steady_since END`,
    [process],
  );
}

/** Records that the process is stopping on request: its end then counts against no job. */
export async function announceStop(sql: Asked, process: string): Promise<void> {
  await sql.query(
    'UPDATE worker_processes SET stopping_at = coalesce(stopping_at, clock_timestamp()) WHERE process = $1',
    [process],
  );
}
