import { solve } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { classMeans } from './class-means.ts';
import type { LinearHead } from './linear.ts';

/**
 * Nearest class mean inside the subspace that the weights of a discriminant [classes × dimension] span: log-scores
 * −‖P(x − meanₖ)‖² without the terms that all classes share, which makes them linear in x [trials × dimension].
 *
 * Throws Error where the class means coincide.
 */
export function fitNearestMean(discriminant: LinearHead, x: Matrix, labels: Int32Array, classes: number): LinearHead {
  const dimension = x.columns;
  const means = classMeans(x, labels, classes).means.data;
  const directions = differences(discriminant.weights, classes, dimension);
  const count = classes - 1;
  const inner = products(directions, directions, count, count, dimension);
  for (let k = 0; k < count; k += 1) inner[k * count + k] *= 1 + 1e-9;
  const right = products(directions, means, count, classes, dimension);
  const coordinates = solve(matrixOf(inner, count, count), matrixOf(right, classes, count))?.data;
  if (!coordinates) throw new Error('The class means of the training trials coincide.');
  const weights = new Float64Array(classes * dimension);
  const bias = new Float64Array(classes);
  for (let k = 0; k < classes; k += 1) {
    const own = weights.subarray(k * dimension, (k + 1) * dimension);
    for (let d = 0; d < count; d += 1)
      for (let j = 0; j < dimension; j += 1) own[j] += 2 * coordinates[d * classes + k] * directions[d * dimension + j];
    for (let j = 0; j < dimension; j += 1) bias[k] -= (own[j] / 2) * means[k * dimension + j];
  }
  return { weights, bias };
}

/** Rows 1 … K−1 minus row 0. */
function differences(weights: Float64Array, classes: number, dimension: number): Float64Array {
  const out = new Float64Array((classes - 1) * dimension);
  for (let k = 1; k < classes; k += 1)
    for (let j = 0; j < dimension; j += 1) out[(k - 1) * dimension + j] = weights[k * dimension + j] - weights[j];
  return out;
}

function products(a: Float64Array, b: Float64Array, m: number, n: number, dimension: number): Float64Array {
  const out = new Float64Array(m * n);
  for (let i = 0; i < m; i += 1)
    for (let j = 0; j < n; j += 1)
      for (let d = 0; d < dimension; d += 1) out[i * n + j] += a[i * dimension + d] * b[j * dimension + d];
  return out;
}
