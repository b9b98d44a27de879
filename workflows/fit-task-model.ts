import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setWorkflowOptions,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, FitFailure, Scored } from '../activities/activities.ts';
import type { FitOutcome, FitRequest } from '../infra/contract/fit-request.ts';
import { temporalNames, type FitTaskModelWorkflow, type TaskModelWorkflow } from '../infra/contract/workflow-names.ts';
import { taskModelStart } from '../infra/contract/workflow-starts.ts';
import { endsWithItsBuild } from './builds.ts';
import { fitFailureOf } from './failures.ts';
import { fitting, unlimitedRetries } from './timeouts.ts';

const { fitModel } = proxyActivities<Activities>(fitting);
const { abandonFit } = proxyActivities<Activities>(unlimitedRetries);

/** One fit job. It always ends with an answer: one activity fits the model, or another one abandons the job. */
export const fitTaskModel: FitTaskModelWorkflow = async (request) => {
  const outcome = await outcomeOf(request);
  if (outcome.result === 'activated' && !workflowInfo().parent)
    await CancellationScope.nonCancellable(() => beginModel(request));
  return outcome;
};

/** The workflow stays on the build that started it. It ends within minutes. */
setWorkflowOptions(endsWithItsBuild, fitTaskModel);

async function outcomeOf(request: FitRequest): Promise<FitOutcome> {
  const { source, candidates } = request;
  const summary =
    'reference' in source || 'network' in source
      ? 'Take over the fit on reference recordings'
      : `Fit ${candidates.length} candidates`;
  setCurrentDetails(summary);
  try {
    const { outcome, method, scores } = await fitModel.executeWithOptions({ ...fitting, summary }, [
      { request, at: Date.now() },
    ]);
    if (outcome.result === 'gone') return await abandon(request, deleted(request));
    setCurrentDetails([`${outcome.result}${method ? `: ${method}` : ''}`, ...scores.map(line)].join('\n\n'));
    return outcome;
  } catch (error) {
    const failure = isCancellation(error) ? deleted(request) : fitFailureOf(error);
    return CancellationScope.nonCancellable(() => abandon(request, failure));
  }
}

/** Starts the workflow of a model after a create, unless it already exists. */
async function beginModel({ modelId }: FitRequest): Promise<void> {
  try {
    await startChild<TaskModelWorkflow>(temporalNames.taskModel, {
      ...taskModelStart(modelId),
      parentClosePolicy: 'ABANDON',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

function abandon(request: FitRequest, failure: FitFailure): Promise<FitOutcome> {
  const reasons = failure.reasons.map(({ method, reason }) => `${method}: ${reason}`);
  setCurrentDetails([`${failure.code}: ${failure.message}`, ...reasons].join('\n\n'));
  return abandonFit.executeWithOptions({ ...unlimitedRetries, summary: `Abandon: ${failure.code}` }, [
    { request, failure, at: Date.now() },
  ]);
}

const deleted = ({ modelId }: FitRequest): FitFailure => ({
  code: 'CLASSIFIER_NOT_FOUND',
  message: `${modelId} was deleted while it was fitted; nothing was charged.`,
  reasons: [],
});

const line = ({ title, status, balancedAccuracy, reason }: Scored): string =>
  `${title}: ${status === 'scored' ? (balancedAccuracy ?? 0).toFixed(3) : `${status}, ${reason}`}`;
