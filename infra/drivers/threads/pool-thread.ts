import { Worker, type Transferable } from 'node:worker_threads';
import type { Operation } from '../../observe/noted.ts';
import type { TaskOwner, Services } from './ask.ts';
import {
  compiledIn,
  packError,
  quickThread,
  ThreadLost,
  unpackError,
  type AskMessage,
  type PausedMessage,
  type ReplyMessage,
  type TaskMessage,
  type AnswerMessage,
} from './messages.ts';
import { movedOf } from './moving.ts';

/** Callbacks of one task; their arguments include the operations that the thread noted. */
interface TaskEvents {
  /** Called once. */
  ended(error: Error | null, value?: unknown, noted?: readonly Operation[]): void;
  /** The thread keeps the paused task and may run others until it is resumed. Absent: it is resumed at once. */
  paused?(noted?: readonly Operation[]): void;
}

interface Sending {
  readonly transfer?: readonly Transferable[] | undefined;
  /** Account and job for calls of services. */
  readonly owner?: TaskOwner;
}

export interface ThreadHandle {
  /** Calls back when the thread takes tasks; never if it ends first. */
  whenReady(then: () => void): void;
  /** Sends one task. */
  send(message: TaskMessage, how: Sending, events: TaskEvents): void;
  /** Resumes a paused task. */
  resume(id: number): void;
  /** Drops a paused task; no further callbacks follow. */
  drop(id: number): void;
  terminate(): Promise<void>;
}

export interface ThreadOptions {
  readonly entry: URL;
  readonly workerData: unknown;
  readonly heapMebibytes: number;
  /** Runs at normal priority, because its tasks are short. */
  readonly quick: boolean;
  /** Cache folder of compiled modules of all threads; absent: no cache. */
  readonly compiledDir?: string | undefined;
  /** Services that the thread may call. */
  readonly services?: Services | undefined;
}

/**
 * One worker thread. It keeps the process alive only while it works. `onEnd(wasReady)` is called once after it has
 * ended.
 */
export function startThread(
  { entry, workerData, heapMebibytes, quick, compiledDir, services = {} }: ThreadOptions,
  onEnd: (wasReady: boolean) => void,
): ThreadHandle {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData,
    argv: [entry.href, ...(quick ? [quickThread] : []), ...(compiledDir ? [compiledIn + compiledDir] : [])],
    resourceLimits: { maxOldGenerationSizeMb: heapMebibytes },
  });
  worker.unref();
  let ready = false;
  const waiting: (() => void)[] = [];
  let failure: (Error & { code?: string }) | null = null;
  const tasks = new Map<number, { readonly events: TaskEvents; readonly owner: TaskOwner }>();
  let running: number | null = null;
  const stopRunning = (): void => {
    running = null;
    worker.unref();
  };
  const settle = (id: number | null, ...end: Parameters<TaskEvents['ended']>): void => {
    const task = tasks.get(id!);
    tasks.delete(id!);
    if (id === running) stopRunning();
    task?.events.ended(...end);
  };
  const run = (id: number): void => {
    running = id;
    worker.ref();
  };
  const sendAnswer = (message: AnswerMessage, value?: unknown): void =>
    worker.postMessage(message, [...movedOf(value)]);
  const sendPaused = (message: PausedMessage): void => worker.postMessage(message, []);
  const serve = async ({ ask, service, payload }: AskMessage): Promise<void> => {
    const owner = tasks.get(running!)?.owner ?? {};
    try {
      if (!Object.hasOwn(services, service)) throw new Error(`There is no service "${service}" for threads.`);
      const value = await services[service](payload as never, owner);
      sendAnswer({ answerTo: ask, ok: true, value }, value);
    } catch (error) {
      sendAnswer({ answerTo: ask, ok: false, error: packError(error) });
    }
  };
  worker.on('message', (message: ReplyMessage) => {
    if ('ready' in message) {
      ready = true;
      for (const then of waiting.splice(0)) then();
    } else if ('ask' in message) void serve(message);
    else if ('paused' in message) {
      const { paused } = tasks.get(message.id)!.events;
      stopRunning();
      if (paused) paused(message.noted);
      else handle.resume(message.id);
    } else if (message.ok) settle(message.id, null, message.value, message.noted);
    else settle(message.id, unpackError(message.error), undefined, message.noted);
  });
  worker.on('messageerror', (error) => settle(running, notCrossed(error)));
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => {
    const cause = failure ?? undefined;
    // First remove this thread from the pool, so that no new task is sent to it.
    onEnd(ready);
    const lost = new ThreadLost(
      `A worker thread ended (exit code ${code}) before its task did${cause ? `: ${cause.message}` : ''}.`,
      { cause, reason: failure?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'lost' },
    );
    for (const id of tasks.keys()) settle(id, lost);
  });
  const handle: ThreadHandle = {
    whenReady(then) {
      if (ready) then();
      else waiting.push(then);
    },
    send(message, { transfer = [], owner = {} }, events) {
      tasks.set(message.id, { events, owner });
      run(message.id);
      try {
        worker.postMessage(message, [...transfer]);
      } catch (error) {
        settle(message.id, notCrossed(error as Error));
      }
    },
    resume(id) {
      run(id);
      sendPaused({ id, paused: 'resume' });
    },
    drop(id) {
      tasks.delete(id);
      sendPaused({ id, paused: 'drop' });
    },
    async terminate() {
      await worker.terminate();
    },
  };
  return handle;
}

const notCrossed = (cause: Error): ThreadLost => new ThreadLost(cause.message, { cause });
