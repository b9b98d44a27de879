import { weighted } from './trial-weights.ts';
import type { TrialWeights } from './trial-weights.ts';
import { temperaturePenalty, temperatureRange } from './temperature.ts';

const points = 25;
const ratio = temperatureRange.max / temperatureRange.min;
/** Temperatures from which a (re)sample of trials chooses. It is calibrated on its own trials only. */
export const grid: readonly number[] = Array.from(
  { length: points },
  (_, at) => temperatureRange.min * ratio ** (at / (points - 1)),
);

const logGrid = grid.map(Math.log);

/** Losses of trials at temperatures in ascending order, computed on demand. */
export interface LossTable {
  readonly length: number;
  /** Index at which the search for the least loss begins. */
  readonly start: number;
  at(index: number): Float64Array;
}

/** The table of `lossesAt`. The search begins at the grid point nearest to `temperature`. */
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
 * Index of a table's least loss over the trials with weight, and the loss. A sum of losses is convex in 1/T, so walking
 * downhill from any start finds the minimum. The search stops at a loss below `stopBelow`.
 */
export function leastLoss(
  table: LossTable,
  weighting: TrialWeights,
  stopBelow = -Infinity,
): { readonly index: number; readonly loss: number } {
  let index = table.start;
  let loss = penalisedLoss(table, index, weighting);
  for (let step = 1; step >= -1; step -= 2) {
    const before = index;
    for (let next = index + step; next >= 0 && next < table.length && !(loss < stopBelow); next += step) {
      const there = penalisedLoss(table, next, weighting);
      if (!(there < loss)) break;
      index = next;
      loss = there;
    }
    if (index !== before) break;
  }
  return { index, loss: loss - temperaturePenalty(logGrid[index], weighting.rows.length) };
}

const penalisedLoss = (table: LossTable, index: number, weighting: TrialWeights): number =>
  weighted(table.at(index), weighting) + temperaturePenalty(logGrid[index], weighting.rows.length);
