import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  executeChild,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities, Lifecycle } from '../activities/activities.ts';
import type { FitOutcome, FitRequest } from '../infra/contract/fit-request.ts';
import { temporalNames, type FitTaskModelWorkflow } from '../infra/contract/workflow-names.ts';
import { fitStart } from '../infra/contract/workflow-starts.ts';
import { messageOf } from './failures.ts';
import { unlimitedRetries } from './timeouts.ts';

const { abandonFit } = proxyActivities<Activities>(unlimitedRetries);

export interface Fits {
  /** The job that runs now. */
  readonly running: string | null;
  /** The validator of the `fit` update. */
  check(request: FitRequest, lifecycle: Lifecycle | null): void;
  run(request: FitRequest): Promise<FitOutcome>;
  /** Ends the running job because its model has ended. */
  cancel(): void;
}

interface Running {
  readonly jobId: string;
  readonly scope: CancellationScope;
  readonly outcome: Promise<FitOutcome>;
}

/**
 * Runs one fit at a time for one model. A second request for the same job joins it. `onEnd` is called when a job has
 * ended.
 */
export function createFits(modelId: string, onEnd: () => void): Fits {
  let running: Running | null = null;
  let last: { jobId: string; outcome: FitOutcome } | null = null;
  return {
    get running() {
      return running?.jobId ?? null;
    },
    check(request, lifecycle) {
      if (request.modelId !== modelId)
        throw refusal('FitNotPossible', `The job is for ${request.modelId}, not for ${modelId}.`);
      if (running && running.jobId !== request.jobId) {
        throw refusal('FitRunning', `A fit of ${modelId} is running already; wait for its answer.`);
      }
      if (last?.jobId === request.jobId) return;
      const status = last?.outcome.result === 'activated' ? 'active' : lifecycle?.status;
      if (!running && status && status !== 'collecting' && status !== 'fitting') {
        throw refusal('FitNotPossible', `${modelId} is ${status}; only a collecting task model can be fitted.`);
      }
    },
    async run(request) {
      if (running?.jobId === request.jobId) return running.outcome;
      if (last?.jobId === request.jobId) return last.outcome;
      if (running) throw refusal('FitRunning', `A fit of ${modelId} is running already; wait for its answer.`);
      const scope = new CancellationScope();
      const outcome = scope.run(() => runChild(request));
      running = { jobId: request.jobId, scope, outcome };
      try {
        last = { jobId: request.jobId, outcome: await outcome };
        return last.outcome;
      } finally {
        running = null;
        onEnd();
      }
    },
    cancel() {
      running?.scope.cancel();
    },
  };
}

async function runChild(request: FitRequest): Promise<FitOutcome> {
  try {
    return await executeChild<FitTaskModelWorkflow>(temporalNames.fitTaskModel, {
      ...fitStart(request),
      parentClosePolicy: 'ABANDON',
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) {
      throw ApplicationFailure.create({
        message: `Job ${request.jobId} runs on by itself.`,
        type: 'FitDetached',
        cause: error,
      });
    }
    const failure = isCancellation(error)
      ? {
          code: 'CLASSIFIER_NOT_FOUND' as const,
          message: `${request.modelId} was deleted while it was fitted; nothing was charged.`,
          reasons: [],
        }
      : {
          code: 'INTERNAL' as const,
          message: 'The fit ended unexpectedly; nothing was charged.',
          reasons: [{ method: 'workflow', reason: messageOf(error) }],
        };
    return CancellationScope.nonCancellable(() => abandonFit({ request, failure, at: Date.now() }));
  }
}

const refusal = (type: string, message: string): ApplicationFailure =>
  ApplicationFailure.create({ type, message, nonRetryable: true });
