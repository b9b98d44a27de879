import { runningFits, type RunningFit } from '../../../infra/records/fit-jobs/running.ts';
import type { JobsAnswer } from '../contract/responses.ts';
import { accountRoute } from '../route.ts';

/** A row of the answer and of the export. */
export const jobRow = (job: RunningFit): JobsAnswer['data'][number] => ({
  job_id: job.jobId,
  model_id: job.modelId,
  name: job.name,
  description: job.description,
  mode: job.mode,
  started: job.startedAt.toISOString(),
  candidates: job.candidates.map(({ method, title, status, balancedAccuracy, reason, seconds }) => ({
    id: method,
    title,
    status,
    balanced_accuracy: balancedAccuracy,
    reason,
    seconds,
  })),
});

export const jobRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/jobs',
    handle: async ({ pool }, { accountId }) => ({ data: (await runningFits(pool, accountId)).map(jobRow) }),
  }),
];
