import { workspaceBytes } from '../../infra/drivers/process-memory.ts';
import { createWorkspace, planFolds, type FoldPlan, type TrainingData, type Workspace } from '../../ml/train/index.ts';
import type { JobData } from './job-data.ts';

interface Job {
  readonly jobId: string;
  readonly training: TrainingData;
  readonly plan: FoldPlan;
  readonly workspace: Workspace;
}

let current: Job | null = null;

/** Folds and workspace of the job this thread works for: the next candidate of a family finds the shared work done. */
export function jobOf(jobId: string, { training }: JobData): Job {
  if (current?.jobId !== jobId)
    current = { jobId, training, plan: planFolds(training), workspace: createWorkspace(workspaceBytes()) };
  return current;
}
