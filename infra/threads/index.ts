import { availableParallelism } from 'node:os';
import type { Transferable } from 'node:worker_threads';
import { startThread, type ThreadHandle } from './pool-thread.ts';

export interface RunOptions {
  /** Buffers moved to the thread instead of copied. */
  readonly transfer?: readonly Transferable[];
  /** Aborting ends the thread that runs the task; another takes its place. */
  readonly signal?: AbortSignal;
  /** Tasks with the same string run on the same thread, so that it can keep what they share. */
  readonly affinity?: string;
}

export interface ThreadPool {
  run<T>(task: string, payload: unknown, options?: RunOptions): Promise<T>;
  /** Tasks that wait or run now. */
  readonly load: number;
  /** Ends the threads; what still waits or runs is rejected. */
  close(): Promise<void>;
}

interface Job {
  readonly id: number;
  readonly slot: number | null;
  readonly start: (thread: ThreadHandle, done: () => void) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  thread: ThreadHandle | null;
  busy: boolean;
}

/**
 * Worker threads running the tasks that `entry` serves (`serveTasks`), one task at a time on each. A thread that dies rejects its
 * task and is replaced; one that cannot start is tried again only when there is work for it.
 */
export function createThreadPool({ entry, size = availableParallelism(), workerData }: { entry: URL; size?: number; workerData?: unknown }): ThreadPool {
  const slots: Slot[] = Array.from({ length: Math.max(1, size) }, () => ({ thread: null, busy: false }));
  const waiting: Job[] = [];
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

  const dispatch = (): void => {
    for (const [index, slot] of slots.entries()) {
      if (slot.busy || closed) continue;
      const at = waiting.findIndex((job) => job.slot === null || job.slot === index);
      if (at < 0) continue;
      const [job] = waiting.splice(at, 1);
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
    get load() {
      return waiting.length + running;
    },
    run<T>(task: string, payload: unknown, { transfer = [], signal, affinity }: RunOptions = {}) {
      return new Promise<T>((resolve, reject) => {
        if (closed) return reject(new Error('The thread pool is closed.'));
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
          slot: affinity === undefined ? null : slotOf(affinity, slots.length),
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
    },
    async close() {
      closed = true;
      for (const job of waiting.splice(0)) job.reject(new Error('The thread pool was closed before the task began.'));
      await Promise.all(slots.map(async (slot) => slot.thread?.terminate()));
    },
  };
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new DOMException('The task was aborted.', 'AbortError');
}

/** FNV-1a over the string, so that one string always names the same thread. */
function slotOf(affinity: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < affinity.length; i++) hash = Math.imul(hash ^ affinity.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % count;
}
