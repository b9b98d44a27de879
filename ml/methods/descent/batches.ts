import { shuffle } from '../../random.ts';
import type { Random } from '../../random.ts';

/** Rows in batches of similar size, at most `most` each, drawn once. */
export function batchesOf(rows: Int32Array, most: number, random: Random): Int32Array[] {
  const count = Math.ceil(rows.length / most);
  const mixed = count > 1 ? shuffle(rows.slice(), random) : rows;
  return Array.from({ length: count }, (_, i) => mixed.filter((_row, at) => at % count === i));
}

/** Weight of a trial of each class, so that every class of `rows` has the same total. [classes] */
export function classWeights(labels: Int32Array, rows: Int32Array, classes: number): Float64Array {
  const counts = new Float64Array(classes);
  for (const row of rows) counts[labels[row]] += 1;
  return counts.map((count) => (count === 0 ? 0 : rows.length / classes / count));
}

/** [rows × classes]: the weight of each trial in the column of its class. */
export function targetsOf(labels: Int32Array, rows: Int32Array, weights: Float64Array): Float32Array {
  const targets = new Float32Array(rows.length * weights.length);
  rows.forEach((row, i) => {
    targets[i * weights.length + labels[row]] = weights[labels[row]];
  });
  return targets;
}

/** Weighted log-loss, summed over `rows`, of their log-probabilities [rows × classes]. */
export const lossOn = (logs: ArrayLike<number>, labels: Int32Array, rows: Int32Array, weights: Float64Array): number =>
  rows.reduce((sum, row, i) => sum - weights[labels[row]] * logs[i * weights.length + labels[row]], 0);
