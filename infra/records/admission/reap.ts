import { limits } from '../../contract/limits.ts';
import type { Sql } from '../../drivers/postgres/index.ts';

/**
 * Removes expired leases, answers kept longer than 30 days, and locks whose process died long ago without beginning a
 * job.
 */
export async function reapAdmission(sql: Sql, at: Date): Promise<{ leases: number; idempotencyKeys: number }> {
  const leases = await sql.query('DELETE FROM request_leases WHERE expires_at <= $1', [at]);
  const keys = await sql.query(
    `DELETE FROM idempotency_keys
     WHERE (state = 'done' AND created_at + make_interval(days => $2) <= $1)
        OR (state = 'running' AND job IS NULL AND locked_until + interval '1 day' <= $1)
        OR (state = 'running' AND locked_until <= $1 AND created_at + make_interval(days => $2) <= $1)`,
    [at, limits.idempotencyKeyDays],
  );
  return { leases: leases.rowCount ?? 0, idempotencyKeys: keys.rowCount ?? 0 };
}
