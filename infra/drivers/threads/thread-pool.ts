import { availableParallelism } from 'node:os';
import { endThreads } from './ending.ts';
import { ThreadLost } from './messages.ts';
import { startThread, type ThreadHandle } from './pool-thread.ts';
import type { Asking } from './ask.ts';
import { TaskQueue, type Queued } from './queue.ts';
import type { TaskTable } from './serve.ts';
import type { PoolOptions, Run, RunOptions, ThreadPool } from './pool-types.ts';
import { longestWarmUpSeconds, WarmUp } from './warm-up.ts';

interface Job extends Queued {
  begunOn: number | null;
  /** Begins the task on the thread, or goes on with it; `done` says that it ended, or paused. */
  readonly start: (thread: ThreadHandle, done: (how: 'ended' | 'paused') => void) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  thread: ThreadHandle | null;
  busy: boolean;
  /**
   * What it runs now; null: nothing, or what warms it up. Not a set that tasks enter and leave: V8 makes table after
   * table of one, and each that is old keeps the next alive, with the requests in it, until the whole heap is
   * collected.
   */
  job: Job | null;
  /** The last task. */
  last: Pick<Job, 'job' | 'affinity'> | null;
  readonly quick: boolean;
  /** Takes no tasks that wait. */
  readonly free: boolean;
}

/** Milliseconds after which a general thread takes a quick task however many are run. */
const quickWaitMs = 10;

/** The account, and the job, of tasks that name none. */
const unnamed = '';

/** How long `close` waits for threads to end. */
const closeSeconds = 10;

/**
 * Worker threads running the tasks that `entry` serves (`serveTasks`), one task at a time on each. A thread that dies
 * rejects its task and is replaced, as is one whose task runs for too long or needs too much memory, even where it
 * cannot be ended; one that cannot start is tried again only when there is work for it.
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
  /** Those for quick tasks come first. */
  const order = [...slots.entries()].sort(([, a], [, b]) => Number(b.quick) - Number(a.quick));
  /**
   * Quick tasks at once up to which general threads join in: on more threads than there are cores for, they hold each
   * other up, and each thread compiles and caches what they need.
   */
  const abreast = quickThreads > 0 ? general : Infinity;
  let quickTimer: NodeJS.Timeout | null = null;
  const queue = new TaskQueue<Job>();
  const warming = new WarmUp(slots.length, warmUp);
  const abandoned = new Set<ThreadHandle>();
  /** Threads that were given up and do not end, as in a call of the system that does not return; then none begins. */
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

  /** Ends a thread, however long that takes; its place is another's. */
  const abandon = (thread: ThreadHandle): void => {
    for (const slot of slots) if (slot.thread === thread) slot.thread = null;
    abandoned.add(thread);
    void thread.terminate();
  };

  const dispatch = (): void => {
    for (const [index, slot] of order) {
      if (slot.busy || closed) continue;
      const { quick, free, last } = slot;
      const quickUntil = quick || quickRunning() < abreast ? Infinity : performance.now() - quickWaitMs;
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

  /** Looks again, in a while, for threads of quick tasks that wait although one has nothing to do. */
  const checkQuickTasksLater = (): void => {
    if (quickTimer || closed || abreast === Infinity || !queue.hasQuick || slots.every(({ busy }) => busy)) return;
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
      const asking: Asking = { account: options.account, job: options.job };
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
          // Not before all tasks that one signal aborts have left the queue: the next would begin only to be given up.
          queueMicrotask(() => giveUpThread());
        };
        const onAbort = (): void => giveUp(abortReason(signal));
        /** Where it was begun: it may have paused there. */
        let begun: { readonly thread: ThreadHandle; readonly id: number } | null = null;
        let stop: (how: 'ended' | 'paused') => void = () => undefined;
        const begin = (thread: ThreadHandle): void => {
          if (!begun) followed?.began();
          const id = nextId++;
          begun = { thread, id };
          thread.send(
            { id, task, payload },
            { transfer, asking },
            {
              ended(error, value, noted) {
                if (noted) followed?.noted(noted);
                // The thread ended after the task had paused: it begins anew, or has begun on another thread.
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

/** The same function, whose later calls do nothing. */
function once<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    work(...args);
  };
}
