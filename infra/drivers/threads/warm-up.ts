/** A task that a new thread runs first, to have its code compiled; its result is not used. */
export interface WarmUpTask {
  readonly task: string;
  readonly payload: unknown;
}

/** After this time threads count as warm. A warm-up task that takes as long is ended with its thread. */
export const longestWarmUpSeconds = 60;

/**
 * Schedules the warm-up tasks of each thread. Real tasks come first. A thread that is lost during its warm-up is not
 * warmed up again.
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

  /** Whether every thread has run all warm-up tasks, or the time limit has passed. */
  get warm(): boolean {
    return this.#warm;
  }

  /** Resolves when `warm` is true; never rejects. */
  get whenWarm(): Promise<void> {
    return this.#ended.promise;
  }

  /** The next warm-up task of a thread, counted as running from now; null: it has run all. */
  next(thread: number): WarmUpTask | null {
    const [task, ...rest] = this.#left[thread];
    if (!task) return null;
    this.#left[thread] = rest;
    this.#running++;
    return task;
  }

  /** A task from `next` has ended. */
  ended(thread: number, { lost }: { readonly lost: boolean }): void {
    this.#running--;
    if (lost) this.giveUp(thread);
    this.#check();
  }

  /** Another thread has replaced a lost one. */
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
