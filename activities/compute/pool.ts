import { availableParallelism } from 'node:os';
import type { ActivityTasks } from './compute.ts';
import { followTasks } from '../../infra/observe/tasks.ts';
import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import type { PoolOptions, ThreadPool } from '../../infra/drivers/threads/pool-types.ts';

/** Heap for lists and trees of a fit. Signals and features are buffers, which do not count. */
const heapMebibytes = 2_048;

/** Longest computing activity, queue time included; see `workflows/timeouts.ts`. */
const seconds = 30 * 60;

/** The thread pool of `createActivities`. It is warmed up if `warmUp` of `./warm-up.ts` is given. */
export function createActivityThreads(
  size: number = availableParallelism(),
  options: Pick<PoolOptions, 'warmUp' | 'compiledDir' | 'services'> = {},
): ThreadPool<ActivityTasks> {
  return createThreadPool<ActivityTasks>({
    entry: new URL('./entry.ts', import.meta.url),
    size,
    heapMebibytes,
    seconds,
    follow: followTasks('worker'),
    ...options,
  });
}
