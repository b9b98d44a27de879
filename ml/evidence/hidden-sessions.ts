import { cholesky, inverseLower, matmul, transpose } from '../linalg/index.ts';
import { matrixOf, squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { rowsBy } from './dealing.ts';
import { countsOf } from './scores.ts';

/** Parts of a recording between changes of its signal, used as sessions. */
export interface HiddenSessions {
  /** Part of each trial, from 0. */
  readonly of: Int32Array;
  /** First trial of each part. */
  readonly starts: readonly number[];
}

/** Fewest trials of a part, and most parts. */
const fewestTrials = 5;
const mostParts = 24;
/** Trials of this length are epochs of stages of sleep or of other long states, whose changes are no sessions. */
const longestSeconds = 20;
/** Weight of the diagonal in the covariance of the levels: they are many, and the trials few. */
const shrinkage = 0.3;
/** A change counts if it exceeds `inflation` times `deviations` standard deviations of chance. */
const change = { deviations: 6, inflation: 1.5 } as const;
/** Class shares of the parts differ if chance gives such a difference in fewer than 1 of 100: a normal quantile. */
const differing = 2.326;

/**
 * Hidden sessions of trials without named sessions: several people or recordings sent as one. Change points of the
 * levels of the trials (log powers and correlations of channels; `levels` [trials × values]) in the order sent, by
 * binary segmentation (Scott & Knott 1974, Biometrics 30). Null unless the class shares of the parts differ: then
 * a difference between the parts looks like class information. Classes that come in blocks only do not count, and most
 * parts must hold two classes or more: otherwise the changes may come from the classes. `blocksOf` handles labels in
 * blocks. Trials of 20 s and more are not searched.
 */
export function hiddenSessions(
  levels: Float32Array,
  labels: Int32Array,
  { classes, seconds }: { readonly classes: number; readonly seconds: number },
): HiddenSessions | null {
  const trials = labels.length;
  if (seconds >= longestSeconds || trials < 4 * fewestTrials || levels.length === 0) return null;
  const starts = changePoints(whitened(levels, trials));
  if (starts.length < 2) return null;
  const of = labels.map((_, row) => starts.findLastIndex((start) => start <= row));
  const inBlocks = blockedClasses(labels);
  const counted = Array.from(labels.keys()).filter((row) => !inBlocks.has(labels[row]));
  const countsIn = (rows: readonly number[]): number[] =>
    countsOf(
      Int32Array.from(rows, (row) => labels[row]),
      classes,
    );
  const parts = [...rowsBy(of, counted).values()].map(countsIn);
  const mixed = parts.filter((counts) => counts.filter((count) => count > 0).length > 1);
  if (mixed.length < 2 || 2 * mixed.length < parts.length) return null;
  return sharesDiffer(parts, countsIn(counted)) ? { of, starts } : null;
}

/** Classes that occur only in runs of at least `fewestTrials`. */
function blockedClasses(labels: Int32Array): Set<number> {
  const blocked = new Set(labels);
  for (let from = 0, to = 0; from < labels.length; from = to) {
    for (to = from + 1; to < labels.length && labels[to] === labels[from];) to += 1;
    if (to - from < fewestTrials) blocked.delete(labels[from]);
  }
  return blocked;
}

/** The levels, uncorrelated and of variance 1 from trial to trial. Changes that stay do not count in the variance. */
function whitened(levels: Float32Array, trials: number): Matrix {
  const width = levels.length / trials;
  const covariance = new Float64Array(width * width);
  const step = new Float64Array(width);
  for (let t = 1; t < trials; t += 1) {
    for (let i = 0; i < width; i += 1) step[i] = levels[t * width + i] - levels[(t - 1) * width + i];
    for (let i = 0; i < width; i += 1)
      for (let j = 0; j <= i; j += 1) covariance[i * width + j] += (step[i] * step[j]) / (2 * (trials - 1));
  }
  for (let i = 0; i < width; i += 1) {
    for (let j = 0; j < i; j += 1) covariance[j * width + i] = covariance[i * width + j] *= 1 - shrinkage;
    covariance[i * width + i] += 1e-9;
  }
  const factor = cholesky(squareOf(covariance, width));
  const table = matrixOf(Float64Array.from(levels), width);
  return factor ? matmul(table, transpose(inverseLower(factor))) : table;
}

/** First trials of the parts between changes of the mean, ascending; [0] if there is no change. */
function changePoints({ data, rows: trials, columns: width }: Matrix): number[] {
  const sums = new Float64Array((trials + 1) * width);
  for (let t = 0; t < trials; t += 1)
    for (let i = 0; i < width; i += 1) sums[(t + 1) * width + i] = sums[t * width + i] + data[t * width + i];
  const least = change.inflation * (width + change.deviations * Math.sqrt(2 * width));
  const starts = [0];
  const open: [number, number][] = [[0, trials]];
  for (let part = open.pop(); part && starts.length < mostParts; part = open.pop()) {
    const [from, to] = part;
    let best = least;
    let at = -1;
    for (let cut = from + fewestTrials; cut <= to - fewestTrials; cut += 1) {
      const gain = gainOf(sums, width, from, cut, to);
      if (gain > best) [best, at] = [gain, cut];
    }
    if (at < 0) continue;
    starts.push(at);
    open.push([from, at], [at, to]);
  }
  return starts.sort((a, b) => a - b);
}

/** Squared distance of the means of two neighbouring parts, in variances of that distance. */
function gainOf(sums: Float64Array, width: number, from: number, cut: number, to: number): number {
  const [left, right] = [cut - from, to - cut];
  let square = 0;
  for (let i = 0; i < width; i += 1) {
    const before = (sums[cut * width + i] - sums[from * width + i]) / left;
    const after = (sums[to * width + i] - sums[cut * width + i]) / right;
    square += (after - before) ** 2;
  }
  return (square * left * right) / (left + right);
}

/** Chi-squared test of independence of class and part, by the approximation of Wilson & Hilferty (1931, PNAS 17). */
function sharesDiffer(parts: readonly (readonly number[])[], all: readonly number[]): boolean {
  const trials = all.reduce((a, b) => a + b, 0);
  const freedom = (parts.length - 1) * (all.filter((count) => count > 0).length - 1);
  let statistic = 0;
  for (const counts of parts) {
    const own = counts.reduce((a, b) => a + b, 0);
    counts.forEach((count, k) => {
      const expected = (own * all[k]) / trials;
      if (expected > 0) statistic += (count - expected) ** 2 / expected;
    });
  }
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread) > differing;
}
