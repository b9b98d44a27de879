import { describe, expect, it } from 'vitest';
import { TaskQueue, type Asking, type Queued } from '../../infra/drivers/threads/queue.ts';

interface Named extends Queued {
  readonly name: string;
}
const task = (name: string, changed: Partial<Queued> = {}): Named => ({
  name,
  affinity: undefined,
  share: undefined,
  quick: false,
  waits: false,
  first: false,
  since: 0,
  ...changed,
});
const thread = (changed: Partial<Asking> = {}): Asking => ({
  index: 0,
  quick: false,
  free: false,
  last: undefined,
  quickUntil: Infinity,
  ...changed,
});

function queueOf(...tasks: Named[]): TaskQueue<Named> {
  const queue = new TaskQueue<Named>();
  for (const each of tasks) queue.add(each);
  return queue;
}

describe('quick tasks', () => {
  it('are left to the threads for them until they have waited', () => {
    const queue = queueOf(task('new', { quick: true, since: 20 }), task('old', { quick: true, since: 5 }));
    expect(queue.next(thread({ quickUntil: 10 }))?.name).toBe('old');
    expect(queue.next(thread({ quickUntil: 10 }))).toBeNull();
    expect([queue.hasQuick, queue.length]).toEqual([true, 1]);
    expect(queue.next(thread({ quick: true }))?.name).toBe('new');
    expect(queue.hasQuick).toBe(false);
  });

  it('keep no other task waiting', () => {
    const queue = queueOf(task('quick', { quick: true, since: 20 }), task('other', { since: 20 }));
    expect(queue.next(thread({ quickUntil: 10 }))?.name).toBe('other');
    expect(queue.next(thread({ quick: true }))?.name).toBe('quick');
  });
});

it('a task that asks to come first comes before those of the thread and of whoever has fewer', () => {
  const queue = queueOf(task('home', { affinity: 'a' }), task('other'), task('first', { first: true }));
  const order = [1, 2, 3].map(() => queue.next(thread({ last: 'a' }))?.name);
  expect(order).toEqual(['first', 'home', 'other']);
});
