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
  /** Is told how the candidate stands once it has ended. */
  tell(progress: CandidateProgress): Promise<void> | void;
}

/** How a candidate stands that has not ended. */
export const running = ({ id, title }: Pick<Candidate, 'id' | 'title'>): CandidateProgress => ({
  method: id,
  title,
  status: 'running',
  balancedAccuracy: null,
  reason: null,
  seconds: null,
});

/**
 * One method on every fold, in the worker thread of its family; its score is stored. One that was to begin from
 * recordings that are gone is not tried. Throws where the trouble is the service's.
 */
export async function scoreOne(tools: Tools, job: ScoreJob): Promise<Scored> {
  const { compute, recent, reach } = tools;
  const { request, data, candidate, members, signal, tell } = job;
  const { id, family } = candidate;
  const failed = async (reason: string): Promise<Scored> => {
    const row = { ...running(candidate), status: 'failed' as const, reason };
    await tell(row);
    return { ...row, ref: null, fault: false };
  };
  await reach('score:before');
  const untried = withoutOthers(id, data.training);
  if (untried !== null) return failed(untried);
  const affinity = `${request.jobId}/${family}`;
  const result = await compute(
    'score',
    { jobId: request.jobId, data, method: id, members },
    { signal, affinity },
  ).catch((error: unknown) => {
    if (error instanceof ApplicationFailure) return error.message;
    throw error;
  });
  if (typeof result === 'string') return failed(result);

  const { score, bytes } = result;
  activities.candidateSeconds.observe({ method: id }, score.seconds);
  const ref = objectNames.score(request, id);
  await recent.put(ref, bytes);
  const row = {
    ...running(candidate),
    status: score.status,
    reason: score.reason,
    balancedAccuracy: Number.isFinite(score.balancedAccuracy) ? score.balancedAccuracy : null,
    seconds: score.seconds,
  };
  await tell(row);
  await reach('score:after-stored');
  return { ...row, ref, fault: false };
}
