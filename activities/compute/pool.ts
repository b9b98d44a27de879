import { availableParallelism } from 'node:os';
import type { ActivityTasks } from './compute.ts';
import { followTasks } from '../../infra/observe/tasks.ts';
import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import type { PoolOptions, ThreadPool } from '../../infra/drivers/threads/pool-types.ts';

/** Memory for lists and trees of a fit; signals and features are buffers, which do not count. */
const heapMebibytes = 2_048;

/** The longest activity that computes ends after this time (`workflows/timeouts.ts`), its wait included. */
const seconds = 30 * 60;

/** The thread pool that `createActivities` computes in. It is warmed where `warmUp` of `./warm-up.ts` is given. */
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
