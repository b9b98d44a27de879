import { ApiError } from '../../infra/contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import { readAnswer, requireJob } from '../http/job-answer.ts';
import type { Caller } from '../http/request.ts';
import { cancelJob as stopJob } from './run-job.ts';

/**
 * The answer of a cancelled job. It is stored under the key of its request like any failed fit: a retry that is still
 * under way then cannot start a second job.
 */
const cancelled = (): ApiError =>
  new ApiError(
    'CLASSIFIER_FIT_FAILED',
    'The job was cancelled; nothing was charged. To fit again, send the request with a new Idempotency-Key.',
    { details: { cancelled: true } },
  );

/** Cancels a job that has not ended. A job that has ended keeps its answer. Throws NOT_FOUND. */
export async function cancelJob(deps: ApiDeps, caller: Caller, jobId: string): Promise<Answer> {
  const { request, status } = await requireJob(deps, caller, jobId);
  if (status === null) await stopJob(deps, request, cancelled());
  return readAnswer(await requireJob(deps, caller, jobId));
}
