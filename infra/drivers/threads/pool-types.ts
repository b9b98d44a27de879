import type { Transferable } from 'node:worker_threads';
import type { TaskFollower } from '../../observe/tasks.ts';
import type { EndOf } from '../../../ml/steps.ts';
import type { Services } from './ask.ts';
import type { TaskTable } from './serve.ts';
import type { WarmUpTask } from './warm-up.ts';

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
  /** The account that the task is done for: threads are shared out evenly between accounts (`FairOrder`). */
  readonly account?: string;
  /** The job that the task is part of: what an account has of the threads is shared out between its jobs. */
  readonly job?: string;
  /** The task ends soon: it may run on the threads that are kept for such tasks. */
  readonly quick?: boolean;
  /**
   * The task may wait long for what it asks of the process, while its thread does nothing: of two threads or more one
   * is kept free of such tasks. It has no affinity and is not quick.
   */
  readonly waits?: boolean;
  /** The task is short and holds others up: it comes before the other tasks of its job. */
  readonly first?: boolean;
  /**
   * A task that runs longer is given up with `ThreadLost`, and its thread replaced; what a new thread needs to load
   * does not count. Default: the pool's.
   */
  readonly seconds?: number;
}

export type Run<Tasks extends TaskTable> = <K extends keyof Tasks & string>(
  task: K,
  payload: Parameters<Tasks[K]>[0],
  options?: RunOptions,
) => Promise<EndOf<ReturnType<Tasks[K]>>>;

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
  /** Of these, the tasks of one account. */
  loadOf(account: string): number;
  /** Whether every thread has run `PoolOptions.warmUp`, or a minute has passed; true where there is none. */
  readonly warm: boolean;
  /** Resolves when `warm` is true; never rejects. */
  readonly whenWarm: Promise<void>;
  /** Ends the threads; what still waits or runs is rejected. */
  close(): Promise<void>;
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
