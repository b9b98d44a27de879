import { Worker, type Transferable } from 'node:worker_threads';
import type { Operation } from '../../observe/noted.ts';
import type { Services } from './ask.ts';
import {
  compiledIn,
  packError,
  quickThread,
  ThreadLost,
  unpackError,
  type AskMessage,
  type ReplyMessage,
  type TaskMessage,
  type ToldMessage,
} from './messages.ts';
import { movedOf } from './moving.ts';

/** How a task ended, and what its thread noted meanwhile. */
type TaskEnd = (error: Error | null, value?: unknown, noted?: readonly Operation[]) => void;

interface Sending {
  readonly transfer?: readonly Transferable[] | undefined;
  /** Whom the task is done for. */
  readonly share?: string | undefined;
}

export interface ThreadHandle {
  /** Calls back once the thread takes tasks; never where it ends before. */
  whenReady(then: () => void): void;
  /** Sends one task; `done` hears its end once. */
  send(message: TaskMessage, how: Sending, done: TaskEnd): void;
  terminate(): Promise<void>;
}

export interface ThreadOptions {
  readonly entry: URL;
  readonly workerData: unknown;
  readonly heapMebibytes: number;
  /** Does not give way to the main thread: what it does ends soon. */
  readonly quick: boolean;
  /** Folder that keeps the compiled modules of all threads; absent: they are compiled anew. */
  readonly compiledDir?: string | undefined;
  /** What the thread may ask for. */
  readonly services?: Services | undefined;
}

/**
 * One worker thread. It keeps the process alive only while it works. `onEnd(wasReady)` is called once, when it has
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
  let pending: TaskEnd | null = null;
  let share: string | undefined;
  const settle: TaskEnd = (...end) => {
    const done = pending;
    pending = null;
    worker.unref();
    done?.(...end);
  };
  const tell = (message: ToldMessage, value?: unknown): void => worker.postMessage(message, [...movedOf(value)]);
  const serve = async ({ ask, service, payload }: AskMessage): Promise<void> => {
    try {
      if (!Object.hasOwn(services, service)) throw new Error(`There is no service "${service}" for threads.`);
      const value = await services[service](payload as never, { share });
      tell({ told: ask, ok: true, value }, value);
    } catch (error) {
      tell({ told: ask, ok: false, error: packError(error) });
    }
  };
  worker.on('message', (message: ReplyMessage) => {
    if ('ready' in message) {
      ready = true;
      for (const then of waiting.splice(0)) then();
    } else if ('ask' in message) void serve(message);
    else if (message.ok) settle(null, message.value, message.noted);
    else settle(unpackError(message.error), undefined, message.noted);
  });
  worker.on('messageerror', (error) => settle(notCrossed(error)));
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => {
    const cause = failure ?? undefined;
    // First the pool forgets this thread: what it runs next is not sent here.
    onEnd(ready);
    settle(
      new ThreadLost(
        `A worker thread ended (exit code ${code}) before its task did${cause ? `: ${cause.message}` : ''}.`,
        { cause, reason: failure?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out of memory' : 'lost' },
      ),
    );
  });
  return {
    whenReady(then) {
      if (ready) then();
      else waiting.push(then);
    },
    send(message, { transfer = [], ...how }, done) {
      pending = done;
      share = how.share;
      worker.ref();
      try {
        worker.postMessage(message, [...transfer]);
      } catch (error) {
        settle(notCrossed(error as Error));
      }
    },
    async terminate() {
      await worker.terminate();
    },
  };
}

const notCrossed = (cause: Error): ThreadLost => new ThreadLost(cause.message, { cause });
