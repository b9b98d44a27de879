import { eighRows, gram, matmul, matmulTransposed, transpose } from '../linalg/index.ts';
import { asBatch, matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { takeRows } from '../rows.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { leadingSpace } from './sketch.ts';

/**
 * Trials in the orthogonal directions that they span: x − mean = scores · directions. Every L2-regularised linear
 * classifier is the same in these coordinates, with at most min(trials, dimension) values per trial (the dual form when
 * dimension ≫ trials).
 */
export interface SpectralBasis {
  readonly trials: number;
  readonly dimension: number;
  readonly rank: number;
  readonly mean: Float64Array;
  /** [trials × rank], columns orthogonal. */
  readonly scores: Matrix;
  /** Squared length of each column of `scores`. */
  readonly power: Float64Array;
  /** Weights [classes × dimension] of coefficients [classes × rank]. */
  lift(coefficients: Matrix): Matrix;
}

/**
 * With more than `widest` trials and features, only the `leading` directions are kept, so that the cost stays linear in
 * trials.
 */
const widest = 900;
const leading = 600;

function columnMeans({ data: x, rows: trials, columns: dimension }: Matrix): Float64Array {
  const mean = new Float64Array(dimension);
  for (let i = 0; i < trials; i += 1) for (let j = 0; j < dimension; j += 1) mean[j] += x[i * dimension + j];
  for (let j = 0; j < dimension; j += 1) mean[j] /= trials;
  return mean;
}

function centred({ data: x, rows, columns }: Matrix, mean: Float64Array): Matrix {
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += mean.length)
    for (let j = 0; j < mean.length; j += 1) out[i + j] = x[i + j] - mean[j];
  return { data: out, rows, columns };
}

/** The basis of features x [trials × dimension], in steps where both are many. */
export function* basisInSteps(x: Matrix): Steps<SpectralBasis> {
  const { rows: trials, columns: dimension } = x;
  const mean = columnMeans(x);
  const centre = centred(x, mean);
  if (Math.min(trials, dimension) > widest) return yield* fromSketch(centre, mean);
  return trials <= dimension ? fromGram(centre, mean) : fromCovariance(centre, mean);
}

/** `basisInSteps` without pauses. */
export const spectralBasis = (x: Matrix): SpectralBasis => toEnd(basisInSteps(x));

/** Indices of the eigenvalues that are not rounding errors, largest first. */
function kept(values: Float64Array, limit: number): number[] {
  const floor = Math.max(0, values.at(-1) ?? 0) * 1e-12;
  return Array.from(values.keys())
    .filter((j) => values[j] > floor)
    .reverse()
    .slice(0, limit);
}

function fromGram(centre: Matrix, mean: Float64Array): SpectralBasis {
  const { rows: trials, columns: dimension } = centre;
  const { values, rows } = eighRows(asBatch(gram(centre)));
  const order = kept(values, trials - 1);
  const rank = order.length;
  const scores = matrixOf(new Float64Array(trials * rank), rank, trials);
  for (let r = 0; r < rank; r += 1) {
    const length = Math.sqrt(values[order[r]]);
    const from = order[r] * trials;
    for (let i = 0, at = r; i < trials; i += 1, at += rank) scores.data[at] = rows[from + i] * length;
  }
  const power = Float64Array.from(order, (j) => values[j]);
  return {
    trials,
    dimension,
    rank,
    mean,
    scores,
    power,
    lift: (coefficients) => matmul(matmulTransposed(overPower(coefficients, power), scores), centre),
  };
}

/** Coefficients [classes × rank] over the power of each direction. */
function overPower({ data: coefficients, rows, columns }: Matrix, power: Float64Array): Matrix {
  const out = new Float64Array(coefficients.length);
  for (let from = 0; from < out.length; from += power.length)
    for (let r = 0; r < power.length; r += 1) out[from + r] = coefficients[from + r] / power[r];
  return { data: out, rows, columns };
}

function fromCovariance(centre: Matrix, mean: Float64Array): SpectralBasis {
  const { rows: trials, columns: dimension } = centre;
  const { values, rows } = eighRows(asBatch(gram(transpose(centre))));
  const order = kept(values, dimension);
  const rank = order.length;
  const back = matrixOf(takeRows(rows, dimension, order), dimension, rank);
  return {
    trials,
    dimension,
    rank,
    mean,
    scores: matmul(centre, transpose(back)),
    power: Float64Array.from(order, (j) => values[j]),
    lift: (coefficients) => matmul(coefficients, back),
  };
}

/** The basis of the trials as seen in their leading directions. */
function* fromSketch(centre: Matrix, mean: Float64Array): Steps<SpectralBasis> {
  const space = yield* leadingSpace(centre, leading);
  yield;
  const seen = fromCovariance(matmulTransposed(centre, space), mean);
  return { ...seen, dimension: centre.columns, lift: (coefficients) => matmul(seen.lift(coefficients), space) };
}
