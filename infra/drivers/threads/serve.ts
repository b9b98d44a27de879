import { parentPort, type Transferable } from 'node:worker_threads';
import { takeNoted } from '../../observe/noted.ts';
import { told } from './ask.ts';
import { packError, ThreadLost, type ReplyMessage, type TaskMessage, type ToldMessage } from './messages.ts';
import { movedOf } from './moving.ts';

export { moving } from './moving.ts';
export type TaskTable = Readonly<Record<string, (payload: never) => unknown>>;

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
      reply({ id, ok: true, value, ...noted() }, movedOf(value));
    } catch (cause) {
      throw new ThreadLost((cause as Error).message, { cause });
    }
  };
  port.on('message', (message: TaskMessage | ToldMessage) => {
    if ('told' in message) return told(message);
    const { id, task, payload } = message;
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
