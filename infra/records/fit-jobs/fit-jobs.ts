import type { Sql } from '../../drivers/postgres/index.ts';
import type { EndedFit, FitAnswer, FitRequest } from '../../contract/fit-request.ts';

/** Records that a fit was asked for, before anything is started. The same job again changes nothing. */
export async function enqueueFit(sql: Sql, request: FitRequest, at: Date): Promise<void> {
  await sql.query(
    `INSERT INTO fit_requests (job_id, model_id, account_id, request, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (job_id) DO NOTHING`,
    [request.jobId, request.modelId, request.accountId, JSON.stringify(request), at],
  );
}

/** Removes a job that was refused before it began. */
export async function withdrawFit(sql: Sql, jobId: string): Promise<void> {
  await sql.query('DELETE FROM fit_requests WHERE job_id = $1 AND finished_at IS NULL', [jobId]);
}

/** Whether the job has ended, and the status it was answered with; null while it runs. Locks the job's row. */
export async function lockedOutcome(sql: Sql, jobId: string): Promise<{ readonly status: number } | null> {
  const { rows } = await sql.query<{ status: number | null }>(
    'SELECT status FROM fit_requests WHERE job_id = $1 FOR UPDATE',
    [jobId],
  );
  const status = rows[0]?.status ?? null;
  return status === null ? null : { status };
}

/** The terminal answer of a job and what it charged; null while it runs, or when it is unknown. */
export async function answerOf(sql: Sql, jobId: string): Promise<EndedFit | null> {
  const { rows } = await sql.query<EndedFit>(
    `SELECT status, body, coalesce((SELECT h.amount FROM holds h WHERE h.state = 'captured'
              AND h.id = (f.request ->> 'holdId')::uuid), 0)::bigint AS "microUsd"
     FROM fit_requests f WHERE job_id = $1 AND finished_at IS NOT NULL`,
    [jobId],
  );
  return rows[0] ?? null;
}

/** Writes the terminal answer, in the transaction that ends the job. */
export async function finishFit(sql: Sql, request: FitRequest, answer: FitAnswer, at: Date): Promise<void> {
  await enqueueFit(sql, request, at);
  await sql.query(
    'UPDATE fit_requests SET finished_at = $2, status = $3, body = $4 WHERE job_id = $1 AND finished_at IS NULL',
    [request.jobId, at, answer.status, answer.body],
  );
}

/** The oldest job of a model that has not ended; null: none. */
export async function pendingFit(sql: Sql, modelId: string): Promise<FitRequest | null> {
  const { rows } = await sql.query<{ request: FitRequest }>(
    'SELECT request FROM fit_requests WHERE model_id = $1 AND finished_at IS NULL ORDER BY created_at, job_id LIMIT 1',
    [modelId],
  );
  return rows[0]?.request ?? null;
}
