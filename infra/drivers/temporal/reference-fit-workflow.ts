import type { Client } from '@temporalio/client';
import type { ReferenceFitRequest } from '../../contract/reference-fits.ts';
import { referenceFitWorkflowId, temporalNames, type FitReferenceWorkflow } from '../../contract/workflow-names.ts';

interface StartOptions {
  readonly taskQueue?: string | undefined;
}

/** Starts the one workflow of a fit, or finds it if it runs. */
export async function startReferenceFit(
  client: Client,
  request: ReferenceFitRequest,
  { taskQueue = temporalNames.taskQueue }: StartOptions = {},
): Promise<void> {
  await client.workflow.start<FitReferenceWorkflow>(temporalNames.fitReference, {
    workflowId: referenceFitWorkflowId(request),
    taskQueue,
    args: [request],
    staticSummary: `Reference fit: ${request.task}, ${request.shape.channelNames.length} electrodes`,
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}
