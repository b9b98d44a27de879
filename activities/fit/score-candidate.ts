import { ApplicationFailure } from '@temporalio/common';
import { recordProgress, type CandidateProgress } from '../../infra/records/task-models/index.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { withoutOthers } from '../../ml/train/without-others.ts';
import { beating } from '../beating.ts';
import type { Tools } from '../tools.ts';
import type { Activities, Scored } from '../types.ts';

/**
 * One method on every fold, in a worker thread; methods of one family follow each other in the same thread and share
 * work. One that was to begin from recordings that are gone is not tried.
 */
export function createScoreCandidate({ pool, objects, blobs, compute, reach }: Tools): Activities['scoreCandidate'] {
  return ({ request, dataset, candidate, members = [] }) =>
    beating(async (signal) => {
      const { id, title, family } = candidate;
      const progress = (scored: Pick<CandidateProgress, 'status'> & Partial<CandidateProgress>): Promise<void> =>
        recordProgress(
          pool,
          request.jobId,
          { method: id, title, balancedAccuracy: null, reason: null, seconds: null, ...scored },
          new Date(),
        );
      const failed = async (reason: string): Promise<Scored> => {
        await progress({ status: 'failed', reason });
        return {
          method: id,
          title,
          status: 'failed',
          reason,
          balancedAccuracy: null,
          seconds: null,
          ref: null,
          fault: false,
        };
      };

      await reach('score:before');
      await progress({ status: 'running' });
      const data = await blobs.open(dataset.ref);
      const untried = withoutOthers(id, data.training);
      if (untried !== null) return failed(untried);
      const affinity = `${request.jobId}/${family}`;
      const earlier = await Promise.all(members.map((ref) => objects.get(ref)));
      const result = await compute(
        'score',
        { jobId: request.jobId, data, method: id, members: earlier },
        { signal, affinity },
      ).catch((error: unknown) => {
        if (error instanceof ApplicationFailure) return error.message;
        throw error;
      });
      if (typeof result === 'string') return failed(result);

      const { score, bytes } = result;
      const ref = objectNames.score(request, id);
      await objects.put(ref, bytes);
      const balancedAccuracy = Number.isFinite(score.balancedAccuracy) ? score.balancedAccuracy : null;
      const scored: Scored = {
        method: id,
        title,
        status: score.status,
        reason: score.reason,
        balancedAccuracy,
        seconds: score.seconds,
        ref,
        fault: false,
      };
      await progress({ status: score.status, reason: score.reason, balancedAccuracy, seconds: score.seconds });
      await reach('score:after-stored');
      return scored;
    });
}
