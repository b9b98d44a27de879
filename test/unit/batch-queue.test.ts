import { expect, it } from 'vitest';
import { Busy, createBatchQueue, type BatchOptions } from '../../infra/records/batch-queue.ts';

type Options = BatchOptions<string, string, string>;

const queueOf = (run: Options['run'], begins: Options['begins'] = () => undefined) =>
  createBatchQueue<string, string, string>({
    atOnce: 2,
    most: { items: 64, bytes: Infinity },
    bytesOf: () => 0,
    nameOf: (group) => group,
    kindOf: () => 'kind',
    begins,
    run,
  });

const itemsOf = (parts: Parameters<Options['run']>[0]) => parts.flatMap(({ items }) => items);

it('checks before each statement whether an item may be sent, also after a failure', async () => {
  const gone = new Set<string>();
  const sent: (readonly string[])[] = [];
  const queue = queueOf(
    async (parts) => {
      sent.push(itemsOf(parts));
      if (sent.length > 1) return itemsOf(parts);
      gone.add('a');
      throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
    },
    (item) => {
      if (gone.has(item)) throw new Error('gone');
    },
  );
  const ends = await Promise.allSettled([queue('one', 'a'), queue('one', 'b')]);
  expect(ends).toMatchObject([
    { status: 'rejected', reason: { message: 'gone' } },
    { status: 'fulfilled', value: 'b' },
  ]);
  expect(sent).toEqual([['a', 'b'], ['b']]);
});

it('busy groups of one owner wait in one statement, and a fault of one item is its own', async () => {
  const alone: string[] = [];
  let [mostAtOnce, waiting] = [0, 0];
  const queue = queueOf(async (parts, waits) => {
    const items = itemsOf(parts);
    if (!waits) return items.map((item) => new Busy(item[0]!));
    alone.push(items.join(' '));
    mostAtOnce = Math.max(mostAtOnce, ++waiting);
    await new Promise(setImmediate);
    waiting -= 1;
    if (items.includes('a2')) throw new Error('fault');
    return items;
  });
  const ends = await Promise.allSettled(['a1', 'a2', 'a3', 'b1'].map((item) => queue(`group of ${item}`, item)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(mostAtOnce).toBe(2);
  expect(alone).toEqual(['a1', 'b1', 'a2 a3', 'a2', 'a3']);
});
