import { createRandom, shuffle } from '../random.ts';
import type { LabelledTrials } from './types.ts';

const seed = 20_240_501;

/** Trials grouped by their value of `keys`, in order of first appearance. */
export const rowsBy = (keys: Int32Array, rows: Iterable<number> = keys.keys()): Map<number, number[]> =>
  Map.groupBy(rows, (row) => keys[row]);

/** Trials of each unit. Without units each trial is its own unit. */
export const rowsOfUnits = (units: Int32Array | null, trials: number): number[][] =>
  units ? [...rowsBy(units).values()] : Array.from({ length: trials }, (_, row) => [row]);

/**
 * Stratified split: deals the trials of each stratum to the parts in turn. The next stratum goes on where the last one
 * stopped.
 */
export function deal(strata: readonly number[][], parts: number, pass: number): Int32Array[] {
  const random = createRandom(seed + pass);
  const out: number[][] = Array.from({ length: parts }, () => []);
  let next = 0;
  for (const stratum of strata) {
    for (const row of shuffle([...stratum], random)) {
      out[next % parts].push(row);
      next += 1;
    }
  }
  return out.filter((part) => part.length > 0).map((part) => Int32Array.from(part).sort());
}

/**
 * Stratified split of whole units of trials. The largest units come first; each goes to the part with the fewest trials
 * of its stratum. The stratum of a unit is that of most of its trials. The number of parts is at most the number of
 * units of the largest stratum.
 */
export function dealUnits(
  units: Int32Array,
  strata: Int32Array,
  rows: Iterable<number>,
  parts: number,
  pass: number,
): Int32Array[] {
  const random = createRandom(seed + pass);
  const byStratum = new Map<number, number[][]>();
  for (const own of rowsBy(units, rows).values()) {
    const stratum = commonest(own.map((row) => strata[row]));
    byStratum.set(stratum, [...(byStratum.get(stratum) ?? []), own]);
  }
  const count = Math.min(parts, Math.max(...[...byStratum.values()].map(({ length }) => length)));
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const [, own] of [...byStratum].sort(([a], [b]) => a - b)) {
    const filled = new Int32Array(count);
    const order = shuffle([...own.keys()], random).map((u) => own[u]);
    for (const unit of order.sort((a, b) => b.length - a.length)) {
      let to = 0;
      for (let p = 1; p < count; p += 1)
        if (filled[p] < filled[to] || (filled[p] === filled[to] && out[p].length < out[to].length)) to = p;
      filled[to] += unit.length;
      out[to].push(...unit);
    }
  }
  return out.filter((part) => part.length > 0).map((part) => Int32Array.from(part).sort());
}

/** The most frequent value; the lowest one if there is a tie. */
export function commonest(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a))[0];
}

/** True if `rows` contain at least two trials of each class. */
export function hasEveryClass({ labels, classes }: LabelledTrials, rows: Int32Array): boolean {
  const counts = new Int32Array(classes.length);
  for (const row of rows) counts[labels[row]] += 1;
  return counts.every((count) => count >= 2);
}
