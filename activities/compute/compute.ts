import { ApplicationFailure } from '@temporalio/common';
import { ApiError } from '../../infra/contract/errors.ts';
import type { RunOptions, ThreadPool } from '../../infra/drivers/threads/index.ts';
import type { tasks } from './tasks.ts';

type Tasks = typeof tasks;

/**
 * Runs a task in a worker thread. What the task itself throws would be thrown again by every attempt, so it becomes a failure that is
 * not retried: type = the code of an ApiError, else `ComputeFailed`. The death of a thread, or a message that did not reach it, is retried.
 */
export function createCompute(threads: ThreadPool) {
  return async <K extends keyof Tasks>(
    task: K,
    payload: Parameters<Tasks[K]>[0],
    options: RunOptions,
  ): Promise<ReturnType<Tasks[K]>> => {
    try {
      return await threads.run<ReturnType<Tasks[K]>>(task, payload, options);
    } catch (error) {
      if (options.signal?.aborted || !(error instanceof Error) || isThreadTrouble(error)) throw error;
      const type = error instanceof ApiError ? error.code : 'ComputeFailed';
      throw ApplicationFailure.create({ message: error.message, type, nonRetryable: true });
    }
  };
}

export type Compute = ReturnType<typeof createCompute>;

const isThreadTrouble = ({ message, name }: Error): boolean =>
  name === 'DataCloneError' || /^A worker thread ended|^The thread pool/.test(message);
