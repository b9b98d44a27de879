import { valuesAt } from '../rows.ts';
import { rowsBy } from './dealing.ts';
import { runsTest } from './runs-test.ts';
import type { Blocks, LabelledTrials } from './types.ts';

/**
 * Blocks of trials of one class, in the order sent. Null if the order of the labels may be chance (see `runsTest`;
 * copies and short groups of overlapping trials count once). Each session is tested as its own list; sessions of one
 * class each form one list together. A sample has the blocks of all trials from which it was drawn, because its own
 * labels no longer show short blocks.
 */
export function blocksOf(data: LabelledTrials): Blocks | null {
  const { labels, sessions, classes, sampledFrom } = data;
  if (sampledFrom) return sampledFrom.blocks;
  const rows = recordedOrder(data);
  const own = sessions ? Map.groupBy(rows, (row) => sessions[row]) : new Map([[0, rows]]);
  const labelsAt = (list: readonly number[]): number[] => list.map((row) => labels[row]);
  const mixed = [...own.values()].filter((list) => new Set(labelsAt(list)).size > 1);
  const inMixed = new Set(mixed.flat());
  const single = rows.filter((row) => !inMixed.has(row));
  const { blocked, expected } = runsTest([...mixed, single].map((list) => labelsAt(onePerGroup(data, list))));
  if (!blocked) return null;
  const of = new Int32Array(labels.length);
  const perClass = classes.map(() => 0);
  let count = 0;
  for (const list of own.values())
    list.forEach((row, i) => {
      if (i === 0 || labels[row] !== labels[list[i - 1]]) {
        perClass[labels[row]] += 1;
        count += 1;
      }
      of[row] = count - 1;
    });
  return { of, perClass, count, expected, sameOrder: mixed.length > 1 && inOneOrder(mixed.map(labelsAt)) };
}

/** The blocks of the trials at `rows`. Blocks without such trials do not count. */
export function blocksAt(blocks: Blocks | null, labels: Int32Array, rows: Int32Array): Blocks | null {
  if (!blocks) return null;
  const of = valuesAt(blocks.of, rows);
  const classOf = new Map(Array.from(rows, (row, i) => [of[i], labels[row]] as const));
  const perClass = blocks.perClass.map(() => 0);
  for (const k of classOf.values()) perClass[k] += 1;
  return { ...blocks, of, perClass, count: classOf.size };
}

/** True if all lists have the same order of runs, as far as each list goes. */
function inOneOrder(lists: readonly (readonly number[])[]): boolean {
  const orders = lists.map((list) => list.filter((label, i) => i === 0 || label !== list[i - 1]));
  const longest = orders.reduce((a, b) => (b.length > a.length ? b : a));
  return orders.every((order) => order.every((label, i) => label === longest[i]));
}

/** Trials in the order sent. The trials of a chain follow its first trial, in the order recorded. */
function recordedOrder({ labels, links }: LabelledTrials): number[] {
  const rows = Array.from(labels.keys());
  if (!links) return rows;
  const { chain, at } = links;
  const first = new Map<number, number>();
  for (const row of rows) if (chain[row] >= 0 && !first.has(chain[row])) first.set(chain[row], row);
  const place = rows.map((row) => first.get(chain[row]) ?? row);
  return rows.sort((a, b) => place[a] - place[b] || at[a] - at[b] || a - b);
}

/** Up to this many linked trials of one class count as one item in the order of the labels. */
const shortGroup = 4;

/** The rows, with only the first of consecutive trials of the same short group. */
function onePerGroup({ labels, links }: LabelledTrials, rows: readonly number[]): readonly number[] {
  if (!links) return rows;
  const { chain } = links;
  const short = new Set(
    [...rowsBy(chain)]
      .filter(([c, own]) => c >= 0 && own.length <= shortGroup && new Set(own.map((row) => labels[row])).size === 1)
      .map(([c]) => c),
  );
  return rows.filter((row, i) => i === 0 || chain[rows[i - 1]] !== chain[row] || !short.has(chain[row]));
}
