import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { FitRequest } from '../../contract/fit-request.ts';
import { searchAttributes } from '../../contract/search-attributes.ts';
import {
  fitWorkflowId,
  temporalNames,
  type FitTaskModelWorkflow,
  type TaskModelWorkflow,
} from '../../contract/workflow-names.ts';

/** How the workflow of a model is started, or found where it runs. */
export const startOf = (modelId: string, taskQueue: string = temporalNames.taskQueue) => ({
  workflowId: modelId,
  taskQueue,
  args: [{ modelId }] as Parameters<TaskModelWorkflow>,
  staticSummary: `Task model ${modelId}`,
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
});

/**
 * How the fit of a create is started, or found where it runs or has ended: it is there before its model, whose workflow
 * it begins.
 */
export const startOfFit = (request: FitRequest, taskQueue: string = temporalNames.taskQueue) => ({
  workflowId: fitWorkflowId(request.modelId, request.jobId),
  taskQueue,
  args: [request] as Parameters<FitTaskModelWorkflow>,
  workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
  typedSearchAttributes: [
    { key: defineSearchAttributeKey(searchAttributes.accountId, 'KEYWORD'), value: request.accountId },
    { key: defineSearchAttributeKey(searchAttributes.taskKind, 'KEYWORD'), value: request.taskKind },
    { key: defineSearchAttributeKey(searchAttributes.mode, 'KEYWORD'), value: request.mode },
  ],
  staticSummary: `Fit of ${request.modelId}: ${request.candidates.length} candidates`,
});

/** Tells the model's workflow to read Postgres again; starts it where it is missing. */
export async function wakeTaskModel(client: Client, modelId: string, taskQueue?: string): Promise<void> {
  await client.workflow.signalWithStart<TaskModelWorkflow>(temporalNames.taskModel, {
    ...startOf(modelId, taskQueue),
    signal: temporalNames.refresh,
  });
}
