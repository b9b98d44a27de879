import { describe, expect, it } from 'vitest';
import { TaskQueue, type FreeThread, type Queued } from '../../infra/drivers/threads/queue.ts';

interface Named extends Queued {
  readonly name: string;
}
const task = (name: string, changed: Partial<Queued> = {}): Named => ({
  name,
  account: '',
  job: '',
  affinity: undefined,
  quick: false,
  waits: false,
  first: false,
  since: 0,
  begunOn: null,
  ...changed,
});
const thread = (changed: Partial<FreeThread> = {}): FreeThread => ({
  index: 0,
  quick: false,
  free: false,
  last: null,
  quickUntil: Infinity,
  ...changed,
});

function queueOf(...tasks: Named[]): TaskQueue<Named> {
  const queue = new TaskQueue<Named>();
  for (const each of tasks) queue.add(each);
  return queue;
}

/** The order in which one thread runs what waits; each task takes so many milliseconds. */
function orderOf(queue: TaskQueue<Named>, ms = 100): string[] {
  const order: string[] = [];
  for (let last: Named | null = null; ;) {
    const next = queue.next(thread({ last }));
    if (!next) return order;
    order.push(next.name);
    queue.ended(next, ms);
    last = next;
  }
}

describe('quick tasks', () => {
  it('run in their own threads until they have waited', () => {
    const queue = queueOf(task('new', { quick: true, since: 20 }), task('old', { quick: true, since: 5 }));
    expect(queue.next(thread({ quickUntil: 10 }))?.name).toBe('old');
    expect(queue.next(thread({ quickUntil: 10 }))).toBeNull();
    expect([queue.hasQuick, queue.length]).toEqual([true, 1]);
    expect(queue.next(thread({ quick: true }))?.name).toBe('new');
    expect(queue.hasQuick).toBe(false);
  });

  it('do not delay other tasks', () => {
    const queue = queueOf(task('quick', { quick: true, since: 20 }), task('other', { since: 20 }));
    expect(queue.next(thread({ quickUntil: 10 }))?.name).toBe('other');
    expect(queue.next(thread({ quick: true }))?.name).toBe('quick');
  });
});

describe('the order of what waits', () => {
  const of = (account: string, job: string, name: string, changed: Partial<Queued> = {}): Named =>
    task(`${account}${job}${name}`, { account, job, ...changed });

  it('is by account, then by job, then by task of the job', () => {
    const queue = queueOf(
      of('a', '1', 'x'),
      of('a', '1', 'y'),
      of('a', '2', 'x'),
      of('b', '1', 'x'),
      of('b', '1', 'y'),
    );
    expect(orderOf(queue)).toEqual(['a1x', 'b1x', 'a1y', 'b1y', 'a2x']);
  });

  it('is not changed for other accounts by affinity, nor by a task that requests to come first', () => {
    const queue = queueOf(
      of('a', '1', 'x', { affinity: 'f' }),
      of('a', '1', 'y', { affinity: 'f' }),
      of('a', '1', 'first', { first: true }),
      of('b', '1', 'x'),
    );
    expect(orderOf(queue)).toEqual(['a1first', 'b1x', 'a1x', 'a1y']);
  });

  it('continues a job for two seconds before another job of its account gets its turn', () => {
    const queue = queueOf(...[1, 2, 3].flatMap((at) => [of('a', '1', `${at}`), of('a', '2', `${at}`)]));
    expect(orderOf(queue, 1_100)).toEqual(['a11', 'a12', 'a21', 'a22', 'a23', 'a13']);
  });

  it('prefers the affinity of the last task of the thread', () => {
    const queue = queueOf(...['f', 'g', 'f', 'g'].map((affinity, at) => of('a', '1', affinity + at, { affinity })));
    expect(orderOf(queue)).toEqual(['a1f0', 'a1f2', 'a1g1', 'a1g3']);
  });

  it('is first by running tasks: an account with a task on one thread leaves the other thread to others', () => {
    const queue = queueOf(of('a', '1', 'x'), of('a', '1', 'y'), of('b', '1', 'x'), of('b', '1', 'y'));
    expect([0, 1].map((index) => queue.next(thread({ index }))?.name)).toEqual(['a1x', 'b1x']);
  });

  it('gives a new account its turn at once, without compensation for earlier time', () => {
    const queue = queueOf(...Array.from({ length: 6 }, (_, at) => of('a', '1', `${at}`)));
    for (let done = 0; done < 3; done += 1) queue.ended(queue.next(thread())!, 1_000);
    for (const name of ['x', 'y', 'z']) queue.add(of('b', '1', name));
    expect(orderOf(queue, 1_000)).toEqual(['b1x', 'a13', 'b1y', 'a14', 'b1z', 'a15']);
  });

  it('counts waiting and running tasks of an account, without withdrawn ones', () => {
    const [one, two] = [of('a', '1', 'x'), of('a', '1', 'y')];
    const queue = queueOf(one, two);
    expect(queue.next(thread())).toBe(one);
    expect(queue.remove(two)).toBe(true);
    expect([queue.remove(two), queue.remove(one), queue.loadOf('a'), queue.length]).toEqual([false, false, 1, 0]);
    queue.ended(one, 5);
    expect(queue.loadOf('a')).toBe(0);
  });
});

it('a paused task continues in its own thread, when its account has its turn', () => {
  const paused = { ...task('paused', { account: 'a' }), begunOn: 1 };
  const queue = queueOf(paused, task('other', { account: 'a' }));
  expect(queue.next(thread({ index: 0 }))?.name).toBe('other');
  expect(queue.next(thread({ index: 0 }))).toBeNull();
  expect(queue.next(thread({ index: 1 }))?.name).toBe('paused');
});
