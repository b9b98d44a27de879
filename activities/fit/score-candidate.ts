import { ApplicationFailure } from '@temporalio/common';
import type { Candidate } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { activities } from '../../infra/observe/metrics.ts';
import { othersLost } from '../../ml/methods/others-lost.ts';
import type { Tools } from '../tools.ts';
import type { Scored } from '../activities.ts';
import type { ScoringJob } from './scoring-job.ts';

export const failedCandidate = ({ id, title }: Candidate, reason: string): Scored => ({
  method: id,
  title,
  status: 'failed',
  reason,
  balancedAccuracy: null,
  seconds: null,
  ref: null,
});

/**
 * Scores one method on every fold, in the worker thread of its family. `members`: the rows of the methods that an
 * average combines. The candidate is `failed`, with the reason, if it cannot be fitted, if a member of the average is
 * missing, or if what it uses of other people is lost. Throws if the service fails.
 */
export async function scoreCandidate(
  { compute, reach }: Tools,
  { request, data, scores, signal }: ScoringJob,
  candidate: Candidate,
  members: readonly Scored[],
): Promise<Scored> {
  const { id, title, family } = candidate;
  const failed = (reason: string): Scored => failedCandidate(candidate, reason);
  await reach('score:before');
  const lost = othersLost(id, data.training);
  if (lost !== null) return failed(lost);
  const failedMember = members.find(({ ref }) => ref === null);
  if (failedMember)
    return failed(
      `It averages ${members.length} methods, of which ${failedMember.title} failed: ${failedMember.reason}`,
    );
  const { jobId } = request;
  const stored = await Promise.all(members.map(({ ref }) => scores.get(ref!)));
  const result = await compute(
    'score',
    { jobId, data, method: id, members: stored },
    { signal, affinity: `${jobId}/${family}` },
  ).catch((error: unknown) => {
    if (error instanceof ApplicationFailure) return error.message;
    throw error;
  });
  if (typeof result === 'string') return failed(result);

  const { score, bytes } = result;
  const { status, reason, balancedAccuracy, seconds } = score;
  activities.candidateSeconds.observe({ method: id }, seconds);
  const ref = objectNames.score(request, id);
  scores.put(ref, bytes);
  await reach('score:after-stored');
  const accuracy = Number.isFinite(balancedAccuracy) ? balancedAccuracy : null;
  return { method: id, title, status, reason, balancedAccuracy: accuracy, seconds, ref };
}
