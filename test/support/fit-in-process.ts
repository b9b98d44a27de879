import type { ApiDeps } from '../../api/deps.ts';
import type { Candidate, EndedFit, FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { fitFailureOf } from '../../workflows/failures.ts';
import { activitiesInProcess } from './activities-in-process.ts';

/** The first candidate, and those that start from recordings of other people. */
const triedOf = ({ candidates }: FitRequest): readonly Candidate[] =>
  candidates.filter(({ id, members }, i) => i === 0 || (id.startsWith('reference-') && !members));

/**
 * Fits in this process instead of a worker, by default with few of the candidates. Computes in the given threads, if
 * any.
 */
export function fitInProcess(
  deps: Parameters<typeof activitiesInProcess>[0],
  tried: (request: FitRequest) => readonly Candidate[] = triedOf,
): ApiDeps['jobs'] {
  const { pool } = deps;
  const activities = activitiesInProcess(deps);
  return {
    async runFit(request): Promise<EndedFit> {
      try {
        await activities.fitModel({ request: { ...request, candidates: tried(request) }, at: Date.now() });
      } catch (error) {
        const failure = fitFailureOf(error);
        if (failure.code !== 'CLASSIFIER_FIT_FAILED' && !('reference' in request.source || 'network' in request.source))
          throw error;
        await activities.abandonFit({ request, failure, at: Date.now() });
      }
      return (await answerOf(pool, request.jobId))!;
    },
    stopFit: async () => undefined,
    startCollecting: async () => undefined,
    refresh: async () => undefined,
  };
}
