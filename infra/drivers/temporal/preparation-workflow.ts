import type { Client } from '@temporalio/client';
import type { ReferenceTaskKey } from '../../contract/reference-data/preparation.ts';
import { prepareWorkflowId, temporalNames, type PrepareReferenceWorkflow } from '../../contract/workflow-names.ts';

interface StartOptions {
  readonly taskQueue?: string | undefined;
}

/**
 * Adds a task to the one workflow of the data set, and starts the workflow if it does not run. A task with a final
 * state must be marked as queued first.
 */
export async function startPreparation(
  client: Client,
  { set, version, task }: ReferenceTaskKey,
  { taskQueue = temporalNames.taskQueue }: StartOptions = {},
): Promise<void> {
  await client.workflow.signalWithStart<PrepareReferenceWorkflow, [string]>(temporalNames.prepareReference, {
    workflowId: prepareWorkflowId({ set, version }),
    taskQueue,
    args: [{ set, version, tasks: [] }],
    signal: temporalNames.prepare,
    signalArgs: [task],
    staticSummary: `Reference data: ${set} ${version}`,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}
