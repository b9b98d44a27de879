import {
  gram,
  matmul,
  matmulTransposed,
  rootsOrOne,
  scaledColumns,
  solveSpd,
  squaresAbout,
  standardisedRows,
  transpose,
} from '../linalg/index.ts';
import { squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { putRows } from '../rows.ts';
import { classMeans } from './class-means.ts';
import type { LinearHead } from './linear.ts';
import { withoutRounding } from './shrinkage.ts';

/**
 * Shrinkage LDA with equal priors for many more features than trials: the same discriminant as `fitLda(…, 'auto')`. Its
 * covariance is a diagonal plus one direction per trial, so that only a system of size trials × trials is solved
 * (Woodbury identity).
 *
 * Throws Error where the covariance has no inverse, as with one or two trials of each class.
 *
 * @param x Features [trials × dimension].
 * @param labels Class of each trial, an index below `classes`.
 */
export function fitShrinkageLda(x: Matrix, labels: Int32Array, classes: number): LinearHead {
  const { rows: trials, columns: dimension } = x;
  const averages = classMeans(x, labels, classes);
  const means = averages.means.data;
  const diagonal = new Float64Array(dimension);
  const directions: Matrix = { data: new Float64Array(trials * dimension), rows: trials, columns: dimension };
  const rows = directions.data;
  for (let k = 0; k < classes; k += 1) addClass(k, { x, labels, means, counts: averages.counts }, diagonal, rows);
  let typical = 0;
  for (const value of diagonal) typical += value / dimension;
  if (!(typical > leastShrunk * (typical + squaresOver(rows, dimension)))) throw noInverse();
  const inverse = diagonal.map((value) => 1 / Math.max(value, typical * 1e-9, 1e-300));
  const root = inverse.map(Math.sqrt);
  const system = gram(scaledColumns(directions, root)).data;
  for (let i = 0; i < trials; i += 1) system[i * trials + i] += 1;
  const seen = new Float64Array(means.length);
  for (let k = 0; k < means.length; k += dimension)
    for (let j = 0; j < dimension; j += 1) seen[k + j] = inverse[j] * means[k + j];
  const right = matmulTransposed(directions, { data: seen, rows: classes, columns: dimension });
  const dual = solveSpd(squareOf(system, trials), right);
  if (!dual) throw noInverse();
  const weights = matmul(transpose(dual), directions).data;
  const bias = new Float64Array(classes);
  for (let k = 0; k < classes; k += 1) {
    const own = weights.subarray(k * dimension, (k + 1) * dimension);
    for (let j = 0; j < dimension; j += 1) {
      own[j] = inverse[j] * (means[k * dimension + j] - own[j]);
      bias[k] -= 0.5 * own[j] * means[k * dimension + j];
    }
  }
  return { weights, bias };
}

/**
 * Least fraction of the variance that shrinkage must spread over all directions. With two trials of a class it spreads
 * none.
 */
const leastShrunk = 1e-9;

const noInverse = (): Error => new Error('The covariance of the training trials has no inverse.');

/** Sum of the squares of values, each divided by `count`. */
function squaresOver(values: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += (values[i] * values[i]) / count;
  return sum;
}

interface Sample {
  readonly x: Matrix;
  readonly labels: Int32Array;
  readonly means: Float64Array;
  readonly counts: Int32Array;
}

/** The `count` trials of a class. */
function membersOf(labels: Int32Array, k: number, count: number): Int32Array {
  const members = new Int32Array(count);
  for (let i = 0, at = 0; i < labels.length; i += 1) if (labels[i] === k) members[at++] = i;
  return members;
}

/** Adds one class's Ledoit–Wolf covariance (of scaled features) to the diagonal and the rows of the pooled one. */
function addClass(k: number, { x, labels, means, counts }: Sample, diagonal: Float64Array, rows: Float64Array): void {
  const { rows: trials, columns: dimension } = x;
  const n = counts[k];
  const members = membersOf(labels, k, n);
  const own = means.subarray(k * dimension, (k + 1) * dimension);
  const squares = withoutRounding(squaresAbout(x, members, own));
  const scale = rootsOrOne(squares);
  let varying = 0;
  for (let j = 0; j < dimension; j += 1) varying += squares[j] > 0 ? 1 : 0;
  const z = standardisedRows(x, members, { mean: own, scale });
  const inner = gram(z).data;
  const mean = varying / dimension;
  let power = 0;
  let fourth = 0;
  for (let a = 0; a < n; a += 1) {
    fourth += inner[a * n + a] ** 2;
    for (let b = 0; b < n; b += 1) power += (inner[a * n + b] / n) ** 2;
  }
  const beta = (fourth / n - power) / (dimension * n);
  const delta = power / dimension - mean * mean;
  const shrinkage = delta > 0 ? Math.min(1, Math.max(0, Math.min(beta, delta) / delta)) : 0;
  const weight = n / trials;
  for (let j = 0; j < dimension; j += 1) diagonal[j] += weight * shrinkage * mean * scale[j] * scale[j];
  const gain = Math.sqrt((weight * (1 - shrinkage)) / n);
  putRows(rows, dimension, members, scaledColumns(z, scale, gain).data);
}
