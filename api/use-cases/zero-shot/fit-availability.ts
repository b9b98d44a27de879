import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../../infra/contract/errors.ts';
import { peopleOf } from '../../../infra/contract/reference-data/data-sets.ts';
import { isStopped, type PeopleCounts } from '../../../infra/contract/reference-data/preparation.ts';
import type { ReferenceFitResult } from '../../../infra/contract/reference-fits.ts';
import { restSeconds, type StoredPreparation } from '../../../infra/records/reference-data/preparations.ts';
import { usualFitSeconds } from '../../../infra/records/reference-fits/fits.ts';
import type { ReferenceEvidence, ReferenceShape } from '../../../ml/reference-fits/types.ts';
import type { PreparationAnswer } from '../../../infra/contract/reference-evidence.ts';
import type { ApiDeps, Asking } from '../../deps.ts';
import { classIdsOf, type ReferenceTarget } from './mapping.ts';

/** The movement network, which needs no fit. */
export interface NetworkResult {
  readonly network: true;
  readonly evidence: ReferenceEvidence;
}

/** Whether a model without own trials, or a prior, is available for trials of one shape. */
export type FitAvailability =
  | { readonly ready: true; readonly fit: ReferenceFitResult | NetworkResult; readonly people: PeopleCounts | null }
  | {
      readonly ready: false;
      readonly preparation: PreparationAnswer;
      readonly retryAfterSeconds: number;
      /** The last attempt has ended. A request now would start a new one. */
      readonly restarts: boolean;
      /** The people are prepared; only the fit is missing. */
      readonly prepared: boolean;
    };

/** The availability of a fit on reference recordings. */
export type ReferenceAvailability = Exclude<FitAvailability, { ready: true }> | FittedOnReference;
interface FittedOnReference {
  readonly ready: true;
  readonly fit: ReferenceFitResult;
  readonly people: PeopleCounts | null;
}

/** Seconds until the next request makes sense: at least, at most, and while the number of recordings is unknown. */
const waits = { least: 1, most: 60, unseen: 10 } as const;

function waiting(
  {
    status,
    retryable,
    reason,
    estimatedSeconds,
    due,
  }: Pick<StoredPreparation, 'status' | 'retryable' | 'reason' | 'estimatedSeconds' | 'due'>,
  progress: StoredPreparation['progress'],
  further: number,
  prepared: boolean,
): Exclude<FitAvailability, { ready: true }> {
  const ended = isStopped(status);
  const seconds = ended && !retryable ? 0 : Math.ceil((estimatedSeconds ?? 0) + further);
  return {
    ready: false,
    preparation: {
      status: ended ? status : status === 'running' ? 'running' : 'queued',
      retryable: ended ? retryable : true,
      estimated_seconds: seconds,
      reason,
      progress: progress && {
        people: progress.people,
        files: { done: progress.files.done, total: progress.files.total },
        bytes: { done: progress.bytes.done, total: progress.bytes.total },
      },
    },
    restarts: ended && due,
    prepared,
    retryAfterSeconds: ended
      ? restSeconds[retryable ? 'retryable' : 'ended']
      : Math.min(progress ? waits.most : waits.unseen, Math.max(waits.least, seconds)),
  };
}

/** Throws if there is no answer in time. The request itself continues. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = sleep(ms, undefined, { signal: late.signal }).then(() => {
    throw new Error(`There was no answer within ${ms} ms.`);
  });
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, timer]);
  } finally {
    timer.catch(() => undefined);
    late.abort();
  }
}

/**
 * Requests the recordings of a task, then the fit on them, and waits for neither. `prepares: false`: recordings that
 * are not prepared stay so. Throws POOL_UNAVAILABLE if there is
 * no answer within `patience` milliseconds.
 */
export async function fitAvailability(
  { reference, log }: Pick<ApiDeps, 'reference' | 'log'>,
  target: ReferenceTarget,
  shape: ReferenceShape,
  { prepares = true, ...asking }: Asking & { readonly prepares?: boolean },
  patience = 10_000,
): Promise<ReferenceAvailability> {
  const key = { set: target.set.id, version: target.set.version, task: target.task.id };
  try {
    const prepared = await within(patience, reference.preparation(key, { ...asking, start: asking.start && prepares }));
    if (prepared.status !== 'ready') {
      const people = prepared.progress?.people.total ?? peopleOf(target.set).length;
      return waiting(prepared, prepared.progress, usualFitSeconds(people, shape.channelNames.length), false);
    }
    const fit = await within(patience, reference.fit({ ...key, classes: classIdsOf(target), shape }, asking));
    if (!fit.result) return waiting(fit, prepared.progress, 0, true);
    return { ready: true, fit: fit.result, people: prepared.people };
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    log.error('Reference recordings could not be asked for.', { error: cause });
    throw new ApiError('POOL_UNAVAILABLE', 'The preparation of reference recordings cannot be reached at present.', {
      retryAfterSeconds: 5,
      cause,
    });
  }
}
