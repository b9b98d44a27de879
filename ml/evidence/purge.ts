import { rowsBy } from './dealing.ts';
import type { Links } from './types.ts';

/** The trials of `rows` that overlap none of `others` in the recording; `rows` itself if nothing is linked. */
export type Purge = (rows: Int32Array, others: Int32Array) => Int32Array;

/**
 * Removes training trials that overlap a test trial (purged cross-validation; López de Prado 2018, Advances in
 * Financial Machine Learning, chapter 7).
 */
export function createPurge(links: Links | null | undefined): Purge {
  if (!links) return (rows) => rows;
  const { chain, at, seconds } = links;
  const closest = seconds * (1 - 1e-6);
  return (rows, others) => {
    const linked = others.filter((row) => chain[row] >= 0);
    const taken = new Map(
      [...rowsBy(chain, linked)].map(([c, own]) => [c, own.map((row) => at[row]).sort((a, b) => a - b)]),
    );
    return rows.filter((row) => {
      const places = taken.get(chain[row]);
      if (!places) return true;
      const next = firstFrom(places, at[row]);
      return !(places[next] - at[row] < closest) && !(at[row] - places[next - 1] < closest);
    });
  };
}

/** Index of the first of the sorted values that is at least `from`. */
function firstFrom(values: readonly number[], from: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
