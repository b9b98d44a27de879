import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import type { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import type { ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import { threadsThatDoNotEnd } from '../../infra/drivers/threads/ending.ts';
import type { ThreadTasks } from '../support/thread-tasks.ts';

/** A read that does not return cannot be ended: not by the end of its thread, nor by a signal. */
let folder: string;
let pipe: string;
let pool: ThreadPool<ThreadTasks>;
let count = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stuck-'));
});
beforeEach(() => {
  pipe = join(folder, `pipe${count++}`);
  execFileSync('mkfifo', [pipe]);
  const entry = new URL('../support/thread-tasks.ts', import.meta.url);
  pool = createThreadPool<ThreadTasks>({ entry, size: 1, heapMebibytes: 256, seconds: 3_600 });
});
let writer: number | null = null;
/** Comes back once somebody reads, and holds it: a pipe whose writer says nothing. */
async function reading(): Promise<void> {
  const open = (): number => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  writer = await vi.waitFor(open, { timeout: 30_000 });
}
/** Lets go of whoever reads. */
function release(): void {
  if (writer !== null) closeSync(writer);
  writer = null;
}
afterEach(async () => {
  vi.useRealTimers();
  release();
  await pool.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const held = (error: unknown): unknown => error;

it('a thread that cannot be ended is abandoned, and another one does its waiting tasks', async () => {
  const overdue = pool.run('read', pipe, { seconds: 0.5 }).catch(held);
  const next = pool.run('where', null);
  await reading();
  expect(await overdue).toMatchObject({ name: 'ThreadLost', reason: 'overdue' });
  const second = await next;
  expect([await pool.run('where', null), pool.load]).toEqual([second, 0]);
  release();
  expect(await pool.run('where', null)).toBe(second);
});

it('the thread of an aborted task that cannot be ended is abandoned, and the caller gets one failure', async () => {
  const abort = new AbortController();
  const aborted = pool.run('read', pipe, { signal: abort.signal, account: 'a' }).catch(held);
  await reading();
  abort.abort(new Error('the caller left'));
  expect(await aborted).toMatchObject({ message: 'the caller left' });
  expect(pool.loadOf('a')).toBe(0);
  const where = await pool.run('where', null);
  expect(await pool.run('where', null)).toBe(where);
});

it('at most eight threads are abandoned: then tasks are rejected, until those threads have ended', async () => {
  const first = pool.run('read', pipe, { seconds: 0.5 }).catch(held);
  await reading();
  let lost = await first;
  while ((lost as ThreadLost).reason === 'overdue') lost = await pool.run('read', pipe, { seconds: 0.05 }).catch(held);
  const refused = await Promise.all([pool.run('echo', 1).catch(held), pool.run('echo', 2).catch(held)]);
  for (const each of [lost, ...refused])
    expect(each).toMatchObject({ name: 'ThreadLost', message: '8 threads of the pool do not end; no other is begun.' });
  expect(pool.load).toBe(0);
  release();
  await vi.waitFor(async () => expect(await pool.run('echo', 3)).toBe(3), { timeout: 30_000 });
});

it('closing waits a few seconds for abandoned threads, and rejects their tasks', async () => {
  const stuck = pool.run('read', pipe).catch(held);
  await reading();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = pool.close();
  await vi.advanceTimersByTimeAsync(10_000);
  await closed;
  expect(threadsThatDoNotEnd()).toBe(1);
  expect(await stuck).toMatchObject({ name: 'ThreadLost', message: expect.stringContaining('was closed before') });
  release();
  await vi.waitFor(() => expect(threadsThatDoNotEnd()).toBe(0), { timeout: 30_000 });
});
