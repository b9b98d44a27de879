import { FairOrder } from './fair-order.ts';

/** What decides when and where a task that waits is run. */
export interface Queued {
  readonly account: string;
  readonly job: string;
  readonly affinity: string | undefined;
  readonly quick: boolean;
  /** Waits for what it asks of the process. */
  readonly waits: boolean;
  /** Comes before the other tasks of its job. */
  readonly first: boolean;
  /** When it was added, in milliseconds. */
  readonly since: number;
  /** The thread that has begun it, where it paused. */
  readonly begunOn: number | null;
}

/** The thread that asks for its next task. */
export interface Asking {
  readonly index: number;
  /** Takes quick tasks alone. */
  readonly quick: boolean;
  /** Takes no tasks that wait. */
  readonly free: boolean;
  /** Job and affinity of its last task. */
  readonly last: Pick<Queued, 'job' | 'affinity'> | null;
  /** Of the quick tasks it takes those that were added until then. */
  readonly quickUntil: number;
}

/** Affinities whose thread is remembered. */
const mostHomes = 4_096;

/**
 * A job goes on for so long before another job of its account takes its place: each change costs the thread what it
 * keeps of a job.
 */
const sliceMs = 2_000;

/** The tasks of one account that wait, by job. */
interface Account<Task> {
  readonly order: FairOrder;
  readonly jobs: Map<string, Task[]>;
}

/**
 * Tasks that wait. A thread takes the account that comes first in `FairOrder`, of its jobs the first in `FairOrder`, and
 * of the job the first task: one that asks to come first, one that the thread has begun, one of the affinity of the
 * thread's last task, else the one that was added first. An account or job whose tasks may not run on the thread is
 * passed over: a thread may take quick tasks alone, or none of those that came just now; one may be kept free of tasks
 * that wait; tasks of one affinity go to one thread, and one that paused to the thread that began it.
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

  /** Tasks that wait or run for one account. */
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

  /** The next task of a thread, which is taken to begin now; null where none may run there. */
  next(asking: Asking): Task | null {
    let found: { readonly account: string; readonly task: Task } | null = null;
    for (const [account, own] of this.#accounts) {
      if (found && this.#order.compare(account, found.account) >= 0) continue;
      const task = this.#firstOf(own, asking);
      if (task) found = { account, task };
    }
    if (!found) return null;
    const { task, account } = found;
    const own = this.#accounts.get(account)!;
    this.#take(own, task);
    own.order.begin(task.job);
    this.#order.begin(account);
    if (task.affinity !== undefined) this.#settle(task.affinity, asking.index);
    return task;
  }

  /** A task that `next` gave out has ended, or pauses and is added again, after it ran for so many milliseconds. */
  ended({ account, job }: Task, ms: number): void {
    this.#accounts.get(account)!.order.end(job, ms);
    this.#order.end(account, ms);
    this.#forget(account);
  }

  #firstOf({ order, jobs }: Account<Task>, asking: Asking): Task | null {
    let found: Task | null = null;
    for (const [job, tasks] of jobs) {
      const isBefore = found === null ? -1 : order.compare(job, found.job) || (job === asking.last?.job ? -1 : 0);
      if (isBefore < 0) found = this.#firstTask(tasks, asking) ?? found;
    }
    return found;
  }

  #firstTask(tasks: readonly Task[], { index, quick, free, last, quickUntil }: Asking): Task | undefined {
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
