import { weighted } from './trial-weights.ts';
import type { TrialWeights } from './trial-weights.ts';
import { oddness, temperatureRange } from './temperature.ts';

const points = 25;
const ratio = temperatureRange.max / temperatureRange.min;
/** Temperatures a (re)sample of trials may choose from: it calibrates anew, from its own trials only. */
export const grid: readonly number[] = Array.from(
  { length: points },
  (_, at) => temperatureRange.min * ratio ** (at / (points - 1)),
);

/** Losses of trials at temperatures in ascending order, taken when they are asked for. */
export interface LossTable {
  readonly length: number;
  /** Where to begin to look for the least loss. */
  readonly start: number;
  at(index: number): Float64Array;
}

/** The table of `lossesAt` a temperature, begun at the grid's point nearest to `temperature`. */
export function lossTable(lossesAt: (temperature: number) => Float64Array, temperature: number): LossTable {
  const known: (Float64Array | undefined)[] = [];
  const place = Math.round(((points - 1) * Math.log(temperature / temperatureRange.min)) / Math.log(ratio));
  return {
    length: points,
    start: Math.min(points - 1, Math.max(0, place)),
    at: (index) => (known[index] ??= lossesAt(grid[index])),
  };
}

/**
 * Index of a table's least loss over the trials that count, and the loss. A sum of losses is convex in 1/T, so that
 * walking downhill from anywhere finds its minimum. It ends early at a loss below `enough`.
 */
export function leastLoss(
  table: LossTable,
  share: TrialWeights,
  enough = -Infinity,
): { readonly index: number; readonly loss: number } {
  const trials = share.rows.length;
  const lossAt = (at: number) => weighted(table.at(at), share) + oddness(grid[at], trials);
  let index = table.start;
  let loss = lossAt(index);
  for (const step of [1, -1]) {
    const before = index;
    for (let next = index + step; next >= 0 && next < table.length && !(loss < enough); next += step) {
      const there = lossAt(next);
      if (!(there < loss)) break;
      index = next;
      loss = there;
    }
    if (index !== before) break;
  }
  return { index, loss: loss - oddness(grid[index], trials) };
}
