import { channelParts } from '../../features/index.ts';
import { matmul, matmulTransposed, solveSpd } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import { range } from '../../rows.ts';
import type { Head, Pattern, Patterns, TrainingData } from '../types.ts';
import { averageOf, meanOfRows, spdSet } from './spd.ts';

/** Spatial filters of a fitted representation, in the order of its vector entries. */
export interface SpatialFilters {
  /** The feature set of covariances to which the filters apply. */
  readonly set: string;
  readonly filters: readonly { readonly block: number; readonly weights: Float64Array }[];
}

/** Some of the filters, in the order given. */
export const someOf = ({ set, filters }: SpatialFilters, kept: Int32Array): SpatialFilters => ({
  set,
  filters: Array.from(kept, (f) => filters[f]),
});

/**
 * Patterns of log-scores [trials × classes] that are linear in a set of [channels × parts] (Haufe et al. 2014,
 * NeuroImage 87, eq. 6): A = Σx·w / (wᵀ·Σx·w), which is the covariance of the features with the score over its
 * variance. One score for each class against the mean of the others; of two classes the second.
 */
export function linearPatterns(set: string, logScores: Float64Array, data: TrainingData): Patterns | null {
  const { features, classes } = data;
  const { channels } = features.shape;
  const axes = channelParts(set, features.shape, features.sets[set].length / features.trials / channels);
  if (!axes) return null;
  const { parts, unit } = axes;
  const width = channels * parts.length;
  const x = features.sets[set];
  const mean = meanOfRows(matrixOf(x, width), range(features.trials));
  const against = classes.length === 2 ? [1] : classes.map((_, k) => k);
  const components = against.flatMap((k): Pattern[] => {
    const score = contrast(logScores, classes.length, k);
    const variance = score.reduce((sum, s) => sum + s * s, 0);
    const pattern = new Float64Array(width);
    for (let i = 0; i < features.trials; i += 1)
      for (let j = 0; j < width; j += 1) pattern[j] += (score[i] * (x[i * width + j] - mean[j])) / variance;
    const scaled = toLargestOne(pattern);
    return parts.map((part, b) => ({
      name: part,
      class: classes[k],
      weights: null,
      values: Float64Array.from({ length: channels }, (_, c) => scaled[c * parts.length + b]),
    }));
  });
  return { unit, components };
}

/** Centred scores of class k against the mean of the others, one per trial. */
function contrast(logScores: Float64Array, classes: number, k: number): Float64Array {
  const trials = logScores.length / classes;
  const score = Float64Array.from({ length: trials }, (_, i) => {
    let others = 0;
    for (let c = 0; c < classes; c += 1) if (c !== k) others += logScores[i * classes + c] / (classes - 1);
    return logScores[i * classes + k] - others;
  });
  const mean = score.reduce((a, b) => a + b, 0) / trials;
  return score.map((s) => s - mean);
}

/**
 * Patterns of spatial filters (Haufe et al. 2014, eq. 6): A = Σx·W·(Wᵀ·Σx·W)⁻¹ for the filters of each block, with the
 * mean covariance Σx of all trials; and the weight of each filter's log-variance in each class's log-score.
 */
export function filterPatterns(
  { set, filters }: SpatialFilters,
  classifier: Head,
  data: TrainingData,
): Patterns | null {
  const { features, classes } = data;
  const source = spdSet(features, set, true);
  const { p, blocks } = source;
  const weights = classifier['weights'] as Float64Array;
  const components = Array.from<Pattern>({ length: filters.length });
  for (let block = 0; block < blocks; block += 1) {
    const own = [...filters.keys()].filter((f) => filters[f].block === block);
    if (own.length === 0) continue;
    const covariance = averageOf(source, block, range(features.trials));
    const w = matrixOf(new Float64Array(own.length * p), p, own.length);
    own.forEach((f, at) => w.data.set(filters[f].weights, at * p));
    const seen = matmul(w, covariance);
    const patterns = solveSpd(matmulTransposed(seen, w), seen)?.data;
    if (!patterns) return null;
    own.forEach((f, at) => {
      components[f] = {
        name: `filter ${f + 1}${blocks > 1 ? `, band ${block + 1} of ${blocks}` : ''}`,
        class: null,
        weights: centred(Float64Array.from(classes, (_, k) => weights[k * filters.length + f])),
        values: upright(toLargestOne(patterns.slice(at * p, (at + 1) * p))),
      };
    });
  }
  return { unit: 'µV', components };
}

/** Scaled so that the largest absolute value is 1. */
function toLargestOne(values: Float64Array): Float64Array {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest > 0 ? values.map((value) => value / largest) : values;
}

/** The sign of a spatial filter is arbitrary: the largest value becomes positive. */
const upright = (values: Float64Array): Float64Array =>
  Math.min(...values) < -Math.max(...values) ? values.map((value) => -value) : values;

/** A weight that all classes have in common has no effect: it is removed. */
function centred(values: Float64Array): Float64Array {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.map((value) => value - mean);
}
