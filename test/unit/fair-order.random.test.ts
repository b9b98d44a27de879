import { expect, it } from 'vitest';
import { TaskQueue, type Queued } from '../../infra/drivers/threads/queue.ts';
import { createRandom, type Random } from '../../ml/random.ts';
import { runs, seed } from '../support/counts.ts';

interface Task extends Queued {
  readonly ms: number;
}

interface Begun {
  readonly task: Task;
  readonly at: number;
}

const task = (account: string, job: string, ms: number, since: number): Task => ({
  account,
  job,
  ms,
  since,
  affinity: undefined,
  quick: false,
  waits: false,
  first: false,
  begunOn: null,
});

/** Runs what comes at its time on some threads, on a clock of its own. */
function simulate(coming: readonly Task[], threads: number): Begun[] {
  const queue = new TaskQueue<Task>();
  const left = coming.toSorted((a, b) => a.since - b.since);
  const running: (Begun | null)[] = Array.from({ length: threads }, () => null);
  const begun: Begun[] = [];
  for (let now = 0; ;) {
    while (left.length > 0 && left[0].since <= now) queue.add(left.shift()!);
    running.forEach((own, index) => {
      if (!own || own.at + own.task.ms > now) return;
      queue.ended(own.task, own.task.ms);
      running[index] = null;
    });
    running.forEach((own, index) => {
      if (own) return;
      const next = queue.next({ index, quick: false, free: false, last: null, quickUntil: Infinity });
      if (!next) return;
      running[index] = { task: next, at: now };
      begun.push(running[index]);
    });
    const ends = running.flatMap((own) => (own ? [own.at + own.task.ms] : []));
    const next = Math.min(...ends, left[0]?.since ?? Infinity);
    if (next === Infinity) return begun;
    now = next;
  }
}

const between = (random: Random, from: number, to: number): number => Math.floor(from + random() * (to + 1 - from));

/** Tasks of some accounts and jobs, that come at random times. */
function randomTasks(random: Random): Task[] {
  const accounts = between(random, 1, 6);
  return Array.from({ length: between(random, 1, 120) }, () => {
    const account = `account ${between(random, 1, accounts)}`;
    return task(account, `job ${between(random, 1, 3)}`, between(random, 1, 2_000), between(random, 0, 20_000));
  });
}

const every = (check: (random: Random) => void): void => {
  for (let run = 0; run < runs(200, 5_000); run += 1) check(createRandom(seed() + run));
};

it('begins every task once, and leaves no thread idle while one waits', () => {
  every((random) => {
    const tasks = randomTasks(random);
    const threads = between(random, 1, 4);
    const begun = simulate(tasks, threads);
    expect(new Set(begun.map((each) => each.task))).toEqual(new Set(tasks));
    for (const { task: own, at } of begun) {
      if (at === own.since) continue;
      const busy = begun.filter((other) => other.at < at && other.at + other.task.ms >= at);
      expect(busy.length).toBeGreaterThanOrEqual(threads);
    }
  });
});

it('an account with one task comes before every account that has been served, however many tasks these have', () => {
  every((random) => {
    const threads = between(random, 1, 4);
    const others = between(random, 1, 4);
    const crowd = Array.from({ length: others }, (_, account) =>
      Array.from({ length: 60 }, (__, job) =>
        task(`crowd ${account}`, `job ${job % 8}`, between(random, 100, 2_000), between(random, 0, 500)),
      ),
    ).flat();
    const one = task('one', 'job', 500, between(random, 600, 5_000));
    const begun = simulate([...crowd, one], threads);
    const own = begun.find((each) => each.task === one)!;
    const before = begun.filter(({ at, task: other }) => other !== one && at > one.since && at < own.at);
    const waitedLonger = new Set(before.map((each) => each.task.account));
    expect(waitedLonger.size).toBe(before.length);
    for (const account of waitedLonger)
      expect(begun.filter(({ at, task: other }) => other.account === account && at <= one.since)).toEqual([]);
    if (before.length > 0) return;
    const ran = begun.filter(({ at, task: other }) => at <= one.since && at + other.ms > one.since);
    const firstEnd = Math.min(...ran.map(({ at, task: other }) => at + other.ms));
    expect(own.at).toBeLessThanOrEqual(Math.max(one.since, firstEnd));
  });
});

it('accounts that always have work get equal time, whatever the length and number of their tasks', () => {
  every((random) => {
    const accounts = between(random, 2, 5);
    const longest = 2_000;
    const tasks = Array.from({ length: accounts }, (_, account) => {
      const ms = between(random, 20, longest);
      return Array.from({ length: Math.ceil(20_000 / ms) }, (__, at) =>
        task(`account ${account}`, `job ${at % between(random, 1, 5)}`, ms, 0),
      );
    }).flat();
    const begun = simulate(tasks, 1);
    const until = 10_000;
    const served = Map.groupBy(
      begun.filter(({ at }) => at < until),
      (each) => each.task.account,
    );
    const times = [...served.values()].map((own) => own.reduce((sum, each) => sum + each.task.ms, 0));
    expect(served.size).toBe(accounts);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(2 * longest);
  });
});
