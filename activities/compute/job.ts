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
const most = 2;

let known: readonly Job[] = [];

/** Folds and workspace of a job in this thread. The next candidate of a family reuses the work of the previous one. */
export function jobOf(jobId: string, { training }: JobData): Job {
  const job = known.find((each) => each.jobId === jobId) ?? {
    jobId,
    training,
    plan: planFolds(training),
    workspace: createWorkspace(workspaceBytes() / most),
  };
  known = [job, ...known.filter((each) => each !== job)].slice(0, most);
  return job;
}

/** Clears the cache of jobs. */
export const forgetJobs = (): void => {
  known = [];
};
