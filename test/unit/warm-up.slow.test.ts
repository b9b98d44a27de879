import { expect, it } from 'vitest';
import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import type { ThreadTasks } from '../support/thread-tasks.ts';

const options = {
  entry: new URL('../support/thread-tasks.ts', import.meta.url),
  size: 2,
  heapMebibytes: 256,
  seconds: 3_600,
};
const note = { task: 'note', payload: null };

it('runs first in every thread, and ends when all threads have finished it', async () => {
  const pool = createThreadPool<ThreadTasks>({ ...options, quickThreads: 1, warmUp: [note, note] });
  expect(pool.warm).toBe(false);
  expect(pool.load).toBe(0);
  await pool.whenWarm;
  expect(pool.warm).toBe(true);
  const [a, b] = await Promise.all([pool.run('spin', 50), pool.run('spin', 50)]);
  expect(a).not.toBe(b);
  const counts = await Promise.all(
    Array.from({ length: 2 }, (_, at) => pool.run('note', null, { affinity: String(at) })),
  );
  expect(counts.every((count) => count >= 3)).toBe(true);
  await pool.close();
});

it('gives way to requested tasks', async () => {
  const slow = { task: 'spin', payload: 200 };
  const pool = createThreadPool<ThreadTasks>({ ...options, size: 1, warmUp: [slow, slow, slow, slow, note] });
  await pool.run('where', null);
  expect(await pool.run('note', null)).toBe(1);
  expect(pool.warm).toBe(false);
  await pool.whenWarm;
  expect(await pool.run('note', null)).toBe(3);
  await pool.close();
});

it('does not stop the pool if it fails, and is not retried if its thread is lost', async () => {
  const failing = [{ task: 'fail', payload: null }, { task: 'die', payload: null }, note];
  const pool = createThreadPool<ThreadTasks>({ ...options, size: 1, warmUp: failing });
  await pool.whenWarm;
  expect(await pool.run('note', null)).toBe(1);
  await pool.close();
});

it('runs again in a replacement thread', async () => {
  const pool = createThreadPool<ThreadTasks>({ ...options, size: 1, warmUp: [note] });
  await pool.whenWarm;
  await expect(pool.run('die', null)).rejects.toThrow(ThreadLost);
  await expect.poll(() => pool.run('note', null), { timeout: 30_000 }).toBeGreaterThan(1);
  await pool.close();
});

it('has ended if there is none, and if the pool is closed', async () => {
  const none = createThreadPool<ThreadTasks>({ ...options, size: 1 });
  expect(none.warm).toBe(true);
  await none.close();
  const closed = createThreadPool<ThreadTasks>({ ...options, size: 1, warmUp: [{ task: 'spin', payload: 3_600_000 }] });
  await closed.close();
  await closed.whenWarm;
  expect(closed.warm).toBe(true);
});
