import type { Transferable } from 'node:worker_threads';
import type { TaskFollower } from '../../observe/tasks.ts';
import type { EndOf } from '../../../ml/steps.ts';
import type { Services } from './ask.ts';
import type { TaskTable } from './serve.ts';
import type { WarmUpTask } from './warm-up.ts';

export interface RunOptions {
  /** Buffers moved to the thread instead of copied. */
  readonly transfer?: readonly Transferable[];
  /** Aborting it ends the thread that runs the task; the pool starts another thread. */
  readonly signal?: AbortSignal;
  /**
   * Tasks with the same string run on the same thread, the first one that was free for them, so that it can cache their
   * common data.
   */
  readonly affinity?: string;
  /** Account of the task: the pool divides thread time evenly between accounts (`FairOrder`). */
  readonly account?: string;
  /** Job of the task: the pool divides an account's thread time between its jobs. */
  readonly job?: string;
  /** The task is short: it may run on the threads reserved for such tasks. */
  readonly quick?: boolean;
  /**
   * The task may wait long for a service of the process while its thread is idle. A pool of two or more threads keeps
   * one free of such tasks. The task has no affinity and is not quick.
   */
  readonly waits?: boolean;
  /** The task is short and others wait for it: it runs before the other tasks of its job. */
  readonly first?: boolean;
  /**
   * Timeout of the task: it fails with `ThreadLost`, and its thread is replaced. The time in which a new thread loads
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
   * Runs a task in the next free thread. Rejects with the task's error (an ApiError keeps its fields), with the reason
   * of the aborted signal, or with `ThreadLost` if the task has no result for an external reason.
   */
  readonly run: Run<Tasks>;
  /** Threads. */
  readonly size: number;
  /** Number of waiting and running tasks. */
  readonly load: number;
  /** Number of these tasks that belong to one account. */
  loadOf(account: string): number;
  /** Whether every thread has run `PoolOptions.warmUp`, or a minute has passed; true without `warmUp`. */
  readonly warm: boolean;
  /** Resolves when `warm` is true; never rejects. */
  readonly whenWarm: Promise<void>;
  /** Ends the threads and rejects all waiting and running tasks. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly entry: URL;
  /** Threads that take any task. */
  readonly size?: number;
  /** Additional threads that take only quick tasks. */
  readonly quickThreads?: number;
  readonly workerData?: unknown;
  /** Heap limit of a thread in MiB, without buffers of numbers; a thread that exceeds it ends with its task. */
  readonly heapMebibytes: number;
  /** Timeout of a task, from the time its thread is ready. */
  readonly seconds: number;
  /** Observes every task of the pool. */
  readonly follow?: (task: string) => TaskFollower;
  /** Tasks that each thread runs before real tasks; their results are ignored. */
  readonly warmUp?: readonly WarmUpTask[];
  /** Cache folder of compiled modules, shared with other processes; absent: none. */
  readonly compiledDir?: string | undefined;
  /** Services that threads may call during a task (`ask`); absent: none. */
  readonly services?: Services | undefined;
}
