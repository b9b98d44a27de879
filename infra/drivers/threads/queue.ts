/** What decides when and where a task that waits is run. */
export interface Queued {
  readonly affinity: string | undefined;
  readonly share: string | undefined;
  readonly quick: boolean;
  /** Waits for what it asks of the process. */
  readonly waits: boolean;
  /** Comes before all others that may run on the thread. */
  readonly first: boolean;
  /** When it was added, in milliseconds. */
  readonly since: number;
}

/** The thread that asks for its next task. */
export interface Asking {
  readonly index: number;
  /** Takes quick tasks alone. */
  readonly quick: boolean;
  /** Takes no tasks that wait. */
  readonly free: boolean;
  /** Affinity of its last task. */
  readonly last: string | undefined;
  /** Of the quick tasks it takes those that were added until then. */
  readonly quickUntil: number;
}

/** Affinities whose thread is remembered. */
const mostHomes = 4_096;

/** Whom tasks are done for. */
interface Share {
  running: number;
  /** When its last task began, as a number that grows with each. */
  served: number;
}

const newcomer: Share = { running: 0, served: 0 };

/**
 * Tasks that wait, first come first served, but for five things: tasks of one affinity go to one thread; of the
 * shares, the one with the fewest running tasks comes first, then the one whose last task began longest ago; a thread
 * may take quick tasks alone, or none of those that came just now; one may be kept free of tasks that wait, which have
 * no affinity; and a task may ask to come first.
 */
export class TaskQueue<Job extends Queued> {
  readonly #waiting: Job[] = [];
  readonly #shares = new Map<string, Share>();
  readonly #homes = new Map<string, number>();
  #begun = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /** Tasks that wait or run for one share. */
  loadOf(share: string): number {
    return this.#waiting.filter((job) => job.share === share).length + this.#shareOf(share).running;
  }

  add(job: Job): void {
    this.#waiting.push(job);
  }

  /** Whether quick tasks wait. */
  get hasQuick(): boolean {
    return this.#waiting.some(({ quick }) => quick);
  }

  /** Whether the task was still waiting. */
  remove(job: Job): boolean {
    const at = this.#waiting.indexOf(job);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  /** Empties the queue. */
  clear(): Job[] {
    return this.#waiting.splice(0);
  }

  /** The next task of a thread, which is taken to begin now; null where none may run there. */
  next({ index, quick, free, last, quickUntil }: Asking): Job | null {
    const open = this.#waiting.filter(
      (job) =>
        (job.quick ? job.since <= quickUntil : !quick) &&
        !(job.waits && free) &&
        (this.#homeOf(job) ?? index) === index,
    );
    const job =
      open.find(({ first }) => first) ??
      open.find(({ affinity }) => affinity !== undefined && affinity === last) ??
      this.#fairest(open);
    if (!job) return null;
    this.remove(job);
    const { affinity, share } = job;
    if (affinity !== undefined) this.#settle(affinity, index);
    if (share !== undefined)
      this.#shares.set(share, { running: this.#shareOf(share).running + 1, served: ++this.#begun });
    return job;
  }

  /** A task that `next` gave out has ended. */
  ended({ share }: Job): void {
    if (share === undefined) return;
    const { running, served } = this.#shareOf(share);
    this.#shares.set(share, { running: running - 1, served });
    if (this.loadOf(share) === 0) this.#shares.delete(share);
  }

  #shareOf(share: string | undefined): Share {
    return (share === undefined ? undefined : this.#shares.get(share)) ?? newcomer;
  }

  #fairest(jobs: readonly Job[]): Job | undefined {
    let best: Job | undefined;
    let least = newcomer;
    for (const job of jobs) {
      const share = this.#shareOf(job.share);
      const before = share.running < least.running || (share.running === least.running && share.served < least.served);
      if (!best || before) [best, least] = [job, share];
    }
    return best;
  }

  #homeOf({ affinity }: Job): number | undefined {
    return affinity === undefined ? undefined : this.#homes.get(affinity);
  }

  #settle(affinity: string, index: number): void {
    this.#homes.delete(affinity);
    this.#homes.set(affinity, index);
    if (this.#homes.size > mostHomes) this.#homes.delete(this.#homes.keys().next().value!);
  }
}
