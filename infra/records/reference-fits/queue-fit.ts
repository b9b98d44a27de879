import type pg from 'pg';
import type { ReferenceFitRequest } from '../../contract/reference-fits.ts';
import { transaction, type Sql } from '../../drivers/postgres/transaction.ts';
import { restSeconds } from '../reference-data/preparations.ts';

/** Most running fits, in total and started by one account; beyond it none is started. */
const mostRunningFits = { all: 4, ofAnAccount: 2 } as const;

/** Lock number that no other lock of the service uses. */
const queueLock = 7_301_204;

/**
 * Queues a requested fit unless it is ready or running. Returns false, and does nothing, if the most allowed fits are
 * running, in total or for the account. A lock makes concurrent calls run one after another, so that they count each
 * other.
 */
export const queueFit = (
  pool: pg.Pool,
  request: ReferenceFitRequest,
  usualSeconds: number,
  at: Date,
  accountId: string | null = null,
): Promise<boolean> =>
  transaction(pool, async (sql) => {
    await sql.query('SELECT pg_advisory_xact_lock($1)', [queueLock]);
    const { all, own } = await otherRunningFits(sql, request.key, at, accountId);
    if (all >= mostRunningFits.all || own >= mostRunningFits.ofAnAccount) return false;
    await sql.query(
      `INSERT INTO reference_fits AS f (key, request, status, usual_seconds, asked_at, updated_at, account_id)
       VALUES ($1, $2, 'queued', $3, $4, $4, $5)
       ON CONFLICT (key) DO UPDATE SET updated_at = $4, asked_at = $4, retryable = false, reason = NULL,
         account_id = CASE WHEN f.status = 'running' THEN f.account_id ELSE $5 END,
         started_at = CASE WHEN f.status = 'running' THEN f.started_at END,
         status = CASE WHEN f.status = 'running' THEN f.status ELSE 'queued' END
       WHERE f.status <> 'ready'`,
      [request.key, JSON.stringify(request), usualSeconds, at, accountId],
    );
    return true;
  });

/** Other requested fits that have not ended and have been active recently. */
async function otherRunningFits(sql: Sql, key: string, at: Date, accountId: string | null) {
  const { rows } = await sql.query<{ all: number; own: number }>(
    `SELECT count(*)::int AS all, count(*) FILTER (WHERE account_id = $4)::int AS own FROM reference_fits
     WHERE key <> $1 AND status IN ('queued', 'running') AND updated_at > $2::timestamptz - make_interval(secs => $3)`,
    [key, at, restSeconds.lifeless, accountId],
  );
  return rows[0];
}
