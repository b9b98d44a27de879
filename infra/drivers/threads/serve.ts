import { parentPort, type Transferable } from 'node:worker_threads';
import { takeNoted } from '../../observe/noted.ts';
import { packError, ThreadLost, type ReplyMessage, type TaskMessage } from './messages.ts';

export type TaskTable = Readonly<Record<string, (payload: never) => unknown>>;

const moved = new WeakMap<object, readonly Transferable[]>();

/**
 * Marks buffers of a task's result to be moved to the caller instead of copied. The thread must not use them
 * afterwards.
 */
export function moving<T extends object>(value: T, buffers: readonly Transferable[]): T {
  moved.set(value, buffers);
  return value;
}

/** Thread side of a pool: runs the tasks of the table, one at a time, as the pool sends them. */
export function serveTasks(table: TaskTable): void {
  const port = parentPort;
  if (!port) throw new Error('serveTasks runs in a thread of a pool.');
  const reply = (message: ReplyMessage, transfer: readonly Transferable[] = []): void =>
    port.postMessage(message, [...transfer]);
  const noted = () => {
    const operations = takeNoted();
    return operations.length > 0 ? { noted: operations } : undefined;
  };
  const answer = (id: number, value: unknown): void => {
    try {
      reply({ id, ok: true, value, ...noted() }, typeof value === 'object' && value !== null ? moved.get(value) : []);
    } catch (cause) {
      throw new ThreadLost((cause as Error).message, { cause });
    }
  };
  port.on('message', ({ id, task, payload }: TaskMessage) => {
    void (async () => {
      try {
        const run = Object.hasOwn(table, task) ? table[task] : undefined;
        if (!run) throw new Error(`There is no task "${task}"; there are ${Object.keys(table).join(', ')}.`);
        const value = await run(payload as never);
        answer(id, value);
      } catch (error) {
        reply({ id, ok: false, error: packError(error), ...noted() });
      }
    })();
  });
  reply({ ready: true });
}
