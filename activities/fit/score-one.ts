import { ApplicationFailure } from '@temporalio/common';
import type { CandidateProgress } from '../../infra/records/task-models/index.ts';
import type { Candidate, FitTarget } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { withoutOthers } from '../../ml/train/without-others.ts';
import type { JobData } from '../compute/job-data.ts';
import { activities } from '../../infra/observe/metrics.ts';
import type { Tools } from '../tools.ts';
import type { Scored } from '../types.ts';

export interface ScoreJob {
  readonly request: FitTarget;
  readonly data: JobData;
  readonly candidate: Candidate;
  /** Of an average: the encoded scores of its members. */
  readonly members: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/** The progress of a candidate that has not ended. */
export const running = ({ id, title }: Pick<Candidate, 'id' | 'title'>): CandidateProgress => ({
  method: id,
  title,
  status: 'running',
  balancedAccuracy: null,
  reason: null,
  seconds: null,
});

/** The progress of a candidate that has ended. */
export const progressOf = ({ ref: _ref, fault: _fault, ...row }: Scored): CandidateProgress => row;

/** `fault`: the service could not score it. */
export const failed = (candidate: Candidate, reason: string, fault: boolean): Scored => ({
  ...running(candidate),
  status: 'failed',
  reason,
  ref: null,
  fault,
});

/**
 * Scores one method on every fold, in the worker thread of its family, and puts its score into `recent`. A candidate
 * whose reference recordings are gone is not tried. Throws if the service could not score it.
 */
export async function scoreOne(
  { compute, recent, reach }: Tools,
  { request, data, candidate, members, signal }: ScoreJob,
): Promise<Scored> {
  const { id, family } = candidate;
  await reach('score:before');
  const untried = withoutOthers(id, data.training);
  if (untried !== null) return failed(candidate, untried, false);
  const affinity = `${request.jobId}/${family}`;
  const result = await compute(
    'score',
    { jobId: request.jobId, data, method: id, members },
    { signal, affinity },
  ).catch((error: unknown) => {
    if (error instanceof ApplicationFailure) return error.message;
    throw error;
  });
  if (typeof result === 'string') return failed(candidate, result, false);

  const { score, bytes } = result;
  activities.candidateSeconds.observe({ method: id }, score.seconds);
  const ref = objectNames.score(request, id);
  await recent.put(ref, bytes);
  await reach('score:after-stored');
  return {
    ...running(candidate),
    status: score.status,
    reason: score.reason,
    balancedAccuracy: Number.isFinite(score.balancedAccuracy) ? score.balancedAccuracy : null,
    seconds: score.seconds,
    ref,
    fault: false,
  };
}
