import { availableParallelism } from 'node:os';
import { endThreads } from './ending.ts';
import { ThreadLost } from './messages.ts';
import { startThread, type ThreadHandle } from './pool-thread.ts';
import type { TaskOwner } from './ask.ts';
import { TaskQueue, type Queued } from './queue.ts';
import type { TaskTable } from './serve.ts';
import type { PoolOptions, Run, RunOptions, ThreadPool } from './pool-types.ts';
import { longestWarmUpSeconds, WarmUp } from './warm-up.ts';

interface Job extends Queued {
  begunOn: number | null;
  /** Starts or resumes the task on the thread; `done` reports that it ended or paused. */
  readonly start: (thread: ThreadHandle, done: (how: 'ended' | 'paused') => void) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  thread: ThreadHandle | null;
  busy: boolean;
  /**
   * Its current task; null: none, or a warm-up task. A set of running tasks would keep ended requests alive until a
   * full garbage collection (V8 chains the old tables of a set).
   */
  job: Job | null;
  last: Pick<Job, 'job' | 'affinity'> | null;
  readonly quick: boolean;
  /** Takes no tasks that wait. */
  readonly free: boolean;
}

/** Milliseconds after which a general thread takes a waiting quick task, however many quick tasks run. */
const quickWaitMs = 10;

/** Account and job of tasks without one. */
const unnamed = '';

/** Longest time that `close` waits for threads to end. */
const closeSeconds = 10;

/**
 * Worker threads for the tasks that `entry` serves (`serveTasks`), one task at a time on each. When a thread dies, its
 * task is rejected and the thread is replaced. A task that exceeds its time or memory limit is treated in the same way,
 * even if its thread cannot be ended. A thread that fails to start is started again only when there is work for it.
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
    job: null,
    last: null,
    quick: index >= general,
    free: general > 1 && index === 0,
  }));
  /** Threads for quick tasks first. */
  const order = [...slots.entries()].sort(([, a], [, b]) => Number(b.quick) - Number(a.quick));
  /**
   * Number of running quick tasks up to which general threads take quick tasks too. More threads than cores slow each
   * other down, and each of them compiles and caches code for the tasks.
   */
  const mostQuickRunning = quickThreads > 0 ? general : Infinity;
  let quickTimer: NodeJS.Timeout | null = null;
  const queue = new TaskQueue<Job>();
  const warming = new WarmUp(slots.length, warmUp);
  const abandoned = new Set<ThreadHandle>();
  /**
   * Most abandoned threads that have not ended, for example during a system call that does not return. Beyond it no new
   * thread starts.
   */
  const mostAbandoned = 2 * slots.length + 6;
  let nextId = 1;
  let closed = false;

  const spawn = (slot: Slot): ThreadHandle => {
    const thread = startThread(
      { entry, workerData, heapMebibytes, quick: slot.quick, compiledDir, services },
      (wasReady) => {
        abandoned.delete(thread);
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

  /** Abandons a thread: ends it without waiting, and frees its slot. */
  const abandon = (thread: ThreadHandle): void => {
    for (const slot of slots) if (slot.thread === thread) slot.thread = null;
    abandoned.add(thread);
    void thread.terminate();
  };

  const dispatch = (): void => {
    for (const [index, slot] of order) {
      if (slot.busy || closed) continue;
      const { quick, free, last } = slot;
      const quickUntil = quick || quickRunning() < mostQuickRunning ? Infinity : performance.now() - quickWaitMs;
      const job = queue.next({ index, quick, free, last, quickUntil });
      if (!job) {
        warm(slot, index);
        continue;
      }
      const began = performance.now();
      const done = once((how: 'ended' | 'paused') => {
        slot.busy = false;
        slot.job = null;
        if (how === 'paused') {
          job.begunOn = index;
          queue.add(job);
        }
        queue.ended(job, performance.now() - began);
        dispatch();
      });
      slot.last = { job: job.job, affinity: job.affinity };
      slot.busy = true;
      slot.job = job;
      if (slot.thread || abandoned.size < mostAbandoned) job.start(slot.thread ?? spawn(slot), done);
      else {
        job.reject(new ThreadLost(`${abandoned.size} threads of the pool do not end; no other is begun.`));
        done('ended');
      }
    }
    checkQuickTasksLater();
  };

  const running = (): Job[] => slots.flatMap(({ job }) => job ?? []);

  const quickRunning = (): number => running().filter((job) => job.quick).length;

  /** Dispatches again later if quick tasks wait although a thread is idle. */
  const checkQuickTasksLater = (): void => {
    if (quickTimer || closed || mostQuickRunning === Infinity || !queue.hasQuick || slots.every(({ busy }) => busy))
      return;
    quickTimer = setTimeout(() => {
      quickTimer = null;
      dispatch();
    }, quickWaitMs).unref();
  };

  const warm = (slot: Slot, index: number): void => {
    const next = abandoned.size < mostAbandoned ? warming.next(index) : null;
    if (!next) return;
    slot.busy = true;
    const thread = slot.thread ?? spawn(slot);
    const ended = once((lost: boolean) => {
      clearTimeout(late);
      slot.busy = false;
      warming.ended(index, { lost });
      dispatch();
    });
    const late = setTimeout(() => {
      abandon(thread);
      ended(true);
    }, longestWarmUpSeconds * 1000).unref();
    thread.send({ id: nextId++, ...next }, {}, { ended: (error) => ended(error instanceof ThreadLost) });
  };

  for (const slot of slots) spawn(slot);
  dispatch();

  return {
    size: general,
    get load() {
      return queue.length + running().length;
    },
    loadOf: (account) => queue.loadOf(account),
    get warm() {
      return warming.warm;
    },
    whenWarm: warming.whenWarm,
    run: (<T>(task: string, payload: unknown, options: RunOptions = {}) => {
      const { account = unnamed, job: ofJob = unnamed, affinity } = options;
      const { transfer, signal, quick = false, waits = false, first = false, seconds = longest } = options;
      const owner: TaskOwner = { account: options.account, job: options.job };
      const followed = follow?.(task);
      const ended = new Promise<T>((resolve, reject) => {
        if (closed) return reject(new ThreadLost('The thread pool is closed.'));
        if (signal?.aborted) return reject(abortReason(signal));
        let overdue: NodeJS.Timeout | undefined;
        let giveUpThread = (): void => undefined;
        const settled = (): void => {
          clearTimeout(overdue);
          signal?.removeEventListener('abort', onAbort);
        };
        const giveUp = (error: Error): void => {
          settled();
          if (queue.remove(job)) begun?.thread.drop(begun.id);
          reject(error);
          // Only after all tasks of the aborted signal have left the queue: the next one would start only to be
          // aborted.
          queueMicrotask(() => giveUpThread());
        };
        const onAbort = (): void => giveUp(abortReason(signal));
        /** Thread on which it began; it may have paused there. */
        let begun: { readonly thread: ThreadHandle; readonly id: number } | null = null;
        let stop: (how: 'ended' | 'paused') => void = () => undefined;
        const begin = (thread: ThreadHandle): void => {
          if (!begun) followed?.began();
          const id = nextId++;
          begun = { thread, id };
          thread.send(
            { id, task, payload },
            { transfer, owner },
            {
              ended(error, value, noted) {
                if (noted) followed?.noted(noted);
                // The thread ended while the task was paused: the task starts again, or already runs on another thread.
                if (begun?.id !== id) return;
                if (queue.has(job)) {
                  job.begunOn = null;
                  return;
                }
                settled();
                if (error) reject(error);
                else resolve(value as T);
                stop('ended');
              },
              paused(noted) {
                if (noted) followed?.noted(noted);
                clearTimeout(overdue);
                giveUpThread = () => undefined;
                stop('paused');
              },
            },
          );
        };
        const job: Job = {
          account,
          job: ofJob,
          affinity,
          quick,
          waits,
          first,
          since: performance.now(),
          begunOn: null,
          reject,
          start(thread, done) {
            let isGivenUp = false;
            stop = done;
            giveUpThread = () => {
              isGivenUp = true;
              abandon(thread);
              done('ended');
            };
            const overrun = (): void =>
              giveUp(new ThreadLost(`The task ${task} ran for more than ${seconds} s.`, { reason: 'overdue' }));
            thread.whenReady(() => {
              if (!isGivenUp) overdue = setTimeout(overrun, seconds * 1000);
            });
            if (begun?.thread === thread) thread.resume(begun.id);
            else begin(thread);
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
      clearTimeout(quickTimer ?? undefined);
      warming.end();
      for (const job of queue.clear()) job.reject(new ThreadLost('The thread pool was closed before the task began.'));
      await endThreads([...abandoned, ...slots.flatMap(({ thread }) => thread ?? [])], closeSeconds);
      for (const job of running()) job.reject(new ThreadLost('The thread pool was closed before the task ended.'));
    },
  };
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new DOMException('The task was aborted.', 'AbortError');
}

/** The same function; later calls do nothing. */
function once<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    work(...args);
  };
}
