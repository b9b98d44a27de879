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
 * with continuity correction and without ties. 1 if a side is empty.
 */
export function pOfLower(values: readonly Value[]): number {
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const m = values.filter((each) => each.positive).length;
  const n = values.length - m;
  if (m === 0 || n === 0) return 1;
  let below = 0;
  let u = 0;
  for (const each of sorted) {
    if (each.positive) u += below;
    else below += 1;
  }
  const z = (u + 0.5 - (m * n) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12);
  return normalBelow(z);
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
