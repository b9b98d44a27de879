import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import type { PoolOptions, ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import { followTasks } from '../../infra/observe/tasks.ts';
import type { ApiTasks, ThreadData } from './entry.ts';

/** Heap for the text and the lists of one body. `api/intake` checks their size before it parses them. */
const heapMebibytes = 768;

/** Default time limit of a task, unless `createThreads` sets another. */
const seconds = 60;

type Options = Partial<Omit<PoolOptions, 'workerData'>>;

/** The thread pool behind `createThreads`: one thread per core, and one that runs small requests only. */
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
