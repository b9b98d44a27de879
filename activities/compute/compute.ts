import { ApplicationFailure } from '@temporalio/common';
import { ApiError } from '../../infra/contract/errors.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import type { RunOptions, ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import type { EndOf } from '../../ml/steps.ts';
import type { tasks } from './tasks.ts';

/** The tasks that the threads of the activities run. */
export type ActivityTasks = typeof tasks;

/**
 * Runs a task in a worker thread. An error that the task throws would recur in every attempt, so it becomes a failure
 * that is not retried; its type is the code of an ApiError, else `ComputeFailed`. The death of a thread, or a message
 * that did not reach it, is retried.
 */
export function createCompute(threads: ThreadPool<ActivityTasks>) {
  return async <K extends keyof ActivityTasks>(
    task: K,
    payload: Parameters<ActivityTasks[K]>[0],
    options: RunOptions,
  ): Promise<EndOf<ReturnType<ActivityTasks[K]>>> => {
    try {
      return await threads.run(task, payload, options);
    } catch (error) {
      if (options.signal?.aborted || !(error instanceof Error) || error instanceof ThreadLost) throw error;
      const type = error instanceof ApiError ? error.code : 'ComputeFailed';
      throw ApplicationFailure.create({ message: error.message, type, nonRetryable: true });
    }
  };
}

export type Compute = ReturnType<typeof createCompute>;

/** The same for the tasks of one job. The threads are divided evenly between the accounts. */
export const computeFor =
  (compute: Compute, { accountId: account, jobId: job }: Pick<FitRequest, 'accountId' | 'jobId'>): Compute =>
  (task, payload, options) =>
    compute(task, payload, { account, job, ...options });
