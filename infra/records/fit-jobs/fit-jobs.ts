import type { Sql } from '../../drivers/postgres/transaction.ts';
import { errorBody } from '../../contract/errors.ts';
import { fitRequestBytes, type EndedFit, type FitAnswer, type FitRequest } from '../../contract/fit-request.ts';
import { modelNotFound } from '../../contract/model-not-found.ts';
import type { TaskModelStatus } from '../../contract/task-model.ts';
import { notifying } from './ended.ts';
import { erasedBody } from './erase-jobs.ts';

/**
 * Records the request of a fit, in the transaction that reserves its credit and before anything is started. `leaseId`:
 * lease of the request that waits for the fit; without it nothing is captured. null: the job continues without its
 * request. `ignoredClasses`: classes of a collecting model whose trials the fit leaves out.
 */
export async function enqueueFit(
  sql: Sql,
  request: FitRequest,
  at: Date,
  leaseId: string | null = null,
  ignoredClasses: readonly string[] = [],
): Promise<void> {
  const text = JSON.stringify(request);
  const bytes = Buffer.byteLength(text);
  if (bytes > fitRequestBytes)
    throw new Error(`The request of job ${request.jobId} takes ${bytes} bytes; at most ${fitRequestBytes} may pass.`);
  await sql.query(
    `INSERT INTO fit_requests (job_id, model_id, account_id, request, created_at, lease_id, ignored_classes)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [request.jobId, request.modelId, request.accountId, text, at, leaseId, ignoredClasses],
  );
}

/** Removes a job that was refused before its start. */
export async function withdrawFit(sql: Sql, jobId: string): Promise<void> {
  await sql.query('DELETE FROM fit_requests WHERE job_id = $1 AND finished_at IS NULL', [jobId]);
}

/** The request of a job, running or ended; null: the job is unknown. */
export async function requestOf(sql: Sql, jobId: string): Promise<FitRequest | null> {
  const { rows } = await sql.query<{ request: FitRequest }>('SELECT request FROM fit_requests WHERE job_id = $1', [
    jobId,
  ]);
  return rows[0]?.request ?? null;
}

/** Classes whose trials a job leaves out. */
export async function ignoredClassesOf(sql: Sql, jobId: string): Promise<readonly string[]> {
  const { rows } = await sql.query<{ ignored: string[] }>(
    'SELECT ignored_classes AS ignored FROM fit_requests WHERE job_id = $1',
    [jobId],
  );
  return rows[0]?.ignored ?? [];
}

export interface LockedJob {
  readonly request: FitRequest;
  /** Status of its terminal answer; null while it runs. */
  readonly status: number | null;
  /** A request waits for the answer, or it is stored under an Idempotency-Key. */
  readonly awaited: boolean;
  /** Time of the database's clock. */
  readonly now: Date;
}

/** Whether the request that waits for a job is still connected, or the job needs none. The table's alias is `f`. */
export const isAwaited = `(f.lease_id IS NULL OR EXISTS (
  SELECT FROM request_leases l WHERE l.id = f.lease_id AND l.expires_at > clock_timestamp()))`;

/** A job as recorded at its start, with its row locked; null: no such job. */
export async function lockJob(sql: Sql, jobId: string): Promise<LockedJob | null> {
  const { rows } = await sql.query<LockedJob>(
    `SELECT f.request, f.status, ${isAwaited} AS awaited, clock_timestamp() AS now
     FROM fit_requests f WHERE f.job_id = $1 FOR UPDATE OF f`,
    [jobId],
  );
  return rows[0] ?? null;
}

interface EndedRow extends EndedFit {
  readonly requestId: string;
  readonly modelId: string;
  readonly modelStatus: TaskModelStatus;
}

/**
 * The terminal answer of a job and what it charged; null while it runs, or when it is unknown. If the answer was erased
 * with the model, it is the error for a model that has ended.
 */
export async function answerOf(sql: Sql, jobId: string): Promise<EndedFit | null> {
  const { rows } = await sql.query<EndedRow>(
    `SELECT f.status, f.body, f.request ->> 'requestId' AS "requestId", f.model_id AS "modelId",
            m.status AS "modelStatus",
            coalesce((SELECT h.amount FROM holds h WHERE h.state = 'captured'
              AND h.id = (f.request ->> 'holdId')::uuid), 0)::bigint AS "microUsd"
     FROM fit_requests f LEFT JOIN task_models m ON m.id = f.model_id
     WHERE f.job_id = $1 AND f.finished_at IS NOT NULL`,
    [jobId],
  );
  const [row] = rows;
  if (!row) return null;
  const { status, body, requestId, modelId, modelStatus, microUsd } = row;
  if (body !== erasedBody) return { status, body, microUsd };
  const error = modelNotFound(modelId, modelStatus);
  return { status: error.status, body: JSON.stringify(errorBody(error, requestId)), microUsd };
}

/** Stores the terminal answer, in the transaction that ends the job. Waiting requests are notified when it commits. */
export async function finishFit(sql: Sql, jobId: string, answer: FitAnswer, at: Date): Promise<void> {
  await sql.query(
    notifying(
      'UPDATE fit_requests SET finished_at = $2, status = $3, body = $4 WHERE job_id = $1 AND finished_at IS NULL',
    ),
    [jobId, at, answer.status, answer.body],
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
