import { dayMs, hourMs, limits, minuteMs } from '../../contract/limits.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** A dead lock is removed in the sweeps of these ten minutes of its age; if none runs then, after 30 days. */
const deadFrom = 25 * hourMs;
const deadUntil = deadFrom + 10 * minuteMs;

/**
 * Removes expired leases, waits of earlier days, answers older than 30 days, and locks of the day before whose process
 * died without starting a job. No index finds all locks: it would make each stored answer write four indexes.
 */
export async function reapAdmission(sql: Sql, at: Date): Promise<{ leases: number; idempotencyKeys: number }> {
  const leases = await sql.query('DELETE FROM request_leases WHERE expires_at <= $1', [at]);
  await sql.query(`DELETE FROM estimate_waits WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date`, [at]);
  const old = new Date(at.getTime() - limits.idempotencyKeyDays * dayMs);
  const done = await sql.query(`DELETE FROM idempotency_keys WHERE state = 'done' AND created_at <= $1`, [old]);
  const dead = await sql.query(
    `DELETE FROM idempotency_keys WHERE state = 'running' AND locked_until <= $1
       AND (created_at <= $2 OR (job IS NULL AND created_at > $3 AND created_at <= $4))`,
    [at, old, new Date(at.getTime() - deadUntil), new Date(at.getTime() - deadFrom)],
  );
  return { leases: leases.rowCount ?? 0, idempotencyKeys: (done.rowCount ?? 0) + (dead.rowCount ?? 0) };
}
