import type { FitRequest } from './fit-request.ts';
import { searchAttributes } from './search-attributes.ts';
import { fitWorkflowId, type FitTaskModelWorkflow, type TaskModelWorkflow } from './workflow-names.ts';

/** Start options of a model's workflow, the same for every caller. */
export const taskModelStart = (modelId: string) => ({
  workflowId: modelId,
  args: [{ modelId }] as Parameters<TaskModelWorkflow>,
  staticSummary: `Task model ${modelId}`,
});

/**
 * Start options of a fit job, which has no status of its own. Its activities inherit the fairness key of its account:
 * Temporal gives workers the tasks of the accounts in turn.
 */
export const fitStart = (request: FitRequest) => ({
  workflowId: fitWorkflowId(request.modelId, request.jobId),
  args: [request] as Parameters<FitTaskModelWorkflow>,
  typedSearchAttributes: [
    { key: searchAttributes.accountId, value: request.accountId },
    { key: searchAttributes.taskKind, value: request.taskKind },
    { key: searchAttributes.mode, value: request.mode },
  ],
  priority: { fairnessKey: request.accountId },
  staticSummary: summaryOf(request),
});

/** The estimates are next to the candidates, so that an operator sees whether a fit runs unusually long. */
const summaryOf = ({ modelId, candidates, bytes, cpuSeconds }: FitRequest): string =>
  `Fit of ${modelId}: ${candidates.length} candidates` +
  (bytes > 0 ? `, about ${Math.ceil(bytes / 1024 ** 2)} MiB and ${Math.ceil(cpuSeconds)} s of processor time` : '');
