import type { ThreadPool } from '../../infra/drivers/threads/index.ts';
import type { ApiTasks } from './entry.ts';

type Task<K extends keyof ApiTasks> = (input: Parameters<ApiTasks[K]>[0]) => Promise<Awaited<ReturnType<ApiTasks[K]>>>;

/** The tasks of the API's worker threads. The numbers of a body and of trials are moved, not copied: they are gone afterwards. */
export type ApiThreads = { readonly [K in keyof ApiTasks]: Task<K> } & {
  /** Tasks that wait or run now. */
  readonly load: number;
};

/** A client of a pool over `api/threads/entry.ts`. */
export function createThreads(pool: ThreadPool<ApiTasks>): ApiThreads {
  const moved = ({ trials }: { trials: { data: Float32Array } }) => ({ transfer: [trials.data.buffer as ArrayBuffer] });
  return {
    get load() {
      return pool.load;
    },
    intake: (input) => pool.run('intake', input, { transfer: [input.body.buffer as ArrayBuffer] }),
    refuse: (input) => pool.run('refuse', input),
    plan: (input) => pool.run('plan', input),
    stage: (input) => pool.run('stage', input, moved(input)),
    storeBatch: (input) => pool.run('storeBatch', input, moved(input)),
    predict: (input) => pool.run('predict', input, moved(input)),
  };
}
