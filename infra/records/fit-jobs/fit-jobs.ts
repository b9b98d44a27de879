import type { Sql } from '../../drivers/postgres/index.ts';
import type { FitAnswer, FitRequest } from '../../contract/fit-request.ts';

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

/**
 * The terminal answer of a job; null while it runs, or when it is unknown. Inside a transaction, locks the job's row.
 */
export async function answerOf(sql: Sql, jobId: string, options: { lock?: boolean } = {}): Promise<FitAnswer | null> {
  const { rows } = await sql.query<{ status: number | null; body: string | null }>(
    `SELECT status, body FROM fit_requests WHERE job_id = $1 ${options.lock ? 'FOR UPDATE' : ''}`,
    [jobId],
  );
  const row = rows[0];
  return row && row.status !== null && row.body !== null ? { status: row.status, body: row.body } : null;
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
