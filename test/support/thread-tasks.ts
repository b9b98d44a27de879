import { readFileSync } from 'node:fs';
import { threadId, workerData } from 'node:worker_threads';
import { ApiError } from '../../infra/contract/errors.ts';
import { ask } from '../../infra/drivers/threads/ask.ts';
import type { Steps } from '../../ml/steps.ts';
import { serveTasks } from '../../infra/drivers/threads/serve.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';

let notes = 0;
let timesIdle = 0;
let litter: WeakRef<object> | undefined;

/** Tasks for the thread pool's own tests. */
const tasks = {
  where: (_: null) => threadId,
  timesIdle: (_: null) => timesIdle,
  echo: (value: unknown) => value,
  unsendable: (_: null) => () => 1,
  refuse: (_: null): never => {
    throw new ApiError('INVALID_REQUEST', 'x has 3 rows, channels has 2', {
      field: 'channels',
      alternatives: [{ channels: ['C3', 'C4', 'Cz'] }],
      cause: new Error('why'),
    });
  },
  fail: (_: null): never => {
    throw new RangeError('out of range');
  },
  spin: (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
    return threadId;
  },
  /** Drops an object and spins for so long. */
  litter: (milliseconds: number) => {
    litter = new WeakRef({});
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  },
  /** Whether the object of `litter` was collected. */
  isCollected: (_: null) => litter?.deref() === undefined,
  /** Spins for so long in steps of 50 ms, and gives the number of steps. */
  *steps(milliseconds: number): Steps<number> {
    let steps = 0;
    for (; steps * 50 < milliseconds; steps += 1) {
      const end = performance.now() + 50;
      while (performance.now() < end);
      yield;
    }
    return steps;
  },
  /** Lists of numbers until the heap is full. */
  fill: (_: null): never => {
    const lists: number[][] = [];
    for (;;) lists.push(Array.from({ length: 10_000 }, (_each, at) => at / 3));
  },
  /** Holds its thread within the system where nobody writes to that pipe. */
  read: (path: string) => readFileSync(path, 'utf8'),
  die: (_: null) => process.exit(3),
  crash: (_: null): Promise<never> => {
    setImmediate(() => {
      throw new Error('outside the task');
    });
    return new Promise(() => undefined);
  },
  big: (length: number) => {
    const values = new Float64Array(length).fill(1);
    return moving({ values }, [values.buffer]);
  },
  /** Asks the process for a service, once for each payload, all at the same time. */
  asks: ({ service, payloads }: { service: string; payloads: readonly unknown[] }) =>
    Promise.all(payloads.map((payload) => ask<unknown>(service, payload))),
  /** Counts the calls of it in its thread. */
  note: (_: null) => ++notes,
};
// As a thread that loads much.
if (workerData?.loadMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.loadMs);
serveTasks(tasks, () => (timesIdle += 1));

export type ThreadTasks = typeof tasks;
