import type { Client } from '@temporalio/client';
import type { FitRequest } from '../../contract/fit-request.ts';
import { temporalNames, type TaskModelWorkflow } from '../../contract/workflow-names.ts';
import { fitStart, taskModelStart } from '../../contract/workflow-starts.ts';

/** How the workflow of a model is started, or found where it runs. */
export const startOf = (modelId: string, taskQueue: string = temporalNames.taskQueue) => ({
  ...taskModelStart(modelId),
  taskQueue,
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
});

/**
 * How the fit of a create is started, or found where it runs or has ended: it is there before its model, whose workflow
 * it begins.
 */
export const startOfFit = (request: FitRequest, taskQueue: string = temporalNames.taskQueue) => ({
  ...fitStart(request),
  taskQueue,
  workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
});

/** Tells the model's workflow to read Postgres again; starts it where it is missing. */
export async function wakeTaskModel(client: Client, modelId: string, taskQueue?: string): Promise<void> {
  await client.workflow.signalWithStart<TaskModelWorkflow>(temporalNames.taskModel, {
    ...startOf(modelId, taskQueue),
    signal: temporalNames.refresh,
  });
}
