import type { Pool } from 'pg';
import type { ApiDeps } from '../../api/deps.ts';
import type { EndedFit } from '../../infra/contract/fit-request.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { fitFailureOf } from '../../workflows/failures.ts';
import { activitiesInProcess } from './activities-in-process.ts';

/**
 * Fits in this process instead of a worker: the activities in the order of the workflow, with the first candidate only.
 */
export function fitInProcess({ pool, objects }: { pool: Pool; objects: ObjectStore }): ApiDeps['jobs'] {
  const activities = activitiesInProcess({ pool, objects });
  return {
    async runFit(request): Promise<EndedFit> {
      try {
        const dataset = await activities.extractFeatures({ request });
        const scored = await activities.scoreCandidate({ request, dataset, candidate: request.candidates[0]! });
        const winner = await activities.chooseAndRefit({ request, dataset, scores: [scored] });
        await activities.activateModel({ request, winner, at: Date.now() });
      } catch (error) {
        const failure = fitFailureOf(error);
        if (failure.code !== 'CLASSIFIER_FIT_FAILED') throw error;
        await activities.abandonFit({ request, failure, at: Date.now() });
      }
      return (await answerOf(pool, request.jobId))!;
    },
    stopFit: async () => undefined,
    startCollecting: async () => undefined,
    refresh: async () => undefined,
  };
}
