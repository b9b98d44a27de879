import { availableParallelism } from 'node:os';
import type { Transferable } from 'node:worker_threads';
import { ThreadLost } from './messages.ts';
import { startThread, type ThreadHandle } from './pool-thread.ts';
import type { TaskTable } from './serve.ts';

export { ThreadLost };

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
  /** Ends the threads; what still waits or runs is rejected. */
  close(): Promise<void>;
}

interface Job {
  readonly id: number;
  readonly affinity: string | undefined;
  readonly start: (thread: ThreadHandle, done: () => void) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  thread: ThreadHandle | null;
  busy: boolean;
  /** Affinity of the last task. */
  last: string | undefined;
}

/** Affinities whose thread is remembered. */
const mostHomes = 4_096;

/**
 * Worker threads running the tasks that `entry` serves (`serveTasks`), one task at a time on each. A thread that dies
 * rejects its task and is replaced; one that cannot start is tried again only when there is work for it.
 */
export function createThreadPool<Tasks extends TaskTable>({
  entry,
  size = availableParallelism(),
  workerData,
}: {
  entry: URL;
  size?: number;
  workerData?: unknown;
}): ThreadPool<Tasks> {
  const slots: Slot[] = Array.from({ length: Math.max(1, size) }, () => ({
    thread: null,
    busy: false,
    last: undefined,
  }));
  const waiting: Job[] = [];
  const homes = new Map<string, number>();
  let nextId = 1;
  let running = 0;
  let closed = false;

  const spawn = (slot: Slot): ThreadHandle => {
    const thread = startThread(entry, workerData, (wasReady) => {
      if (slot.thread === thread) slot.thread = null;
      if (!closed && wasReady && !slot.thread) spawn(slot);
      dispatch();
    });
    slot.thread = thread;
    return thread;
  };

  const homeOf = ({ affinity }: Job): number | undefined => (affinity === undefined ? undefined : homes.get(affinity));
  const settle = (affinity: string, index: number): void => {
    homes.delete(affinity);
    homes.set(affinity, index);
    if (homes.size > mostHomes) homes.delete(homes.keys().next().value!);
  };

  /** The next task of a thread: one like its last, else the first that no other thread is home to. */
  const nextFor = (index: number): Job | null => {
    const { last } = slots[index]!;
    const open = waiting.filter((each) => (homeOf(each) ?? index) === index);
    const job = open.find(({ affinity }) => affinity !== undefined && affinity === last) ?? open[0];
    if (job) waiting.splice(waiting.indexOf(job), 1);
    return job ?? null;
  };

  const dispatch = (): void => {
    for (const [index, slot] of slots.entries()) {
      if (slot.busy || closed) continue;
      const job = nextFor(index);
      if (!job) continue;
      if (job.affinity !== undefined) settle(job.affinity, index);
      slot.last = job.affinity;
      slot.busy = true;
      running++;
      job.start(slot.thread ?? spawn(slot), () => {
        slot.busy = false;
        running--;
        dispatch();
      });
    }
  };

  for (const slot of slots) spawn(slot);

  return {
    size: slots.length,
    get load() {
      return waiting.length + running;
    },
    run: (<T>(task: string, payload: unknown, { transfer = [], signal, affinity }: RunOptions = {}) => {
      return new Promise<T>((resolve, reject) => {
        if (closed) return reject(new ThreadLost('The thread pool is closed.'));
        if (signal?.aborted) return reject(abortReason(signal));
        const id = nextId++;
        let thread: ThreadHandle | null = null;
        const onAbort = (): void => {
          const at = waiting.indexOf(job);
          if (at >= 0) waiting.splice(at, 1);
          reject(abortReason(signal));
          const slot = slots.find((each) => thread !== null && each.thread === thread);
          if (slot) slot.thread = null;
          void thread?.terminate();
        };
        const job: Job = {
          id,
          affinity,
          reject,
          start(handle, done) {
            thread = handle;
            handle.send({ id, task, payload }, transfer, (error, value) => {
              signal?.removeEventListener('abort', onAbort);
              if (error) reject(error);
              else resolve(value as T);
              done();
            });
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.push(job);
        dispatch();
      });
    }) as Run<Tasks>,
    async close() {
      closed = true;
      for (const job of waiting.splice(0))
        job.reject(new ThreadLost('The thread pool was closed before the task began.'));
      await Promise.all(slots.map(async (slot) => slot.thread?.terminate()));
    },
  };
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new DOMException('The task was aborted.', 'AbortError');
}
