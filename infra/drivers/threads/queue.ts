import { FairOrder } from './fair-order.ts';

/** Properties that decide when and where a waiting task runs. */
export interface Queued {
  readonly account: string;
  readonly job: string;
  readonly affinity: string | undefined;
  readonly quick: boolean;
  /** Waits for a service of the process. */
  readonly waits: boolean;
  /** Runs before the other tasks of its job. */
  readonly first: boolean;
  /** Time at which it was added, in milliseconds. */
  readonly since: number;
  /** Thread on which it paused. */
  readonly begunOn: number | null;
}

/** The thread that is free for its next task. */
export interface FreeThread {
  readonly index: number;
  /** Takes only quick tasks. */
  readonly quick: boolean;
  /** Takes no tasks that wait for a service. */
  readonly free: boolean;
  /** Job and affinity of its last task. */
  readonly last: Pick<Queued, 'job' | 'affinity'> | null;
  /** Takes only quick tasks that were added before this time. */
  readonly quickUntil: number;
}

/** Number of affinities whose thread is remembered. */
const mostHomes = 4_096;

/**
 * Time slice of a job before another job of its account runs: each change costs the thread its cached data of the job.
 */
const sliceMs = 2_000;

/** Waiting tasks of one account, by job. */
interface Account<Task> {
  readonly order: FairOrder;
  readonly jobs: Map<string, Task[]>;
}

/**
 * The queue of waiting tasks. A thread takes the account that is first in `FairOrder`, then the first of its jobs in
 * `FairOrder`, then one task of the job: a `first` task, else a task that paused on this thread, else a task with the
 * affinity of the thread's last task, else the oldest. It skips tasks that must not run on the thread: some threads
 * take only quick tasks, or none that were added just now; one thread stays free of tasks that wait for a service;
 * tasks of one affinity run on one thread; a paused task resumes on its thread.
 */
export class TaskQueue<Task extends Queued> {
  readonly #accounts = new Map<string, Account<Task>>();
  readonly #order = new FairOrder();
  readonly #homes = new Map<string, number>();
  #length = 0;
  #quick = 0;

  get length(): number {
    return this.#length;
  }

  /** Number of waiting and running tasks of an account. */
  loadOf(account: string): number {
    return this.#order.loadOf(account);
  }

  add(task: Task): void {
    const { account, job, quick } = task;
    const own = this.#accounts.get(account) ?? { order: new FairOrder(sliceMs), jobs: new Map<string, Task[]>() };
    this.#accounts.set(account, own);
    const tasks = own.jobs.get(job);
    if (tasks) tasks.push(task);
    else own.jobs.set(job, [task]);
    own.order.add(job);
    this.#order.add(account);
    this.#length += 1;
    if (quick) this.#quick += 1;
  }

  /** Whether quick tasks wait. */
  get hasQuick(): boolean {
    return this.#quick > 0;
  }

  /** Whether the task was still waiting. */
  remove(task: Task): boolean {
    const own = this.#accounts.get(task.account);
    if (!own || !this.#take(own, task)) return false;
    own.order.withdraw(task.job);
    this.#order.withdraw(task.account);
    this.#forget(task.account);
    return true;
  }

  /** Whether the task is waiting. */
  has(task: Task): boolean {
    return this.#accounts.get(task.account)?.jobs.get(task.job)?.includes(task) ?? false;
  }

  /** Empties the queue. */
  clear(): Task[] {
    const all = [...this.#accounts.values()].flatMap(({ jobs }) => [...jobs.values()].flat());
    for (const task of all) this.remove(task);
    return all;
  }

  /** The next task of a thread, counted as running from now; null: none can run there. */
  next(thread: FreeThread): Task | null {
    let found: { readonly account: string; readonly task: Task } | null = null;
    for (const [account, own] of this.#accounts) {
      if (found && this.#order.compare(account, found.account) >= 0) continue;
      const task = this.#firstOf(own, thread);
      if (task) found = { account, task };
    }
    if (!found) return null;
    const { task, account } = found;
    const own = this.#accounts.get(account)!;
    this.#take(own, task);
    own.order.begin(task.job);
    this.#order.begin(account);
    if (task.affinity !== undefined) this.#settle(task.affinity, thread.index);
    return task;
  }

  /** A task from `next` has ended, or has paused and is added again, after so many milliseconds. */
  ended({ account, job }: Task, ms: number): void {
    this.#accounts.get(account)!.order.end(job, ms);
    this.#order.end(account, ms);
    this.#forget(account);
  }

  #firstOf({ order, jobs }: Account<Task>, thread: FreeThread): Task | null {
    let found: Task | null = null;
    for (const [job, tasks] of jobs) {
      const isBefore = found === null ? -1 : order.compare(job, found.job) || (job === thread.last?.job ? -1 : 0);
      if (isBefore < 0) found = this.#firstTask(tasks, thread) ?? found;
    }
    return found;
  }

  #firstTask(tasks: readonly Task[], { index, quick, free, last, quickUntil }: FreeThread): Task | undefined {
    const open = tasks.filter(
      (task) =>
        (task.quick ? task.since <= quickUntil : !quick) &&
        !(task.waits && free) &&
        (task.begunOn ?? this.#homeOf(task) ?? index) === index,
    );
    return (
      open.find(({ first }) => first) ??
      open.find(({ begunOn }) => begunOn !== null) ??
      open.find(({ affinity }) => affinity !== undefined && affinity === last?.affinity) ??
      open[0]
    );
  }

  #take({ jobs }: Account<Task>, task: Task): boolean {
    const tasks = jobs.get(task.job) ?? [];
    const at = tasks.indexOf(task);
    if (at < 0) return false;
    tasks.splice(at, 1);
    if (tasks.length === 0) jobs.delete(task.job);
    this.#length -= 1;
    if (task.quick) this.#quick -= 1;
    return true;
  }

  #forget(account: string): void {
    if (this.#order.loadOf(account) === 0) this.#accounts.delete(account);
  }

  #homeOf({ affinity }: Task): number | undefined {
    return affinity === undefined ? undefined : this.#homes.get(affinity);
  }

  #settle(affinity: string, index: number): void {
    this.#homes.delete(affinity);
    this.#homes.set(affinity, index);
    if (this.#homes.size > mostHomes) this.#homes.delete(this.#homes.keys().next().value!);
  }
}
