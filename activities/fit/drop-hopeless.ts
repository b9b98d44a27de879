import { recordProgress } from '../../infra/records/task-models/index.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { beating } from '../beating.ts';
import { firstFoldInParts } from '../compute/first-fold-in-parts.ts';
import type { Tools } from '../tools.ts';
import type { Activities, Scored } from '../types.ts';

/** Every candidate on the first fold; those that cannot catch up are stored as dropped and answered. Idempotent. */
export function createDropHopeless({ pool, objects, blobs, compute }: Tools): Activities['dropHopeless'] {
  return ({ request, dataset }) =>
    beating(async (signal) => {
      const { jobId, candidates } = request;
      const data = await blobs.open(dataset.ref);
      const dropped = await firstFoldInParts(compute, { jobId, data, candidates }, signal);
      return Promise.all(
        dropped.map(async ({ score, bytes }): Promise<Scored> => {
          const { method, title, reason, balancedAccuracy, seconds } = score;
          const ref = objectNames.score(request, method);
          await objects.put(ref, bytes);
          const row = { method, title, status: 'dropped' as const, reason, balancedAccuracy, seconds };
          await recordProgress(pool, jobId, row, new Date());
          return { ...row, ref, fault: false };
        }),
      );
    });
}
