import { eighRows, gram, matmul, matmulTransposed, transpose } from '../linalg/index.ts';
import { takeRows } from '../rows.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { leadingSpace } from './sketch.ts';

/**
 * Trials in the orthogonal directions they span: x − mean = scores · directions. Every L2-regularised linear classifier
 * is the same in these coordinates and costs min(trials, dimension) numbers a trial (the dual form when dimension ≫
 * trials).
 */
export interface SpectralBasis {
  readonly trials: number;
  readonly dimension: number;
  readonly rank: number;
  readonly mean: Float64Array;
  /** [trials × rank], columns orthogonal. */
  readonly scores: Float64Array;
  /** Squared length of each column of `scores`. */
  readonly power: Float64Array;
  /** Weights [classes × dimension] of coefficients [classes × rank]. */
  lift(coefficients: Float64Array, classes: number): Float64Array;
}

/**
 * Where trials and features are both more than `widest`, only the `leading` directions are kept, so that the cost stays
 * linear in trials.
 */
const widest = 900;
const leading = 600;

function columnMeans(x: Float64Array, trials: number, dimension: number): Float64Array {
  const mean = new Float64Array(dimension);
  for (let i = 0; i < trials; i += 1) for (let j = 0; j < dimension; j += 1) mean[j] += x[i * dimension + j];
  for (let j = 0; j < dimension; j += 1) mean[j] /= trials;
  return mean;
}

function centred(x: Float64Array, mean: Float64Array): Float64Array {
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += mean.length)
    for (let j = 0; j < mean.length; j += 1) out[i + j] = x[i + j] - mean[j];
  return out;
}

/** The basis of x [trials × dimension], in steps where trials and features are many. */
export function* basisInSteps(x: Float64Array, trials: number, dimension: number): Steps<SpectralBasis> {
  const mean = columnMeans(x, trials, dimension);
  const centre = centred(x, mean);
  if (Math.min(trials, dimension) > widest) return yield* fromSketch(centre, trials, dimension, mean);
  return trials <= dimension
    ? fromGram(centre, trials, dimension, mean)
    : fromCovariance(centre, trials, dimension, mean);
}

/** The same at once. */
export const spectralBasis = (...input: Parameters<typeof basisInSteps>): SpectralBasis =>
  toEnd(basisInSteps(...input));

/** Positions of the eigenvalues that are not rounding noise, largest first. */
function kept(values: Float64Array, limit: number): number[] {
  const floor = Math.max(0, values.at(-1) ?? 0) * 1e-12;
  return Array.from(values.keys())
    .filter((j) => values[j] > floor)
    .reverse()
    .slice(0, limit);
}

function fromGram(centre: Float64Array, trials: number, dimension: number, mean: Float64Array): SpectralBasis {
  const { values, rows } = eighRows(gram(centre, trials, dimension), 1, trials);
  const order = kept(values, trials - 1);
  const rank = order.length;
  const scores = new Float64Array(trials * rank);
  for (let r = 0; r < rank; r += 1) {
    const length = Math.sqrt(values[order[r]]);
    const from = order[r] * trials;
    for (let i = 0, at = r; i < trials; i += 1, at += rank) scores[at] = rows[from + i] * length;
  }
  const power = Float64Array.from(order, (j) => values[j]);
  return {
    trials,
    dimension,
    rank,
    mean,
    scores,
    power,
    lift(coefficients, classes) {
      const dual = matmulTransposed(overPower(coefficients, power), scores, classes, rank, trials);
      return matmul(dual, centre, classes, trials, dimension);
    },
  };
}

/** Coefficients [classes × rank] over the power of each direction. */
function overPower(coefficients: Float64Array, power: Float64Array): Float64Array {
  const out = new Float64Array(coefficients.length);
  for (let from = 0; from < out.length; from += power.length)
    for (let r = 0; r < power.length; r += 1) out[from + r] = coefficients[from + r] / power[r];
  return out;
}

function fromCovariance(centre: Float64Array, trials: number, dimension: number, mean: Float64Array): SpectralBasis {
  const { values, rows } = eighRows(gram(transpose(centre, trials, dimension), dimension, trials), 1, dimension);
  const order = kept(values, dimension);
  const rank = order.length;
  const back = takeRows(rows, dimension, order);
  return {
    trials,
    dimension,
    rank,
    mean,
    scores: matmul(centre, transpose(back, rank, dimension), trials, dimension, rank),
    power: Float64Array.from(order, (j) => values[j]),
    lift: (coefficients, classes) => matmul(coefficients, back, classes, rank, dimension),
  };
}

/** The basis of the trials as seen in their leading directions. */
function* fromSketch(
  centre: Float64Array,
  trials: number,
  dimension: number,
  mean: Float64Array,
): Steps<SpectralBasis> {
  const space = yield* leadingSpace(centre, trials, dimension, leading);
  yield;
  const seen = fromCovariance(matmulTransposed(centre, space, trials, dimension, leading), trials, leading, mean);
  return {
    ...seen,
    dimension,
    lift: (coefficients, classes) => matmul(seen.lift(coefficients, classes), space, classes, leading, dimension),
  };
}
