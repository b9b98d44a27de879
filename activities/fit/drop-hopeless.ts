import type { Candidate, FitTarget } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { recordProgress } from '../../infra/records/task-models/index.ts';
import { beating } from '../beating.ts';
import { firstFoldInParts } from '../compute/first-fold-in-parts.ts';
import type { JobData } from '../compute/job-data.ts';
import type { Tools } from '../tools.ts';
import type { Activities, Scored } from '../types.ts';

/** Every candidate on the first fold; those that cannot catch up are stored as dropped and answered. */
export async function hopelessOf(
  { compute, recent }: Pick<Tools, 'compute' | 'recent'>,
  request: FitTarget & { readonly candidates: readonly Candidate[] },
  data: JobData,
  signal: AbortSignal,
): Promise<Scored[]> {
  const { jobId, candidates } = request;
  const dropped = await firstFoldInParts(compute, { jobId, data, candidates }, signal);
  return Promise.all(
    dropped.map(async ({ score, bytes }): Promise<Scored> => {
      const { method, title, reason, balancedAccuracy, seconds } = score;
      const ref = objectNames.score(request, method);
      await recent.put(ref, bytes);
      return { method, title, status: 'dropped', reason, balancedAccuracy, seconds, ref, fault: false };
    }),
  );
}

/** The first fold by itself, for fits that began before all candidates were scored together. Idempotent. */
export function createDropHopeless(tools: Tools): Activities['dropHopeless'] {
  return ({ request, dataset }) =>
    beating(async (signal) => {
      const dropped = await hopelessOf(tools, request, await tools.blobs.open(dataset.ref), signal);
      await recordProgress(tools.pool, request.jobId, dropped.map(progressOf), new Date());
      return dropped;
    });
}

/** The row that a caller sees of an ended candidate. */
export const progressOf = ({ ref: _ref, fault: _fault, ...row }: Scored): Omit<Scored, 'ref' | 'fault'> => row;
