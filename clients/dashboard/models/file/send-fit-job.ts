import type { z } from 'zod';
import type { JobsAnswer } from '../../../../api/account/contract/responses.ts';
import type { job } from '../../../../api/contract/job.ts';
import { errorTable, type ErrorCode } from '../../../../infra/contract/errors.ts';
import { ask, asFailure, Failure, read } from '../../fetch.ts';
import type { TaskModelAnswer } from '../response-types.ts';
import { sendWithRetries } from './send-with-retries.ts';

type Job = z.output<typeof job>;

const everyMs = 1_500;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, everyMs));

/**
 * Sends a create or a fit as a job, so that no connection has to stay open for minutes. `onModel` gets the id of the
 * model as soon as the job is accepted. Returns the model when the fit has ended. Throws a Failure.
 */
export async function sendFitJob(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  onModel: (id: string) => void,
): Promise<TaskModelAnswer> {
  const { body: answer } = await sendWithRetries<TaskModelAnswer | Job>(
    path,
    { ...headers, prefer: 'respond-async' },
    body,
  );
  if (answer.object !== 'job') {
    onModel(answer.id);
    return answer;
  }
  onModel(answer.task_model_id);
  return await endOfJob(answer, headers);
}

/** Waits for the end of a job. The list of running fits is not part of the request log, so it is read meanwhile. */
async function endOfJob({ id, task_model_id: modelId }: Job, headers: Readonly<Record<string, string>>) {
  for (;;) {
    await pause();
    // Without an answer the fit is taken to run on.
    const isRunning = await read<JobsAnswer>('/jobs').then(
      ({ data }) => data.some(({ model_id: each }) => each === modelId),
      ({ status }: Failure) => status !== 401,
    );
    if (isRunning) continue;
    const ended = await ask<Job>('GET', `/v1/jobs/${id}`, { headers: { 'x-key-mode': headers['x-key-mode'] } }).then(
      ({ body }) => body,
      (error: unknown) => {
        const failure = asFailure(error);
        if (failure.status === 0 || failure.status >= 500) return null;
        throw failure;
      },
    );
    if (ended?.task_model) return ended.task_model;
    if (ended?.error) throw failureOf(ended.error);
  }
}

const failureOf = (error: NonNullable<Job['error']>): Failure =>
  new Failure(errorTable[error.code as ErrorCode]?.status ?? 500, error as Failure['error'], true);
