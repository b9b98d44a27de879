import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { createThreadPool } from '../../infra/drivers/threads/thread-pool.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import type { ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import type { ThreadTasks } from '../support/thread-tasks.ts';

const entry = new URL('../support/thread-tasks.ts', import.meta.url);
const usual = { heapMebibytes: 256, seconds: 3_600 };
let pool: ThreadPool<ThreadTasks>;
beforeEach(() => {
  pool = createThreadPool<ThreadTasks>({ entry, size: 2, ...usual });
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

it('prefers the affinity of the last task of a thread', async () => {
  const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
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
    alternatives: [{ channels: ['C3', 'C4', 'Cz'] }],
    status: 422,
    cause: { message: 'why' },
  });
  await expect(pool.run('fail', null)).rejects.toMatchObject({ name: 'RangeError', message: 'out of range' });
});

it('lists the known tasks if an unknown one is requested', async () => {
  await expect(pool.run('toString' as never, null as never)).rejects.toThrow(
    'There is no task "toString"; there are where, timesIdle, echo',
  );
});

it('moves buffers to a thread and back', async () => {
  const sent = new Float32Array([1, 2, 3]);
  const back = (await pool.run('echo', sent, { transfer: [sent.buffer] })) as Float32Array;
  expect([...back]).toEqual([1, 2, 3]);
  expect(sent.length).toBe(0);
  expect((await pool.run('big', 1000)).values).toHaveLength(1000);
});

it('ends the thread of an aborted task and continues with another one', async () => {
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

it('begins none of the tasks that are aborted together, and loses no thread', async () => {
  const abort = new AbortController();
  const { signal } = abort;
  const aborted = Array.from({ length: 40 }, () => pool.run('spin', 3_600_000, { signal }).catch(() => 'aborted'));
  abort.abort();
  expect(await Promise.all([pool.run('echo', 5), pool.run('echo', 6)])).toEqual([5, 6]);
  expect(new Set(await Promise.all(aborted))).toEqual(new Set(['aborted']));
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

it('runs the waiting tasks of a thread that dies', async () => {
  const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
  const lost = one.run('die', null).catch((error: unknown) => error);
  const next = one.run('echo', 5);
  expect(await lost).toBeInstanceOf(ThreadLost);
  expect(await next).toBe(5);
  expect(one.load).toBe(0);
  await one.close();
});

it('gives up a task that runs too long, replaces its thread, and runs the waiting tasks', async () => {
  const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
  const before = await one.run('where', null);
  const overdue = one.run('spin', 3_600_000, { seconds: 0.2 }).catch((error: unknown) => error);
  const next = one.run('where', null);
  expect(await overdue).toMatchObject({
    name: 'ThreadLost',
    reason: 'overdue',
    message: expect.stringMatching(/0\.2 s/),
  });
  expect(await next).not.toBe(before);
  await one.close();
});

it('counts the time of a task from the moment its thread is ready', async () => {
  const cold = createThreadPool<ThreadTasks>({ entry, size: 1, workerData: { loadMs: 700 }, ...usual });
  expect(await cold.run('echo', 1, { seconds: 0.5 })).toBe(1);
  await cold.close();
});

it('ends only the task that needs more memory than a thread has', async () => {
  const small = createThreadPool<ThreadTasks>({ entry, size: 2, heapMebibytes: 16, seconds: 3_600 });
  const other = small.run('spin', 1_000);
  const full = await small.run('fill', null).catch((error: unknown) => error);
  expect(full).toMatchObject({ name: 'ThreadLost', reason: 'out of memory' });
  expect(await other).toBeTypeOf('number');
  expect(await Promise.all([small.run('echo', 1), small.run('echo', 2)])).toEqual([1, 2]);
  await small.close();
});

describe('threads that are shared', () => {
  const order = async (tasks: readonly string[]): Promise<string[]> => {
    const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
    const done: string[] = [];
    await Promise.all(
      tasks.map(async (account) => {
        await one.run('spin', 20, { account });
        done.push(account);
      }),
    );
    await one.close();
    return done;
  };

  it('serves the accounts in turn, however much one of them sends', async () => {
    const served = await order(['a', 'a', 'a', 'a', 'b', 'c', 'b']);
    expect(served.slice(0, 3)).toEqual(['a', 'b', 'c']);
    expect(served.slice(3, 5).toSorted()).toEqual(['a', 'b']);
  });

  it('continues a task in steps after others: its account gets its turn again', async () => {
    const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
    const done: string[] = [];
    const note = (name: string) => () => void done.push(name);
    const long = one.run('steps', 1_500, { account: 'a' });
    await one.run('steps', 0, { account: 'b' }).then(note('b'));
    const other = one.run('steps', 10, { account: 'a' }).then(note('a'));
    expect(await long.finally(note('long'))).toBeGreaterThan(10);
    await other;
    expect(done[0]).toBe('b');
    expect(one.load).toBe(0);
    await one.close();
  });

  it('drops a task that has paused and is aborted, and keeps its thread', async () => {
    const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
    const before = await one.run('where', null);
    const abort = new AbortController();
    const long = one.run('steps', 60_000, { account: 'a', signal: abort.signal }).catch((error: unknown) => error);
    const thread = one.run('spin', 900, { account: 'b' });
    await sleep(700);
    abort.abort(new Error('the caller left'));
    expect(await long).toMatchObject({ message: 'the caller left' });
    expect([await thread, await one.run('where', null)]).toEqual([before, before]);
    await one.close();
  });

  it('is idle after it dropped a paused task, so that its memory is freed', async () => {
    const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
    const abort = new AbortController();
    const long = one.run('steps', 60_000, { account: 'a', signal: abort.signal }).catch((error: unknown) => error);
    const other = one.run('spin', 900, { account: 'b' });
    await sleep(700);
    abort.abort(new Error('the caller left'));
    await Promise.all([long, other]);
    await sleep(3_300);
    expect(await one.run('timesIdle', null)).toBe(1);
    await one.close();
  });

  it('collects its garbage when it is idle after long tasks, and not after short ones', async () => {
    const [long, short] = [1_100, 100].map((spent) => {
      const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
      return async (): Promise<boolean> => {
        await one.run('litter', spent);
        await sleep(3_500);
        const collected = await one.run('isCollected', null);
        await one.close();
        return collected;
      };
    });
    expect(await Promise.all([long!(), short!()])).toEqual([true, false]);
  });

  it('restarts a paused task if its thread is lost', async () => {
    const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
    const long = one.run('steps', 1_200, { account: 'a' });
    const lost = one.run('die', null, { account: 'b' }).catch((error: unknown) => error);
    expect(await lost).toBeInstanceOf(ThreadLost);
    expect(await long).toBeGreaterThan(10);
    expect(one.load).toBe(0);
    await one.close();
  });

  it('keep one free for quick tasks while the others are busy', async () => {
    const both = createThreadPool<ThreadTasks>({ entry, size: 1, quickThreads: 1, ...usual });
    await Promise.all([both.run('where', null), both.run('where', null, { quick: true })]);
    const slow = both.run('spin', 600);
    const alsoSlow = both.run('spin', 10);
    const quick = both.run('where', null, { quick: true });
    expect(await Promise.race([quick.then(() => 'quick'), slow.then(() => 'slow')])).toBe('quick');
    expect(await alsoSlow).toBe(await slow);
    expect(await quick).not.toBe(await slow);
    await both.close();
  });

  it('help with quick tasks after these have waited', async () => {
    const both = createThreadPool<ThreadTasks>({ entry, size: 1, quickThreads: 1, ...usual });
    await Promise.all([both.run('spin', 50), both.run('where', null, { quick: true })]);
    const slow = both.run('spin', 600, { quick: true });
    const behind = both.run('where', null, { quick: true });
    expect(await Promise.race([behind.then(() => 'behind'), slow.then(() => 'slow')])).toBe('behind');
    expect(await behind).not.toBe(await slow);
    await both.close();
  });

  it('counts the waiting and running tasks of each', async () => {
    const one = createThreadPool<ThreadTasks>({ entry, size: 1, ...usual });
    const tasks = ['a', 'a', 'b'].map((account) => one.run('where', null, { account }));
    expect([one.load, one.loadOf('a'), one.loadOf('b'), one.loadOf('c')]).toEqual([3, 2, 1, 0]);
    await Promise.all(tasks);
    expect([one.load, one.loadOf('a'), one.loadOf('b')]).toEqual([0, 0, 0]);
    await one.close();
  });
});

it('rejects values that cannot be sent, and continues', async () => {
  const unsent = await pool.run('echo', () => 1).catch((error: unknown) => error);
  expect(unsent).toBeInstanceOf(ThreadLost);
  expect(unsent).toMatchObject({ message: expect.stringMatching(/could not be cloned/) });
  await expect(pool.run('unsendable', null)).rejects.toBeInstanceOf(ThreadLost);
  expect(await pool.run('echo', 1)).toBe(1);
});

it('rejects every task when the entry cannot start, without a loop of restarts', async () => {
  const broken = createThreadPool<ThreadTasks>({
    entry: new URL('../support/absent.ts', import.meta.url),
    size: 1,
    ...usual,
  });
  await expect(broken.run('echo', 1)).rejects.toThrow(/worker thread ended/);
  await expect(broken.run('echo', 1)).rejects.toThrow(/worker thread ended/);
  await broken.close();
});

it('rejects waiting and running tasks when it is closed', async () => {
  const both = [pool.run('spin', 3_600_000, { affinity: 'a' }), pool.run('echo', 1, { affinity: 'a' })];
  const settled = Promise.allSettled(both);
  await pool.close();
  expect((await settled).map((each) => each.status)).toEqual(['rejected', 'rejected']);
  await expect(pool.run('echo', 1)).rejects.toThrow(ThreadLost);
});
