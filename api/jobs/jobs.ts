import { setTimeout as sleep } from 'node:timers/promises';
import {
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowUpdateFailedError,
  type Client,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type pg from 'pg';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits, minuteMs } from '../../infra/contract/limits.ts';
import { freeIdempotency } from '../../infra/records/admission/idempotency.ts';
import { release } from '../../infra/records/ledger/holds.ts';
import { dropFitting } from '../../infra/records/task-models/transitions.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { silentLog, type Log } from '../../infra/observe/log.ts';
import { withoutNotifications, type EndedFits } from '../../infra/records/fit-jobs/ended.ts';
import { cancelFit } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { answerOf, lockJob, withdrawFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import type { EndedFit, FitRequest, FitTarget } from '../../infra/contract/fit-request.ts';
import {
  fitWorkflowId,
  temporalNames,
  type FitTaskModelWorkflow,
  type FitUpdate,
  type TaskModelWorkflow,
} from '../../infra/contract/workflow-names.ts';
import { startOf, startOfFit, wakeTaskModel } from '../../infra/drivers/temporal/task-model-workflow.ts';

/** Requests of the API to the workflows. */
export interface Jobs {
  /**
   * Starts a recorded job (`enqueueFit`), or joins the one with its id, and waits for the terminal answer: 201 or 200
   * with the task model, 422 CLASSIFIER_FIT_FAILED, or an error after which the credit hold is released and the
   * idempotency key is free. Throws CONFLICT or INVALID_REQUEST if the model cannot be fitted now; nothing is stored
   * then. Throws POOL_UNAVAILABLE with `details.job = 'running'` if no worker takes the job in time, or if it takes too
   * long. Then the job continues, the caller keeps the idempotency key as running, and a retry gets the answer.
   * `patienceMs`: how long to wait for the answer, if not as long as usual; 0: the job is only started.
   */
  runFit(request: FitRequest, patienceMs?: number): Promise<EndedFit>;
  /**
   * Ends the workflow of a job that was cancelled in Postgres. Never throws: the workflow's next step detects the
   * cancellation.
   */
  stopFit(job: FitTarget): Promise<void>;
  /** Starts the workflow of a model that collects batches. The reconciler repairs a failure. */
  startCollecting(model: { readonly modelId: string }): Promise<void>;
  /**
   * Signals the workflow that the model changed in Postgres; starts the workflow if it is missing. Never throws: the
   * reconciler repairs a failure.
   */
  refresh(modelId: string): Promise<void>;
  /** Whether the Temporal server responds. */
  ping(): Promise<boolean>;
}

export interface JobsOptions {
  readonly client: Client;
  readonly pool: pg.Pool;
  readonly taskQueue?: string;
  /** Limits in milliseconds: until a worker must have taken the job, until its answer, and for a signal. */
  readonly waits?: { readonly accept: number; readonly answer: number; readonly signal: number };
  /** Notifications of jobs that have ended. Default: none; the answers are polled. */
  readonly ended?: EndedFits;
  readonly log?: Log;
}

export const usualWaits = { accept: 20_000, answer: limits.fitWaitMinutes * minuteMs, signal: 3_000 };
const pollMs = 1_500;

export function createJobs({
  client,
  pool,
  taskQueue,
  waits = usualWaits,
  ended: endings = withoutNotifications,
  log = silentLog,
}: JobsOptions): Jobs {
  const within = <T>(ms: number, call: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + ms, call);

  const signal = async (modelId: string): Promise<void> => {
    try {
      await within(waits.signal, () => wakeTaskModel(client, modelId, taskQueue));
    } catch (error) {
      log.warn('A change could not be sent to its workflow. The reconciler will send it.', {
        workflow: modelId,
        error,
      });
    }
  };

  /** Starts the job of a collecting model. The model's workflow decides whether it may be fitted now. */
  const startUpdate = (request: FitRequest, acceptMs: number): Promise<Started> =>
    within(acceptMs, () =>
      client.workflow.startUpdateWithStart<TaskModelWorkflow, FitUpdate['result'], FitUpdate['args']>(
        temporalNames.fit,
        {
          args: [request],
          updateId: request.jobId,
          waitForStage: 'ACCEPTED',
          startWorkflowOperation: new WithStartWorkflowOperation<TaskModelWorkflow>(
            temporalNames.taskModel,
            startOf(request.modelId, taskQueue),
          ),
        },
      ),
    );

  /** Starts the job of a create, whose model is new. */
  const startFit = async (request: FitRequest, acceptMs: number): Promise<Started> => {
    const start = startOfFit(request, taskQueue);
    const handle = await within(acceptMs, () =>
      client.workflow.start<FitTaskModelWorkflow>(temporalNames.fitTaskModel, start).catch((error: unknown) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        return client.workflow.getHandle<FitTaskModelWorkflow>(start.workflowId);
      }),
    );
    return {
      result: () => handle.result(),
      isTaken: async () => (await within(waits.signal, () => handle.describe())).historyLength > untakenEvents,
    };
  };

  /**
   * Undoes a job that the workflow rejected. A workflow that has continued as new also rejects a job that has ended.
   * That job keeps its answer.
   */
  const refused = async (request: FitRequest, error: ApiError): Promise<EndedFit> => {
    const { jobId, modelId, accountId, mode, holdId, idempotencyKey: key } = request;
    const ended = await transaction(pool, async (sql) => {
      const answer = (await lockJob(sql, jobId)) && (await answerOf(sql, jobId));
      if (answer) return answer;
      await withdrawFit(sql, jobId);
      await release(sql, holdId, new Date());
      await dropFitting(sql, modelId);
      if (key !== null) await freeIdempotency(sql, { accountId, mode, key });
      return null;
    });
    if (ended) return ended;
    throw error;
  };

  /**
   * Ends a job whose workflow ended without an answer, for example because an operator terminated it. Nothing else
   * would resume the job.
   */
  const unanswered = async (request: FitRequest): Promise<EndedFit> => {
    const error = new ApiError(
      'BACKEND_FAILURE',
      'The fit failed on the service side and nothing was charged. Send the request again.',
    );
    const answer = await cancelFit(pool, request, new Date(), error);
    if (answer) return answer;
    throw error;
  };

  /**
   * Waits until `notified` resolves, the workflow has ended the job, the answer is in Postgres, or the deadline has
   * passed. The deadline is early if no worker takes the job. Outages of either server do not end the wait.
   */
  const wait = async (
    request: FitRequest,
    job: Started,
    { notified, patienceMs }: { readonly notified: Promise<void>; readonly patienceMs: number },
  ): Promise<EndedFit | null> => {
    const [deadline, late] = [Date.now() + patienceMs, Date.now() + waits.accept];
    let isTakenChecked = !job.isTaken;
    const result = job.result();
    let ended = false;
    let isNotified = false;
    let refusal: ApiError | null = null;
    void notified.then(() => (isNotified = true));
    void result.then(
      () => (ended = true),
      (error: unknown) => {
        refusal = refusalOf(error);
        const isFailure = error instanceof WorkflowUpdateFailedError || error instanceof WorkflowFailedError;
        ended = isFailure && typeOf(error) !== 'FitDetached';
      },
    );
    const ending = Promise.race([result.catch(() => notified), notified]);
    for (let unread = false; Date.now() < deadline;) {
      const pause = sleep(Math.min(pollMs, deadline - Date.now()));
      await (unread ? pause : Promise.race([ending, pause]));
      if (refusal) return refused(request, refusal);
      const last = ended;
      const answer = await answerOf(pool, request.jobId).catch(() => undefined);
      if (answer || (last && answer === null)) return answer;
      unread = last || isNotified;
      if (isTakenChecked || Date.now() < late) continue;
      isTakenChecked = true;
      if (!(await job.isTaken!().catch(() => true))) break;
    }
    throw stillRunning();
  };

  return {
    async runFit(request, patienceMs = waits.answer) {
      const earlier = await answerOf(pool, request.jobId);
      if (earlier) return earlier;
      const notification = endings.subscribe(request.jobId);
      try {
        const start = 'batches' in request.source ? startUpdate : startFit;
        // A caller that waits briefly gets its job at once; the sweep starts what was not started.
        const acceptMs = Math.min(waits.accept, Math.max(waits.signal, patienceMs));
        const handle = await start(request, acceptMs).catch((error: unknown) => {
          const refusal = refusalOf(error);
          if (!refusal)
            log.warn('A job was not taken by a worker.', { model: request.modelId, job: request.jobId, error });
          return refusal;
        });
        if (handle instanceof ApiError) return await refused(request, handle);
        const answer = handle
          ? await wait(request, handle, { notified: notification.ended, patienceMs })
          : await answerOf(pool, request.jobId);
        if (answer) return answer;
        if (!handle) throw stillRunning();
      } finally {
        notification.forget();
      }
      return unanswered(request);
    },
    async stopFit({ modelId, jobId }) {
      const handle = client.workflow.getHandle(fitWorkflowId(modelId, jobId));
      await within(waits.signal, () => handle.cancel()).catch(() => undefined);
    },
    startCollecting: ({ modelId }) => signal(modelId),
    refresh: signal,
    async ping() {
      try {
        await within(1_000, () => client.workflowService.getSystemInfo({}));
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** A job whose workflow has started. */
interface Started {
  /** Settles when the workflow has ended the job. */
  result(): Promise<unknown>;
  /** Whether a worker has taken it; absent: a worker has. */
  isTaken?(): Promise<boolean>;
}

/**
 * Events of a workflow that no worker has processed: its start, its first scheduled task, perhaps the start of that
 * task.
 */
const untakenEvents = 3;

function stillRunning(): ApiError {
  return new ApiError(
    'POOL_UNAVAILABLE',
    'No worker has finished the fit yet. The job continues. Send the same request with the same Idempotency-Key to get its answer.',
    {
      retryAfterSeconds: 15,
      details: { job: 'running' },
    },
  );
}

const refusals: Readonly<Record<string, 'CONFLICT' | 'INVALID_REQUEST'>> = {
  FitRunning: 'CONFLICT',
  FitNotPossible: 'INVALID_REQUEST',
};

/** The workflow's rejection as an error for the caller; null for any other failure. */
function refusalOf(error: unknown): ApiError | null {
  const code = refusals[typeOf(error) ?? ''];
  if (!code) return null;
  return new ApiError(
    code,
    ((error as Error).cause as Error).message,
    code === 'CONFLICT' ? { retryAfterSeconds: 5 } : { field: 'task_model_id' },
  );
}

function typeOf(error: unknown): string | null {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  return cause instanceof ApplicationFailure ? (cause.type ?? null) : null;
}
