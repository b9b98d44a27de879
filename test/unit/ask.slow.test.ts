import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import type { Services } from '../../infra/drivers/threads/ask.ts';
import type { ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import type { ThreadTasks } from '../support/thread-tasks.ts';

let asked: unknown[] = [];
let never = Promise.withResolvers<void>();
const services: Services = {
  // The first that is asked is answered last.
  slower: async (milliseconds: number) => {
    asked.push(milliseconds);
    await sleep(milliseconds);
    return `after ${milliseconds}`;
  },
  refuse: () =>
    Promise.reject(
      new ApiError('POOL_UNAVAILABLE', 'It is being loaded.', {
        field: 'x',
        retryAfterSeconds: 2,
        cause: new Error('why'),
      }),
    ),
  fail: () => Promise.reject(new RangeError('out of range')),
  numbers: async (count: number) => {
    const values = new Float32Array(count).fill(7);
    return moving({ values }, [values.buffer]);
  },
  unsendable: async () => () => 1,
  endless: () => {
    never.resolve();
    return new Promise(() => undefined);
  },
};
let pool: ThreadPool<ThreadTasks>;

beforeAll(() => {
  const entry = new URL('../support/thread-tasks.ts', import.meta.url);
  pool = createThreadPool<ThreadTasks>({ entry, size: 2, heapMebibytes: 256, seconds: 3_600, services });
});
afterAll(async () => await pool.close());

const ask = async (service: string, ...payloads: unknown[]): Promise<unknown> =>
  await pool.run('asks', { service, payloads });

it('gives each of a thread’s simultaneous calls its own answer', async () => {
  asked = [];
  expect(await ask('slower', 60, 5)).toEqual(['after 60', 'after 5']);
  expect(asked).toEqual([60, 5]);
});

it('answers threads that ask at the same time', async () => {
  expect(await Promise.all([ask('slower', 31), ask('slower', 2), ask('slower', 33)])).toEqual([
    ['after 31'],
    ['after 2'],
    ['after 33'],
  ]);
});

it('rejects with the error of the service; an ApiError keeps code, field and Retry-After', async () => {
  const refused = await ask('refuse', 1).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({
    code: 'POOL_UNAVAILABLE',
    message: 'It is being loaded.',
    field: 'x',
    retryAfterSeconds: 2,
    cause: { message: 'why' },
  });
  await expect(ask('fail', 1)).rejects.toMatchObject({ name: 'RangeError', message: 'out of range' });
});

it.each(['absent', 'toString', '__proto__'])('says that there is no service %s', async (name) => {
  await expect(ask(name, 1)).rejects.toThrow(`There is no service "${name}" for threads.`);
});

it('moves the memory that a service marks, and names values that cannot cross threads', async () => {
  const [{ values }] = (await ask('numbers', 3)) as [{ values: Float32Array }];
  expect([...values]).toEqual([7, 7, 7]);
  await expect(ask('unsendable', 1)).rejects.toThrow(/could not be cloned/);
  await expect(ask('numbers', () => 1)).rejects.toThrow(/could not be cloned/);
  expect(await ask('slower', 1)).toEqual(['after 1']);
});

it('continues after a thread was ended during a call', async () => {
  never = Promise.withResolvers();
  const abort = new AbortController();
  const left = pool.run('asks', { service: 'endless', payloads: [1] }, { signal: abort.signal, affinity: 'a' });
  await never.promise;
  abort.abort(new Error('the caller left'));
  await expect(left).rejects.toThrow('the caller left');
  const after = { service: 'slower', payloads: [1] };
  expect(await pool.run('asks', after, { affinity: 'a' })).toEqual(['after 1']);
});

it('sends no answer if the thread has ended before the service answers', async () => {
  const late = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const one = createThreadPool<ThreadTasks>({
    entry: new URL('../support/thread-tasks.ts', import.meta.url),
    size: 1,
    heapMebibytes: 256,
    seconds: 3_600,
    services: {
      late: async () => {
        begun.resolve();
        await late.promise;
        return 1;
      },
    },
  });
  const asking = one.run('asks', { service: 'late', payloads: [1] }).catch((error: unknown) => error);
  await begun.promise;
  await one.close();
  expect(await asking).toMatchObject({ name: 'ThreadLost' });
  late.resolve();
  await sleep(20);
});
