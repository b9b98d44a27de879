import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { requestOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import type { ApiDeps } from '../deps.ts';
import { stillRunning, type Ticket } from '../http/idempotency.ts';
import { progressOf } from '../http/job-answer.ts';

/** Seconds until the same request makes sense again. */
const retryAfterSeconds = 5;

/**
 * The job that an earlier request started under the key; null: none. A request that waits joins the job of a process
 * that died. A job that was answered with 202 is not joined: it runs on, and a request without the preference gets
 * CONFLICT, as while any request with its key runs.
 */
export async function joinedJob(
  deps: Pick<ApiDeps, 'pool'>,
  { job, prefersAsync }: Pick<Ticket, 'job' | 'prefersAsync'>,
): Promise<FitRequest | null> {
  const request = job && (await requestOf(deps.pool, job.jobId));
  if (request && job.async && !prefersAsync) throw stillRunning(await progressOf(deps, job.jobId), retryAfterSeconds);
  return request;
}
