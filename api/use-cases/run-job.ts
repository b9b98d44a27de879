import { ApiError } from '../../infra/contract/errors.ts';
import type { EndedFit, FitRequest } from '../../infra/contract/fit-request.ts';
import { cancelFit } from '../../infra/records/fit-jobs/end-unfitted.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import { jobAnswer } from '../http/job-answer.ts';
import type { AsyncPreference } from '../http/prefer.ts';
import type { RequestContext } from '../http/request.ts';

/**
 * Runs the job, or joins it if it already runs, and awaits its answer. Without an Idempotency-Key the job ends with the
 * request: it is cancelled when the caller disconnects, and before an error is answered. If its capture has already
 * committed, the answer is the model. A caller that prefers it gets a 202 with the job, at once or when its `wait` has
 * passed; the key stays with the job.
 */
export async function runJob(
  deps: ApiDeps,
  context: Pick<RequestContext, 'caller' | 'usage'>,
  job: FitRequest,
  ticket: Ticket,
): Promise<Answer> {
  const { key, disconnected, prefersAsync } = ticket;
  const run =
    key === null
      ? runWithoutKey(deps, job, disconnected)
      : deps.jobs.runFit(job, prefersAsync ? prefersAsync.waitSeconds * 1000 : undefined);
  const ended = await run.catch((error: unknown) => {
    if (prefersAsync && isRunning(error)) return null;
    throw error;
  });
  if (!ended) return detached(deps, context, job, { ticket, preference: prefersAsync! });
  const { microUsd, ...answer } = ended;
  context.usage.microUsd = microUsd;
  return answer;
}

/** The 202 with a job that goes on by itself. */
async function detached(
  deps: ApiDeps,
  { caller }: Pick<RequestContext, 'caller'>,
  { jobId }: FitRequest,
  { ticket, preference }: { readonly ticket: Ticket; readonly preference: AsyncPreference },
): Promise<Answer> {
  const answer = await jobAnswer(deps, caller, jobId, preference);
  await ticket.release();
  return answer;
}

const isRunning = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.details['job'] === 'running';

async function runWithoutKey(deps: ApiDeps, job: FitRequest, disconnected: AbortSignal): Promise<EndedFit> {
  const stop = (): Promise<EndedFit | null> => cancelJob(deps, job);
  const onDisconnect = (): void =>
    void stop().catch((error: unknown) =>
      deps.log.warn('A job was not cancelled; it ends with its lease.', { ...idsOf(job), error }),
    );
  disconnected.addEventListener('abort', onDisconnect, { once: true });
  if (disconnected.aborted) onDisconnect();
  try {
    return await deps.jobs.runFit(job);
  } catch (error) {
    const ended = await stop();
    if (ended && ended.status < 300) return ended;
    throw isRunning(error) ? tooLate(error) : error;
  } finally {
    disconnected.removeEventListener('abort', onDisconnect);
  }
}

/**
 * Cancels a job in Postgres, stops its workflow and deletes its staged trials. Returns its answer: `error`, or the
 * model if the capture has already committed.
 */
export async function cancelJob(
  { pool, jobs, objects, log }: ApiDeps,
  job: FitRequest,
  error?: ApiError,
): Promise<EndedFit | null> {
  const ended = await cancelFit(pool, job, new Date(), error);
  if (ended && ended.status < 300) return ended;
  await jobs.stopFit(job);
  if ('staged' in job.source)
    await objects
      .delete(job.source.staged)
      .catch((cause: unknown) =>
        log.warn('The trials of a job were not removed; the sweep will.', { ...idsOf(job), error: cause }),
      );
  return ended;
}

const tooLate = (cause: ApiError): ApiError =>
  new ApiError(
    'POOL_UNAVAILABLE',
    'No worker has finished the fit yet. It was cancelled and nothing was charged; send the request again. With an ' +
      'Idempotency-Key the fit continues, and its answer waits for the same request.',
    { cause, retryAfterSeconds: cause.retryAfterSeconds },
  );

const idsOf = ({ accountId, modelId, jobId }: FitRequest) => ({ account: accountId, model: modelId, job: jobId });
