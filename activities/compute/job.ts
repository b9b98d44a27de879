import { workspaceBytes } from '../../infra/drivers/process-memory.ts';
import { createWorkspace, planFolds, type FoldPlan, type TrainingData, type Workspace } from '../../ml/train/index.ts';
import type { JobData } from './job-data.ts';

interface Job {
  readonly jobId: string;
  readonly training: TrainingData;
  readonly plan: FoldPlan;
  readonly workspace: Workspace;
}

/** A thread caches this many jobs: the current one and the previous one, which may continue. */
const cachedJobs = 2;

let cache: readonly Job[] = [];

/** Folds and workspace of a job in this thread. The next candidate of a family reuses the work of the previous one. */
export function jobOf(jobId: string, { training }: JobData): Job {
  const job = cache.find((each) => each.jobId === jobId) ?? {
    jobId,
    training,
    plan: planFolds(training),
    workspace: createWorkspace(workspaceBytes() / cachedJobs),
  };
  cache = [job, ...cache.filter((each) => each !== job)].slice(0, cachedJobs);
  return job;
}

/** Clears the cache of jobs. */
export const forgetJobs = (): void => {
  cache = [];
};
