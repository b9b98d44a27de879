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
import type { Activities, FitFailure, Scored } from '../activities/types.ts';
import type { FitOutcome, FitRequest } from '../infra/contract/fit-request.ts';
import { temporalNames, type FitTaskModelWorkflow, type TaskModelWorkflow } from '../infra/contract/workflow-names.ts';
import { taskModelStart } from '../infra/contract/workflow-starts.ts';
import { endsWithItsBuild } from './builds.ts';
import { fitFailureOf } from './failures.ts';
import { steady, wholeFit } from './timeouts.ts';

const { fitModel } = proxyActivities<Activities>(wholeFit);
const { abandonFit } = proxyActivities<Activities>(steady);

/**
 * One fit job: one activity fits the model, another abandons a job that ends without one. It always ends with an
 * answer. The job of a create then begins the workflow of its model.
 */
export const fitTaskModel: FitTaskModelWorkflow = async (request) => {
  const outcome = await fit(request);
  if (outcome.result === 'activated' && !workflowInfo().parent)
    await CancellationScope.nonCancellable(() => beginModel(request));
  return outcome;
};

/** It ends with the build that began it, which is kept for the minutes that it takes. */
setWorkflowOptions(endsWithItsBuild, fitTaskModel);

async function fit(request: FitRequest): Promise<FitOutcome> {
  const summary =
    'reference' in request.source
      ? 'Take over the fit on reference recordings'
      : `Fit ${request.candidates.length} candidates`;
  setCurrentDetails(`${summary}: the last heartbeat of the activity says how far it is`);
  try {
    const end = await fitModel.executeWithOptions({ ...wholeFit, summary }, [{ request, at: Date.now() }]);
    const { outcome, title, scores } = end;
    setCurrentDetails([`${outcome?.result ?? 'failed'}${title ? `: ${title}` : ''}`, ...scores.map(line)].join('\n\n'));
    if (outcome && outcome.result !== 'gone') return outcome;
    return await abandon(request, end.failure ?? deleted(request));
  } catch (error) {
    const failure = isCancellation(error) ? deleted(request) : fitFailureOf(error);
    return CancellationScope.nonCancellable(() => abandon(request, failure));
  }
}

function abandon(request: FitRequest, failure: FitFailure): Promise<FitOutcome> {
  const reasons = failure.reasons.map(({ method, reason }) => `${method}: ${reason}`);
  setCurrentDetails([`${failure.code}: ${failure.message}`, ...reasons].join('\n\n'));
  return abandonFit.executeWithOptions({ ...steady, summary: `Abandon: ${failure.code}` }, [
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

/** Starts the workflow of the model that a create has made, unless it runs already. */
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
