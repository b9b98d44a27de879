import type { FitOutcome, FitRequest } from './fit-request.ts';

/**
 * Names that cross processes: task queue, workflow types and handlers, schedules. Changing one strands running
 * workflows.
 */
export const temporalNames = {
  taskQueue: 'task-models',
  taskModel: 'taskModel',
  fitTaskModel: 'fitTaskModel',
  reconcile: 'reconcile',
  fit: 'fit',
  refresh: 'refresh',
  schedules: { daily: 'reconcile-daily', sweep: 'reconcile-sweep' },
} as const;

/**
 * Workflow of one task model; workflow id = model id. Its handlers: the update `fit`, the signal `refresh` without
 * arguments.
 */
export type TaskModelWorkflow = (model: { readonly modelId: string }) => Promise<void>;

/** Arguments and result of the update `fit`. */
export interface FitUpdate {
  readonly args: [FitRequest];
  readonly result: FitOutcome;
}

/** Workflow of one fit job, child of the task model's. */
export type FitTaskModelWorkflow = (request: FitRequest) => Promise<FitOutcome>;

/** What a run of the reconciler looks at: `sweep` what must not stay, `full` also every model and the ledger. */
export type ReconcileScope = 'sweep' | 'full';

/** Id of the child workflow of one fit job. */
export const fitWorkflowId = (modelId: string, jobId: string): string => `${modelId}/fit/${jobId}`;
