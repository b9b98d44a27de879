import type { FitOutcome, FitRequest } from './fit-request.ts';
import type { ReferenceTaskKey } from './reference-data/preparation.ts';
import type { ReferenceFitRequest } from './reference-fits.ts';

/**
 * Names that cross processes: task queue, workflow types and handlers, schedules. Changing one strands running
 * workflows.
 */
export const temporalNames = {
  taskQueue: 'task-models',
  taskModel: 'taskModel',
  fitTaskModel: 'fitTaskModel',
  reconcile: 'reconcile',
  prepareReference: 'prepareReference',
  fitReference: 'fitReference',
  prepare: 'prepare',
  fit: 'fit',
  refresh: 'refresh',
  schedules: { daily: 'reconcile-daily', sweep: 'reconcile-sweep' },
} as const;

/**
 * Task queue of the numerics (features, scores, refits, people of reference data), beside that of all the rest, so that
 * machines can be kept for them.
 */
export const heavyQueueOf = (taskQueue: string): string => `${taskQueue}-heavy`;

/** Activities that a worker takes on at once. CPU work among them waits for the worker threads. */
export const activitiesAtOnce = 64;

/** Fits among them, those that wait for their turn included: a worker always has room for one of another account. */
export const fitsAtOnce = 48;

/** What a worker takes on: the numerics, all the rest with the workflows, or both. */
export const workerTasks = ['all', 'light', 'heavy'] as const;
export type WorkerTasks = (typeof workerTasks)[number];

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

/**
 * Workflow of one fit job: of a collecting model a child of its workflow; that of a create begins the workflow of the
 * model that it makes.
 */
export type FitTaskModelWorkflow = (request: FitRequest) => Promise<FitOutcome>;

/** What a run of the reconciler looks at: `sweep` what must not stay, `full` also every model and the ledger. */
export type ReconcileScope = 'sweep' | 'full';

/** Id of the workflow of one fit job. */
export const fitWorkflowId = (modelId: string, jobId: string): string => `${modelId}/fit/${jobId}`;

/**
 * Workflow that prepares the tasks of one version of a data set, one after another. Its signal `prepare` adds a task,
 * which is prepared unless its state says that it has ended; `tasks`: those that an earlier run had left.
 */
export type PrepareReferenceWorkflow = (
  input: Pick<ReferenceTaskKey, 'set' | 'version'> & { readonly tasks: readonly string[] },
) => Promise<void>;

/** Workflow of the fit for one shape of trials. */
export type FitReferenceWorkflow = (request: ReferenceFitRequest) => Promise<void>;

export const prepareWorkflowId = ({ set, version }: Pick<ReferenceTaskKey, 'set' | 'version'>): string =>
  `reference/${set}/${version}`;

export const referenceFitWorkflowId = ({ set, version, key }: ReferenceFitRequest): string =>
  `reference/${set}/${version}/${key}`;
