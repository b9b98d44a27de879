interface KeyLoad {
  waiting: number;
  running: number;
  /** Milliseconds of work that it has had, on a clock that all share. */
  served: number;
  /** When its last piece of work began, as a number that grows with each. */
  turn: number;
}

const noLoad: Readonly<KeyLoad> = { waiting: 0, running: 0, served: 0, turn: 0 };

/**
 * The one rule that shares out work: the key with the fewest running pieces of work comes first, then the one that has
 * been served the least time, then the one whose last piece began longest ago. Keys are accounts, or the jobs of one
 * account. A key without work saves up nothing: when it has work again, it starts level with the least served.
 */
export class FairOrder {
  readonly #known = new Map<string, KeyLoad>();
  readonly #sliceMs: number;
  #turns = 0;

  /** `sliceMs`: keys that are served as many whole slices count as served alike, so that one goes on for a slice. */
  constructor(sliceMs = 0) {
    this.#sliceMs = sliceMs;
  }

  /** Work that waits or runs for a key. */
  loadOf(key: string): number {
    const { waiting, running } = this.#of(key);
    return waiting + running;
  }

  /** Work that runs for a key. */
  runningOf(key: string): number {
    return this.#of(key).running;
  }

  /** One more piece of work waits. */
  add(key: string): void {
    const own = this.#known.get(key) ?? { ...noLoad };
    if (own.waiting + own.running === 0) own.served = Math.max(own.served, this.#leastServed());
    own.waiting += 1;
    this.#known.set(key, own);
  }

  /** A piece of work waits no more, without having begun. */
  withdraw(key: string): void {
    this.#known.get(key)!.waiting -= 1;
    this.#forget();
  }

  /** A piece of work that waited begins. */
  begin(key: string): void {
    const own = this.#known.get(key)!;
    own.waiting -= 1;
    own.running += 1;
    own.turn = ++this.#turns;
  }

  /** A piece of work ended, or paused, after it ran for so many milliseconds. */
  end(key: string, ms: number): void {
    const own = this.#known.get(key)!;
    own.running -= 1;
    own.served += ms;
    this.#forget();
  }

  /** Negative: `a` comes before `b`; 0: neither, for keys in the same slice. */
  compare(a: string, b: string): number {
    const [one, two] = [this.#of(a), this.#of(b)];
    if (one.running !== two.running) return one.running - two.running;
    if (this.#sliceMs > 0) return Math.floor(one.served / this.#sliceMs) - Math.floor(two.served / this.#sliceMs);
    return one.served - two.served || one.turn - two.turn;
  }

  #of(key: string): Readonly<KeyLoad> {
    return this.#known.get(key) ?? noLoad;
  }

  #leastServed(): number {
    const active = [...this.#known.values()].filter(({ waiting, running }) => waiting + running > 0);
    return active.length === 0 ? 0 : Math.min(...active.map(({ served }) => served));
  }

  /** What idle keys were served matters only beside others, and until these have been served as much. */
  #forget(): void {
    const least = this.#leastServed();
    let busy = false;
    for (const { waiting, running } of this.#known.values()) busy ||= waiting + running > 0;
    for (const [key, { waiting, running, served }] of this.#known)
      if (waiting + running === 0 && (!busy || served <= least)) this.#known.delete(key);
  }
}
