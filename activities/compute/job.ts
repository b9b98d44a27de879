import { workspaceBytes } from '../../infra/drivers/process-memory.ts';
import { createWorkspace, planFolds, type FoldPlan, type TrainingData, type Workspace } from '../../ml/train/index.ts';
import type { JobData } from './job-data.ts';

interface Job {
  readonly jobId: string;
  readonly training: TrainingData;
  readonly plan: FoldPlan;
  readonly workspace: Workspace;
}

/** Jobs that a thread keeps what it knows of: the one that it works for, and the one before, which may go on. */
const most = 2;

let known: readonly Job[] = [];

/** Folds and workspace of a job in this thread: the next candidate of a family finds the shared work done. */
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

/** Keeps nothing of any job. */
export const forgetJobs = (): void => {
  known = [];
};
