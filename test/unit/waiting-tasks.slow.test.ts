import { afterEach, describe, expect, it } from 'vitest';
import { createThreads } from '../../api/threads/client.ts';
import type { ApiTasks } from '../../api/threads/entry.ts';
import type { PredictTask } from '../../api/predict/predict-task.ts';
import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import type { TaskOwner } from '../../infra/drivers/threads/ask.ts';
import type { RunOptions, ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import type { ThreadTasks } from '../support/thread-tasks.ts';

const entry = new URL('../support/thread-tasks.ts', import.meta.url);
let served: (string | undefined)[] = [];
let gate = Promise.withResolvers<number>();
const opened: ThreadPool<ThreadTasks>[] = [];

/** Threads whose process keeps what is asked of it waiting until `gate` opens. */
function poolOf(size: number): ThreadPool<ThreadTasks> {
  [served, gate] = [[], Promise.withResolvers<number>()];
  const services = {
    encode: async (_: null, { account }: TaskOwner) => {
      served.push(account);
      return await gate.promise;
    },
    lose: () => Promise.reject(new ThreadLost('It ran for too long.', { reason: 'overdue' })),
  };
  const pool = createThreadPool<ThreadTasks>({ entry, size, heapMebibytes: 256, seconds: 3_600, services });
  opened.push(pool);
  return pool;
}
afterEach(async () => {
  gate.resolve(1);
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});
const asks = (pool: ThreadPool<ThreadTasks>, account: string) =>
  pool.run('asks', { service: 'encode', payloads: [null] }, { waits: true, account });

describe('tasks that wait for a service of the process', () => {
  it.each([2, 3])('leave one of %d threads to others, however many there are', async (size) => {
    const pool = poolOf(size);
    const waiting = Array.from({ length: 6 }, () => asks(pool, 'a'));
    await expect.poll(() => served).toHaveLength(size - 1);
    const others = await Promise.all(Array.from({ length: 3 }, () => pool.run('where', null, { account: 'b' })));
    expect(new Set(others).size).toBe(1);
    expect([served.length, pool.loadOf('a'), pool.loadOf('b')]).toEqual([size - 1, 6, 0]);
    gate.resolve(1);
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 6 }, () => [1]));
  });

  it('run even with one thread, and in turn for the callers', async () => {
    const pool = poolOf(1);
    const all = ['a', 'a', 'a', 'b'].map((account) => asks(pool, account));
    gate.resolve(1);
    await Promise.all(all);
    expect(served).toEqual(['a', 'b', 'a', 'a']);
  });

  it('fail with the reason if a thread of the process is lost', async () => {
    const lost = await poolOf(1)
      .run('asks', { service: 'lose', payloads: [null] })
      .catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(ThreadLost);
    expect(lost).toMatchObject({ reason: 'overdue', message: 'It ran for too long.' });
  });
});

describe('tasks of the API', () => {
  const asked: RunOptions[] = [];
  const run = (_: string, __: unknown, options: RunOptions): Promise<unknown> => Promise.resolve(asked.push(options));
  const threads = createThreads({ run, load: 0, loadOf: () => 0 } as unknown as ThreadPool<ApiTasks>);
  const trials = { data: new Float32Array(8) };

  it.each([
    [true, { quick: false, waits: true, account: 'a' }],
    [false, { quick: true, account: 'a' }],
  ])('wait, and are not quick, if encoders read the trials: %s', async (readsEncoders, how) => {
    asked.length = 0;
    await threads.predict('a', { trials, readsEncoders } as PredictTask);
    await threads.storeBatch('a', { trials, readsEncoders } as Parameters<typeof threads.storeBatch>[1]);
    expect(asked[0]).toMatchObject(how);
    expect(asked[1]).toMatchObject({ ...how, quick: false });
    expect(asked.map(({ waits = false }) => waits)).toEqual([readsEncoders, readsEncoders]);
    const featureSets = ['cov/8-32', ...(readsEncoders ? [`labram-base/${'0'.repeat(64)}/embedding`] : [])];
    await threads.storeBatch('a', { trials, featureSets } as unknown as Parameters<typeof threads.storeBatch>[1]);
    expect(asked[2]!.waits ?? false).toBe(readsEncoders);
  });
});
