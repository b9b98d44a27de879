import type { Client } from '@temporalio/client';
import { temporalNames, type TaskModelWorkflow } from '../../contract/workflow-names.ts';

/** How the workflow of a model is started, or found where it runs. */
export const startOf = (modelId: string, taskQueue: string = temporalNames.taskQueue) => ({
  workflowId: modelId,
  taskQueue,
  args: [{ modelId }] as Parameters<TaskModelWorkflow>,
  staticSummary: `Task model ${modelId}`,
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
});

/** Tells the model's workflow to read Postgres again; starts it where it is missing. */
export async function wakeTaskModel(client: Client, modelId: string, taskQueue?: string): Promise<void> {
  await client.workflow.signalWithStart<TaskModelWorkflow>(temporalNames.taskModel, {
    ...startOf(modelId, taskQueue),
    signal: temporalNames.refresh,
  });
}
