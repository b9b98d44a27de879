interface KeyLoad {
  waiting: number;
  running: number;
  /** Milliseconds of work so far, relative to the same start for all keys. */
  served: number;
  /** Number of its last piece of work; later pieces have larger numbers. */
  turn: number;
}

const noLoad: Readonly<KeyLoad> = { waiting: 0, running: 0, served: 0, turn: 0 };

/**
 * Fair scheduling. The key with the fewest running pieces of work comes first, then the key with the least served time,
 * then the key whose last piece began longest ago. Keys are accounts, or the jobs of one account. An idle key earns no
 * credit: when it has work again, it starts level with the least served key.
 */
export class FairOrder {
  readonly #known = new Map<string, KeyLoad>();
  readonly #sliceMs: number;
  #turns = 0;

  /**
   * `sliceMs`: keys with the same number of whole slices count as equally served, so that one key keeps its turn for a
   * slice.
   */
  constructor(sliceMs = 0) {
    this.#sliceMs = sliceMs;
  }

  /** Number of waiting and running pieces of work of a key. */
  loadOf(key: string): number {
    const { waiting, running } = this.#of(key);
    return waiting + running;
  }

  /** Number of running pieces of work of a key. */
  runningOf(key: string): number {
    return this.#of(key).running;
  }

  /** Adds a waiting piece of work. */
  add(key: string): void {
    const own = this.#known.get(key) ?? { ...noLoad };
    if (own.waiting + own.running === 0) own.served = Math.max(own.served, this.#leastServed());
    own.waiting += 1;
    this.#known.set(key, own);
  }

  /** Removes a waiting piece of work that has not begun. */
  withdraw(key: string): void {
    this.#known.get(key)!.waiting -= 1;
    this.#forget();
  }

  /** A waiting piece of work begins. */
  begin(key: string): void {
    const own = this.#known.get(key)!;
    own.waiting -= 1;
    own.running += 1;
    own.turn = ++this.#turns;
  }

  /** A piece of work ended or paused after so many milliseconds. */
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

  /** Forgets idle keys: their served time matters only until all busy keys have been served as much. */
  #forget(): void {
    const least = this.#leastServed();
    let busy = false;
    for (const { waiting, running } of this.#known.values()) busy ||= waiting + running > 0;
    for (const [key, { waiting, running, served }] of this.#known)
      if (waiting + running === 0 && (!busy || served <= least)) this.#known.delete(key);
  }
}
