import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import type { PoolOptions, ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import { followTasks } from '../../infra/observe/tasks.ts';
import type { ApiTasks, ThreadData } from './entry.ts';

/** Memory for the text and the lists of one body, which `api/intake` bounds before it makes them. */
const heapMebibytes = 768;

/** Longest that a task may run where `createThreads` says nothing else. */
const seconds = 60;

type Options = Partial<Omit<PoolOptions, 'workerData'>>;

/** The pool that `createThreads` is a client of: a thread for each core, and one that takes small requests alone. */
export const createApiPool = (workerData: ThreadData, options: Options = {}): ThreadPool<ApiTasks> =>
  createThreadPool<ApiTasks>({
    entry: new URL('./entry.ts', import.meta.url),
    quickThreads: 1,
    workerData,
    heapMebibytes,
    seconds,
    warmUp: [{ task: 'hash', payload: { body: new TextEncoder().encode('{}') } }],
    follow: followTasks('api'),
    ...options,
  });
