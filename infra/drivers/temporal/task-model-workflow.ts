import type { Client } from '@temporalio/client';
import type { FitRequest } from '../../contract/fit-request.ts';
import { temporalNames, type TaskModelWorkflow } from '../../contract/workflow-names.ts';
import { fitStart, taskModelStart } from '../../contract/workflow-starts.ts';

/** Starts the workflow of a model, or finds it if it runs. */
export const startOf = (modelId: string, taskQueue: string = temporalNames.taskQueue) => ({
  ...taskModelStart(modelId),
  taskQueue,
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
});

/**
 * Starts the fit job of a create, or finds it if it runs or has ended. The job exists before its model, whose workflow
 * it starts.
 */
export const startOfFit = (request: FitRequest, taskQueue: string = temporalNames.taskQueue) => ({
  ...fitStart(request),
  taskQueue,
  workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
});

/** Signals the model's workflow to read Postgres again; starts it if it is missing. */
export async function wakeTaskModel(client: Client, modelId: string, taskQueue?: string): Promise<void> {
  await client.workflow.signalWithStart<TaskModelWorkflow>(temporalNames.taskModel, {
    ...startOf(modelId, taskQueue),
    signal: temporalNames.refresh,
  });
}
