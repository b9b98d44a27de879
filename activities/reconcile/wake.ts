import { temporalNames } from '../../infra/contract/workflow-names.ts';
import type { Tools } from '../tools.ts';

/** Tells the model's workflow to read Postgres again; starts it where it is missing. */
export async function wake({ client, taskQueue }: Pick<Tools, 'client' | 'taskQueue'>, modelId: string): Promise<void> {
  await client.workflow.signalWithStart(temporalNames.taskModel, {
    workflowId: modelId,
    taskQueue: taskQueue ?? temporalNames.taskQueue,
    args: [{ modelId }],
    staticSummary: `Task model ${modelId}`,
    signal: temporalNames.refresh,
  });
}
