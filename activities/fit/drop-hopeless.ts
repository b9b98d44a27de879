import { objectNames } from '../../infra/contract/object-names.ts';
import { firstFoldInParts } from '../compute/first-fold-in-parts.ts';
import type { Tools } from '../tools.ts';
import type { Scored } from '../activities.ts';
import type { ScoringJob } from './scoring-job.ts';

/**
 * Scores every candidate on the first fold. Returns those that can no longer become the best; none if the first fold
 * cannot be scored.
 */
export async function dropHopeless(
  { compute, log }: Pick<Tools, 'compute' | 'log'>,
  { request, data, scores, signal }: ScoringJob,
): Promise<Scored[]> {
  const { jobId, candidates } = request;
  try {
    const dropped = await firstFoldInParts(compute, { jobId, data, candidates }, signal);
    return dropped.map(({ score, bytes }): Scored => {
      const { method, title, reason, balancedAccuracy, seconds } = score;
      const ref = objectNames.score(request, method);
      scores.put(ref, bytes);
      return { method, title, status: 'dropped', reason, balancedAccuracy, seconds, ref };
    });
  } catch (error) {
    if (signal.aborted) throw error;
    log?.warn('The first fold could not be scored; no candidate is dropped.', { job: jobId, error });
    return [];
  }
}
