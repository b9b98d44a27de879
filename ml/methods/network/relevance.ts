import { packedSize } from '../../geometry/index.ts';
import { createRandom, shuffle } from '../../random.ts';
import type { TrainingData } from '../types.ts';
import { bankSet, fitBank } from './bank.ts';
import { power } from './power.ts';

const quarters = 4;
const seed = 1_723;

/**
 * Relevance of each band, 0 … 1: 1 − 1/F, where F is the mean ratio of variance between classes to variance within
 * them, of the log powers of its leading directions. F is computed on quarters of the trials that had no part in
 * finding the directions: the trials that chose a direction make every band look useful.
 */
export function relevanceOf(data: TrainingData, rows: Int32Array, count: number): Float64Array {
  const mixed = shuffle(rows.slice(), createRandom(seed));
  const ratios = Array.from({ length: quarters }, (_, q) =>
    ratiosOf(
      data,
      mixed.filter((_row, i) => i % quarters !== q).sort(),
      mixed.filter((_row, i) => i % quarters === q).sort(),
      count,
    ),
  );
  return ratios[0].map((_, b) => Math.max(0, 1 - 1 / (ratios.reduce((sum, own) => sum + own[b], 0) / quarters)));
}

/** Mean ratio of each band [bands]. */
function ratiosOf(data: TrainingData, found: Int32Array, seen: Int32Array, count: number): Float64Array {
  const bank = fitBank(data, found, count);
  const { p, bands, rank, projections } = bank;
  const covariances = data.features.sets[bankSet];
  const labels = seen.map((row) => data.labels[row]);
  return Float64Array.from({ length: bands }, (_, b) => {
    const each = Array.from({ length: rank }, (_filter, f) => {
      const logs = Float64Array.from(seen, (row) =>
        Math.log(power(covariances, (row * bands + b) * packedSize(p), projections, (b * rank + f) * p, p)),
      );
      return varianceRatio(logs, labels, data.classes.length);
    });
    return each.reduce((sum, ratio) => sum + ratio, 0) / each.length;
  });
}

/** F statistic of one-way analysis of variance; 1 if it is undefined. */
function varianceRatio(values: Float64Array, labels: Int32Array, classes: number): number {
  const sums = new Float64Array(classes);
  const counts = new Float64Array(classes);
  values.forEach((v, i) => {
    sums[labels[i]] += v;
    counts[labels[i]] += 1;
  });
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const groups = counts.reduce((sum, n) => sum + Number(n > 0), 0);
  const between =
    sums.reduce((sum, own, k) => sum + (counts[k] ? counts[k] * (own / counts[k] - mean) ** 2 : 0), 0) / (groups - 1);
  const within =
    values.reduce((sum, v, i) => sum + (v - sums[labels[i]] / counts[labels[i]]) ** 2, 0) / (values.length - groups);
  return Number.isFinite(between / within) ? between / within : 1;
}
