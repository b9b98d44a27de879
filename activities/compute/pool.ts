import { availableParallelism } from 'node:os';
import type { ActivityTasks } from './compute.ts';
import { createThreadPool, type ThreadPool } from '../../infra/drivers/threads/index.ts';

/** The thread pool that `createActivities` computes in. */
export function createActivityThreads(size: number = availableParallelism()): ThreadPool<ActivityTasks> {
  return createThreadPool<ActivityTasks>({ entry: new URL('./entry.ts', import.meta.url), size });
}
