import { blocksOf } from '../../evidence/blocks.ts';
import { unitsOf } from '../../evidence/units.ts';
import type { TrainingData } from '../types.ts';
import type { Workspace } from '../workspace.ts';

/** The network is turned round if own trials contradict its sign with a smaller p-value than this. */
const level = 0.01;

/**
 * True if the labels of `rows` contradict the sign of the log-odds: a one-sided Mann-Whitney test that positive trials
 * have lower log-odds. Trials that overlap, or blocks of labels, count as one.
 *
 * @param logOdds One for each of `rows`.
 * @param positive Class of positive log-odds.
 */
export function isTurned(
  logOdds: Float64Array,
  data: TrainingData,
  rows: Int32Array,
  positive: number,
  workspace: Workspace,
): boolean {
  const units = workspace.once([data], 'movement:units', () => ({ of: unitsOf(data, blocksOf(data)).shuffled })).of;
  const groups = Map.groupBy(rows.keys(), (i) => (units ? units[rows[i]] : i));
  const means = [...groups.values()].map((own) => ({
    value: own.reduce((sum, i) => sum + logOdds[i], 0) / own.length,
    positive: data.labels[rows[own[0]]] === positive,
  }));
  return pOfLower(means) < level;
}

interface Value {
  readonly value: number;
  readonly positive: boolean;
}

/**
 * One-sided p-value of the Mann-Whitney U test that positive values are lower than the others: normal approximation
 * with continuity correction, and with the variance of tied values. Two tied values count half, so the order of the
 * values does not matter. 1 if a side is empty or all values are tied.
 */
export function pOfLower(values: readonly Value[]): number {
  const m = values.filter((each) => each.positive).length;
  const n = values.length - m;
  let below = 0;
  let u = 0;
  let ties = 0;
  const tied = Map.groupBy(values, ({ value }) => value);
  for (const value of [...tied.keys()].sort((a, b) => a - b)) {
    const own = tied.get(value)!;
    const positive = own.filter((each) => each.positive).length;
    u += positive * (below + (own.length - positive) / 2);
    below += own.length - positive;
    ties += own.length ** 3 - own.length;
  }
  const all = m + n;
  const variance = ((m * n) / 12) * (all + 1 - ties / (all * (all - 1)));
  return variance > 0 ? normalBelow((u + 0.5 - (m * n) / 2) / Math.sqrt(variance)) : 1;
}

/** Standard normal distribution function (Abramowitz & Stegun 7.1.26, error below 1.5e-7). */
function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const tail =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-x * x);
  return z < 0 ? tail / 2 : 1 - tail / 2;
}
