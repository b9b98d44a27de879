/** Work that waits its turn, by whose it is: of each at most `most` run at once, so that nobody takes the place of all. */
export class Turns {
  readonly #most: number;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Runs `work` at once, or when one of the same `whose` has ended. */
  async run<T>(whose: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(whose) ?? 0;
    if (running < this.#most) this.#running.set(whose, running + 1);
    else await new Promise<void>((resolve) => this.#queueOf(whose).push(resolve));
    try {
      return await work();
    } finally {
      this.#ended(whose);
    }
  }

  #queueOf(whose: string): (() => void)[] {
    const queue = this.#waiting.get(whose) ?? [];
    this.#waiting.set(whose, queue);
    return queue;
  }

  /** Hands the place on to who waits longest, else frees it. */
  #ended(whose: string): void {
    const queue = this.#waiting.get(whose);
    const next = queue?.shift();
    if (queue?.length === 0) this.#waiting.delete(whose);
    if (next) return next();
    const running = this.#running.get(whose)! - 1;
    if (running > 0) this.#running.set(whose, running);
    else this.#running.delete(whose);
  }
}
