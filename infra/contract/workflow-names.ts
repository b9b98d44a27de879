import type { FitOutcome, FitRequest } from './fit-request.ts';
import type { ReferenceTaskKey } from './reference-data/preparation.ts';
import type { ReferenceFitRequest } from './reference-fits.ts';

/**
 * Names shared by processes: task queue, workflow types and handlers, schedules. A running workflow cannot continue
 * after one of them changes.
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
 * Task queue of the numerics (features, scores, refits, people of reference data), separate from all other work, so
 * that machines can be reserved for them.
 */
export const heavyQueueOf = (taskQueue: string): string => `${taskQueue}-heavy`;

/** Most activities that a worker runs at once. CPU work among them waits for the worker threads. */
export const activitiesAtOnce = 64;

/**
 * Most of these that are fits, including fits that wait for their turn: a worker always has room for a fit of another
 * account.
 */
export const fitsAtOnce = 48;

/** Work that a worker accepts: the numerics, everything else including the workflows, or both. */
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
 * Workflow of one fit job. The fit of a collecting model is a child of the model's workflow; the fit of a create starts
 * the workflow of the new model.
 */
export type FitTaskModelWorkflow = (request: FitRequest) => Promise<FitOutcome>;

/** Scope of a reconciler run: `sweep`: things that must be removed; `full`: every step. */
export type ReconcileScope = 'sweep' | 'full';

/** Steps of a full run, each a workflow of its own: `<id of the run>/<step>`. */
export const reconcileSteps = ['sweep', 'models', 'books', 'reference', 'objects'] as const;
export type ReconcileStep = (typeof reconcileSteps)[number];

/** Id of the workflow of one fit job. */
export const fitWorkflowId = (modelId: string, jobId: string): string => `${modelId}/fit/${jobId}`;

/**
 * Workflow that prepares the tasks of one version of a data set, one after another. Its signal `prepare` adds a task,
 * which is prepared unless its state is final. `tasks`: tasks that an earlier run left.
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
