import { availableParallelism } from 'node:os';
import type { Transferable } from 'node:worker_threads';
import type { TaskFollower } from '../../observe/tasks.ts';
import type { Services } from './ask.ts';
import { ThreadLost } from './messages.ts';
import { startThread, type ThreadHandle } from './pool-thread.ts';
import { TaskQueue, type Queued } from './queue.ts';
import type { TaskTable } from './serve.ts';
import { longestWarmUpSeconds, WarmUp, type WarmUpTask } from './warm-up.ts';

export { ThreadLost };
export { ask } from './ask.ts';
export type { Services } from './ask.ts';
export { unpackError } from './messages.ts';
export type { LossReason } from './messages.ts';

export interface RunOptions {
  /** Buffers moved to the thread instead of copied. */
  readonly transfer?: readonly Transferable[];
  /** Aborting ends the thread that runs the task; another takes its place. */
  readonly signal?: AbortSignal;
  /**
   * Tasks with the same string run on the same thread, so that it can keep what they share: the first thread that was
   * free for one of them.
   */
  readonly affinity?: string;
  /** Whom the task is done for: threads are shared out evenly between those who have tasks. */
  readonly share?: string;
  /** The task ends soon: it may run on the threads that are kept for such tasks. */
  readonly quick?: boolean;
  /**
   * A task that runs longer is given up with `ThreadLost`, and its thread replaced; what a new thread needs to load
   * does not count. Default: the pool's.
   */
  readonly seconds?: number;
}

type Run<Tasks extends TaskTable> = <K extends keyof Tasks & string>(
  task: K,
  payload: Parameters<Tasks[K]>[0],
  options?: RunOptions,
) => Promise<Awaited<ReturnType<Tasks[K]>>>;

/** A pool of threads; `Tasks` is the type of the table that its entry serves. */
export interface ThreadPool<Tasks extends TaskTable> {
  /**
   * Runs a task in the next free thread. Rejects with what the task threw (an ApiError keeps its fields), with the
   * reason of the signal's abort, or with `ThreadLost` where the task did not come to its end for a reason that is not
   * its own.
   */
  readonly run: Run<Tasks>;
  /** Threads. */
  readonly size: number;
  /** Tasks that wait or run now. */
  readonly load: number;
  /** Of these, the tasks of one share. */
  loadOf(share: string): number;
  /** Whether every thread has run `PoolOptions.warmUp`, or a minute has passed; true where there is none. */
  readonly warm: boolean;
  /** Resolves when `warm` is true; never rejects. */
  readonly whenWarm: Promise<void>;
  /** Ends the threads; what still waits or runs is rejected. */
  close(): Promise<void>;
}

interface Job extends Queued {
  readonly id: number;
  readonly start: (thread: ThreadHandle, done: () => void) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  thread: ThreadHandle | null;
  busy: boolean;
  /** Affinity of the last task. */
  last: string | undefined;
  readonly quick: boolean;
}

export interface PoolOptions {
  readonly entry: URL;
  /** Threads that take any task. */
  readonly size?: number;
  /** Threads besides that take quick tasks alone. */
  readonly quickThreads?: number;
  readonly workerData?: unknown;
  /** Largest heap of a thread in MiB (buffers of numbers not counted); beyond it the thread ends, with its task. */
  readonly heapMebibytes: number;
  /** Longest that a task may run, from when its thread is ready. */
  readonly seconds: number;
  /** Follows every task that is asked for. */
  readonly follow?: (task: string) => TaskFollower;
  /** What each thread runs before it has other tasks; how it ends does not matter. */
  readonly warmUp?: readonly WarmUpTask[];
  /** Folder that keeps the compiled modules of threads, those of other processes too; absent: none. */
  readonly compiledDir?: string | undefined;
  /** What its threads may ask of the process while they run a task (`ask`); absent: nothing. */
  readonly services?: Services | undefined;
}

/**
 * Worker threads running the tasks that `entry` serves (`serveTasks`), one task at a time on each. A thread that dies
 * rejects its task and is replaced, as is one whose task runs for too long or needs too much memory; one that cannot
 * start is tried again only when there is work for it.
 */
export function createThreadPool<Tasks extends TaskTable>({
  entry,
  size = availableParallelism(),
  quickThreads = 0,
  workerData,
  heapMebibytes,
  seconds: longest,
  warmUp = [],
  follow,
  compiledDir,
  services,
}: PoolOptions): ThreadPool<Tasks> {
  const general = Math.max(1, size);
  const slots: Slot[] = Array.from({ length: general + quickThreads }, (_, index) => ({
    thread: null,
    busy: false,
    last: undefined,
    quick: index >= general,
  }));
  const queue = new TaskQueue<Job>();
  const warming = new WarmUp(slots.length, warmUp);
  let nextId = 1;
  let running = 0;
  let closed = false;

  const spawn = (slot: Slot): ThreadHandle => {
    const thread = startThread(
      { entry, workerData, heapMebibytes, quick: slot.quick, compiledDir, services },
      (wasReady) => {
        if (slot.thread === thread) slot.thread = null;
        if (wasReady) warming.again(slots.indexOf(slot));
        else warming.giveUp(slots.indexOf(slot));
        if (!closed && wasReady && !slot.thread) spawn(slot);
        dispatch();
      },
    );
    slot.thread = thread;
    return thread;
  };

  const dispatch = (): void => {
    for (const [index, slot] of slots.entries()) {
      if (slot.busy || closed) continue;
      const job = queue.next({ index, quick: slot.quick, last: slot.last });
      if (!job) {
        warm(slot, index);
        continue;
      }
      slot.last = job.affinity;
      slot.busy = true;
      running++;
      job.start(slot.thread ?? spawn(slot), () => {
        slot.busy = false;
        running--;
        queue.ended(job);
        dispatch();
      });
    }
  };

  const warm = (slot: Slot, index: number): void => {
    const next = warming.next(index);
    if (!next) return;
    slot.busy = true;
    const thread = slot.thread ?? spawn(slot);
    const late = setTimeout(() => void thread.terminate(), longestWarmUpSeconds * 1000).unref();
    thread.send({ id: nextId++, ...next }, [], (error) => {
      clearTimeout(late);
      slot.busy = false;
      warming.ended(index, { lost: error instanceof ThreadLost });
      dispatch();
    });
  };

  for (const slot of slots) spawn(slot);
  dispatch();

  return {
    size: general,
    get load() {
      return queue.length + running;
    },
    loadOf: (share) => queue.loadOf(share),
    get warm() {
      return warming.warm;
    },
    whenWarm: warming.whenWarm,
    run: (<T>(task: string, payload: unknown, options: RunOptions = {}) => {
      const { transfer = [], signal, affinity, share, quick = false, seconds = longest } = options;
      const followed = follow?.(task);
      const ended = new Promise<T>((resolve, reject) => {
        if (closed) return reject(new ThreadLost('The thread pool is closed.'));
        if (signal?.aborted) return reject(abortReason(signal));
        const id = nextId++;
        let thread: ThreadHandle | null = null;
        const giveUp = (error: Error): void => {
          queue.remove(job);
          reject(error);
          const slot = slots.find((each) => thread !== null && each.thread === thread);
          if (slot) slot.thread = null;
          void thread?.terminate();
        };
        const onAbort = (): void => giveUp(abortReason(signal));
        const job: Job = {
          id,
          affinity,
          share,
          quick,
          reject,
          start(handle, done) {
            thread = handle;
            followed?.began();
            let overdue: NodeJS.Timeout | undefined;
            const overrun = (): void =>
              giveUp(new ThreadLost(`The task ${task} ran for more than ${seconds} s.`, { reason: 'overdue' }));
            handle.whenReady(() => (overdue = setTimeout(overrun, seconds * 1000)));
            handle.send({ id, task, payload }, transfer, (error, value, noted) => {
              if (noted) followed?.noted(noted);
              clearTimeout(overdue);
              signal?.removeEventListener('abort', onAbort);
              if (error) reject(error);
              else resolve(value as T);
              done();
            });
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.add(job);
        dispatch();
      });
      if (followed) ended.then(() => followed.ended(null), followed.ended);
      return ended;
    }) as Run<Tasks>,
    async close() {
      closed = true;
      warming.end();
      for (const job of queue.clear()) job.reject(new ThreadLost('The thread pool was closed before the task began.'));
      await Promise.all(slots.map(async (slot) => slot.thread?.terminate()));
    },
  };
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new DOMException('The task was aborted.', 'AbortError');
}
