import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { createThreadPool, ThreadLost, type ThreadPool } from '../../infra/drivers/threads/index.ts';
import type { ThreadTasks } from '../support/thread-tasks.ts';

const entry = new URL('../support/thread-tasks.ts', import.meta.url);
let pool: ThreadPool<ThreadTasks>;
beforeEach(() => {
  pool = createThreadPool<ThreadTasks>({ entry, size: 2 });
});
afterEach(() => pool.close());

it('runs tasks side by side, one at a time on each thread', async () => {
  await Promise.all([pool.run('where', null), pool.run('where', null)]);
  const threads = await Promise.all([1, 2, 3, 4].map(() => pool.run('spin', 50)));
  expect(new Set(threads).size).toBe(2);
  expect(pool.load).toBe(0);
});

it('sends tasks of the same affinity to the same thread', async () => {
  const threads = await Promise.all(Array.from({ length: 20 }, () => pool.run('where', null, { affinity: 'clf_1' })));
  expect(new Set(threads).size).toBe(1);
});

it('gives each affinity to a thread that is free', async () => {
  const run = (affinity: string) => pool.run('spin', 60, { affinity });
  const [a, b, c, again] = await Promise.all([run('a'), run('b'), run('c'), run('a')]);
  expect(a).not.toBe(b);
  expect(again).toBe(a);
  expect([a, b]).toContain(c);
});

it('goes on with the affinity that a thread worked on last', async () => {
  const one = createThreadPool<ThreadTasks>({ entry, size: 1 });
  const order: string[] = [];
  await Promise.all(
    ['a', 'b', 'a', 'b', 'a'].map(async (affinity) => {
      await one.run('where', null, { affinity });
      order.push(affinity);
    }),
  );
  await one.close();
  expect(order).toEqual(['a', 'a', 'a', 'b', 'b']);
});

it('keeps the fields of an ApiError and the name of any other', async () => {
  const refused = await pool.run('refuse', null).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'channels',
    alternatives: [['C3', 'C4', 'Cz']],
    status: 422,
    cause: { message: 'why' },
  });
  await expect(pool.run('fail', null)).rejects.toMatchObject({ name: 'RangeError', message: 'out of range' });
});

it('says which tasks there are when asked for another', async () => {
  await expect(pool.run('toString' as never, null as never)).rejects.toThrow(
    'There is no task "toString"; there are where, echo',
  );
});

it('moves buffers there and back', async () => {
  const sent = new Float32Array([1, 2, 3]);
  const back = (await pool.run('echo', sent, { transfer: [sent.buffer] })) as Float32Array;
  expect([...back]).toEqual([1, 2, 3]);
  expect(sent.length).toBe(0);
  expect((await pool.run('big', 1000)).values).toHaveLength(1000);
});

it('ends the thread of an aborted task and goes on with another', async () => {
  const before = await pool.run('where', null, { affinity: 'a' });
  const abort = new AbortController();
  const endless = pool.run('spin', 3_600_000, { affinity: 'a', signal: abort.signal });
  const next = pool.run('where', null, { affinity: 'a' });
  setTimeout(() => abort.abort(new Error('the caller left')), 20);
  await expect(endless).rejects.toThrow('the caller left');
  expect(await next).not.toBe(before);
});

it('drops an aborted task that still waits, without ending a thread', async () => {
  const abort = new AbortController();
  const busy = pool.run('spin', 100, { affinity: 'a' });
  const waits = pool.run('where', null, { affinity: 'a', signal: abort.signal });
  abort.abort();
  await expect(waits).rejects.toMatchObject({ name: 'AbortError' });
  expect(await pool.run('where', null, { affinity: 'a' })).toBe(await busy);
});

it.each(['die', 'crash'] as const)(
  'rejects the task of a thread that dies (%s) and replaces the thread',
  async (task) => {
    const lost = await pool.run(task, null, { affinity: 'a' }).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(ThreadLost);
    expect(lost).toMatchObject({ message: expect.stringMatching(/worker thread ended/) });
    expect(await pool.run('echo', 5, { affinity: 'a' })).toBe(5);
  },
);

it('rejects what cannot be sent and goes on', async () => {
  const unsent = await pool.run('echo', () => 1).catch((error: unknown) => error);
  expect(unsent).toBeInstanceOf(ThreadLost);
  expect(unsent).toMatchObject({ message: expect.stringMatching(/could not be cloned/) });
  await expect(pool.run('unsendable', null)).rejects.toBeInstanceOf(ThreadLost);
  expect(await pool.run('echo', 1)).toBe(1);
});

it('rejects every task when the entry cannot start, without a loop of restarts', async () => {
  const broken = createThreadPool<ThreadTasks>({ entry: new URL('../support/absent.ts', import.meta.url), size: 1 });
  await expect(broken.run('echo', 1)).rejects.toThrow(/worker thread ended/);
  await expect(broken.run('echo', 1)).rejects.toThrow(/worker thread ended/);
  await broken.close();
});

it('rejects what waits or runs when it is closed', async () => {
  const both = [pool.run('spin', 3_600_000, { affinity: 'a' }), pool.run('echo', 1, { affinity: 'a' })];
  const settled = Promise.allSettled(both);
  await pool.close();
  expect((await settled).map((each) => each.status)).toEqual(['rejected', 'rejected']);
  await expect(pool.run('echo', 1)).rejects.toThrow(ThreadLost);
});
