/** A task that a new thread runs before others, for the compiler's sake: its result is not used. */
export interface WarmUpTask {
  readonly task: string;
  readonly payload: unknown;
}

/** Threads count as warm after this time, and a task of it that takes as long is ended with its thread. */
export const longestWarmUpSeconds = 60;

/**
 * What each thread of a pool runs first. It gives way: a task that is asked for comes before what is left of it. A
 * thread that is lost in it is not warmed again.
 */
export class WarmUp {
  readonly #left: (readonly WarmUpTask[])[];
  readonly #tasks: readonly WarmUpTask[];
  readonly #given: boolean[];
  readonly #ended = Promise.withResolvers<void>();
  #running = 0;
  #warm = false;

  constructor(threads: number, tasks: readonly WarmUpTask[]) {
    this.#tasks = tasks;
    this.#left = Array.from({ length: threads }, () => tasks);
    this.#given = Array.from({ length: threads }, () => false);
    setTimeout(() => this.end(), longestWarmUpSeconds * 1000).unref();
    this.#check();
  }

  /** Every thread has run all of it once, or the longest time has passed. */
  get warm(): boolean {
    return this.#warm;
  }

  /** Resolves when `warm` is true; never rejects. */
  get whenWarm(): Promise<void> {
    return this.#ended.promise;
  }

  /** The next task of a thread, which is taken to begin now; null where it has run all. */
  next(thread: number): WarmUpTask | null {
    const [task, ...rest] = this.#left[thread];
    if (!task) return null;
    this.#left[thread] = rest;
    this.#running++;
    return task;
  }

  /** A task that `next` gave out has ended. */
  ended(thread: number, { lost }: { readonly lost: boolean }): void {
    this.#running--;
    if (lost) this.giveUp(thread);
    this.#check();
  }

  /** Another thread stands in the place of one that was lost. */
  again(thread: number): void {
    if (!this.#given[thread]) this.#left[thread] = this.#tasks;
  }

  /** The thread cannot be warmed. */
  giveUp(thread: number): void {
    this.#given[thread] = true;
    this.#left[thread] = [];
    this.#check();
  }

  /** Counts all threads as warm. */
  end(): void {
    this.#warm = true;
    this.#ended.resolve();
  }

  #check(): void {
    if (this.#running === 0 && this.#left.every(({ length }) => length === 0)) this.end();
  }
}
