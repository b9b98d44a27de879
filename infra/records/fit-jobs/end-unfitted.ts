import type pg from 'pg';
import { ApiError, errorBody } from '../../contract/errors.ts';
import type { EndedFit, FitRequest } from '../../contract/fit-request.ts';
import { transaction, type Sql } from '../../drivers/postgres/transaction.ts';
import { isOver } from '../../contract/lifecycle.ts';
import { finishIdempotency, freeIdempotency } from '../admission/idempotency.ts';
import { release } from '../ledger/holds.ts';
import { readStored } from '../task-models/models.ts';
import { dropFitting } from '../task-models/transitions.ts';
import { eraseJobsOf } from './erase-jobs.ts';
import { answerOf, finishFit, isAwaited, lockJob } from './fit-jobs.ts';

/**
 * Ends a job without a model, in the caller's transaction: releases the hold, deletes the row of an immediate create (a
 * collecting model stays), and stores the job's answer. Only CLASSIFIER_FIT_FAILED is stored under the idempotency key;
 * any other error frees the key (design, decision 10). If the model has ended meanwhile, the answer is erased at once.
 * A job that has ended keeps its answer. Returns the HTTP status of the answer.
 */
export async function endUnfitted(sql: Sql, jobId: string, error: ApiError, at: Date): Promise<number> {
  const job = await lockJob(sql, jobId);
  if (!job || job.status !== null) return job?.status ?? error.status;
  const { modelId, accountId, mode, holdId, idempotencyKey: key, requestId } = job.request;
  const answer = { status: error.status, body: JSON.stringify(errorBody(error, requestId)) };
  const model = await readStored(sql, modelId, true);
  const isErased = model !== null && isOver(model.status);
  await release(sql, holdId, at);
  await dropFitting(sql, modelId);
  await finishFit(sql, jobId, answer, at);
  if (isErased) await eraseJobsOf(sql, modelId);
  if (key !== null && error.code === 'CLASSIFIER_FIT_FAILED' && !isErased)
    await finishIdempotency(sql, { accountId, mode, key, modelId, ...answer });
  else if (key !== null) await freeIdempotency(sql, { accountId, mode, key });
  return answer.status;
}

const requestEnded = (): ApiError =>
  new ApiError(
    'BACKEND_FAILURE',
    'The request ended before its answer and had no Idempotency-Key: its fit was cancelled and nothing was charged.',
  );

/**
 * Cancels a job, by default because no request waits for it any more, and returns its answer: the model, if the capture
 * has committed. Null: there is no such job.
 */
export async function cancelFit(
  pool: pg.Pool,
  { jobId }: Pick<FitRequest, 'jobId'>,
  at: Date,
  error: ApiError = requestEnded(),
): Promise<EndedFit | null> {
  await transaction(pool, (sql) => endUnfitted(sql, jobId, error, at));
  return answerOf(pool, jobId);
}

/** Cancels jobs without an Idempotency-Key whose request has ended or whose process has died; returns their number. */
export async function cancelUnawaited(pool: pg.Pool, at: Date): Promise<number> {
  const { rows } = await pool.query<{ jobId: string }>(
    `SELECT f.job_id AS "jobId" FROM fit_requests f WHERE f.finished_at IS NULL AND NOT ${isAwaited}
     ORDER BY f.created_at LIMIT 500`,
  );
  for (const job of rows) await cancelFit(pool, job, at);
  return rows.length;
}
