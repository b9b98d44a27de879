import { parentPort, type Transferable } from 'node:worker_threads';
import { takeNoted } from '../../observe/noted.ts';
import { isSteps } from '../../../ml/steps.ts';
import { receiveAnswer } from './ask.ts';
import {
  packError,
  ThreadLost,
  type PausedMessage,
  type ReplyMessage,
  type TaskMessage,
  type AnswerMessage,
} from './messages.ts';
import { whenIdle } from './idle.ts';
import { movedOf } from './moving.ts';

export type TaskTable = Readonly<Record<string, (payload: never) => unknown>>;

/** A task in steps pauses after the first step that ends later than this, counted from its start or resumption. */
const pausesAfterMs = 500;

const dropped = Symbol('dropped');

/**
 * Thread side of a pool: runs the tasks that the pool sends, one at a time. A task that returns `Steps` pauses between
 * them, so that the pool can run others. `forget` is called when the thread is idle.
 */
export function serveTasks(table: TaskTable, forget: () => void = () => undefined): void {
  const port = parentPort;
  if (!port) throw new Error('serveTasks runs in a thread of a pool.');
  const paused = new Map<number, (how: 'resume' | 'drop') => void>();
  const idle = whenIdle(forget);
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
  const pause = (id: number): Promise<'resume' | 'drop'> => {
    const { promise, resolve } = Promise.withResolvers<'resume' | 'drop'>();
    paused.set(id, resolve);
    reply({ id, paused: true, ...noted() });
    return promise;
  };
  /** The result of a task; `dropped` if the pool dropped it while it was paused. */
  const end = async (id: number, value: unknown): Promise<unknown> => {
    if (!isSteps(value)) return value;
    for (let since = performance.now(); ;) {
      const step = value.next();
      if (step.done) return step.value;
      if (performance.now() - since < pausesAfterMs) continue;
      if ((await pause(id)) === 'drop') {
        value.return(undefined as never);
        return dropped;
      }
      since = performance.now();
    }
  };
  port.on('message', (message: TaskMessage | PausedMessage | AnswerMessage) => {
    if ('answerTo' in message) return receiveAnswer(message);
    if ('paused' in message) {
      paused.get(message.id)?.(message.paused);
      paused.delete(message.id);
      return;
    }
    const { id, task, payload } = message;
    idle.began();
    void (async () => {
      try {
        const run = Object.hasOwn(table, task) ? table[task] : undefined;
        if (!run) throw new Error(`There is no task "${task}"; there are ${Object.keys(table).join(', ')}.`);
        const value = await end(id, await run(payload as never));
        if (value !== dropped) answer(id, value);
      } catch (error) {
        reply({ id, ok: false, error: packError(error), ...noted() });
      } finally {
        idle.ended();
      }
    })();
  });
  reply({ ready: true });
}
