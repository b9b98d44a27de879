import { ApiError } from '../../infra/contract/errors.ts';
import type { EndedFit, FitRequest } from '../../infra/contract/fit-request.ts';
import { cancelFit } from '../../infra/records/fit-jobs/end-unfitted.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { UsageNote } from '../http/request.ts';

/**
 * Runs the job, or joins it if it already runs, and awaits its answer. Without an Idempotency-Key the job ends with the
 * request: it is cancelled when the caller disconnects, and before an error is answered. If its capture has already
 * committed, the answer is the model.
 */
export async function runJob(
  deps: ApiDeps,
  usage: UsageNote,
  job: FitRequest,
  { key, disconnected }: Pick<Ticket, 'key' | 'disconnected'>,
): Promise<Answer> {
  const { microUsd, ...answer } =
    key === null ? await runWithoutKey(deps, job, disconnected) : await deps.jobs.runFit(job);
  usage.microUsd = microUsd;
  return answer;
}

async function runWithoutKey(deps: ApiDeps, job: FitRequest, disconnected: AbortSignal): Promise<EndedFit> {
  const stop = (): Promise<EndedFit | null> => cancel(deps, job);
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
    throw error instanceof ApiError && error.details.job === 'running' ? tooLate(error) : error;
  } finally {
    disconnected.removeEventListener('abort', onDisconnect);
  }
}

async function cancel({ pool, jobs, objects, log }: ApiDeps, job: FitRequest): Promise<EndedFit | null> {
  const ended = await cancelFit(pool, job, new Date());
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
