import { cholesky, eigh, gram, matmul, solveLower, solveLowerTransposed, transpose } from '../linalg/index.ts';
import type { LinearHead } from './linear.ts';
import { classMeans } from './class-means.ts';
import { ledoitWolfScaled } from './shrinkage.ts';

/**
 * Linear discriminant analysis with equal priors. `shrinkage: 'auto'`: per-class Ledoit–Wolf covariances of the scaled
 * features, averaged (scikit-learn LinearDiscriminantAnalysis, solver 'lsqr'; Blankertz 2011). `'none'`: pooled
 * within-class covariance, null directions dropped (solver 'svd').
 */
export function fitLda(
  x: Float64Array,
  trials: number,
  dimension: number,
  labels: Int32Array,
  classes: number,
  shrinkage: 'auto' | 'none',
): LinearHead {
  const { means, counts } = classMeans(x, trials, dimension, labels, classes);
  const within = new Float64Array(dimension * dimension);
  for (let k = 0; k < classes; k += 1) {
    const own = new Float64Array(counts[k] * dimension);
    let at = 0;
    for (let i = 0; i < trials; i += 1) {
      if (labels[i] !== k) continue;
      for (let j = 0; j < dimension; j += 1) own[at + j] = x[i * dimension + j] - means[k * dimension + j];
      at += dimension;
    }
    const covariance =
      shrinkage === 'auto'
        ? ledoitWolfScaled(own, counts[k], dimension)
        : gram(transpose(own, counts[k], dimension), dimension, counts[k]);
    const weight = shrinkage === 'auto' ? counts[k] / trials : 1 / Math.max(1, trials - classes);
    for (let j = 0; j < within.length; j += 1) within[j] += weight * covariance[j];
  }
  const weights = solveWell(within, means, dimension, classes) ?? solveInRange(within, means, dimension, classes);
  const bias = Float64Array.from({ length: classes }, (_, k) => {
    let sum = 0;
    for (let j = 0; j < dimension; j += 1) sum += weights[k * dimension + j] * means[k * dimension + j];
    return -0.5 * sum;
  });
  return { weights, bias };
}

/** Least square of a pivot, beside the greatest variance, with which a matrix passes as one of full rank. */
const leastPivot = 1e-8;

/**
 * means · within⁻¹ by the Cholesky factor, which costs a tenth of the eigenvectors; null where `within` is not clearly
 * of full rank.
 */
function solveWell(within: Float64Array, means: Float64Array, dimension: number, classes: number): Float64Array | null {
  const factor = cholesky(within, dimension);
  if (!factor) return null;
  let greatest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < dimension; j += 1) {
    greatest = Math.max(greatest, within[j * dimension + j]);
    least = Math.min(least, factor[j * dimension + j] ** 2);
  }
  if (!(least > leastPivot * greatest)) return null;
  const right = transpose(means, classes, dimension);
  const half = solveLower(factor, right, dimension, classes);
  return transpose(solveLowerTransposed(factor, half, dimension, classes), dimension, classes);
}

/** means · within⁻¹ over the directions in which `within` is not zero. */
function solveInRange(within: Float64Array, means: Float64Array, dimension: number, classes: number): Float64Array {
  const { values, vectors } = eigh(within, dimension);
  const floor = Math.max(0, values[dimension - 1]) * 1e-10;
  const projected = matmul(means, vectors, classes, dimension, dimension);
  for (let k = 0; k < classes; k += 1) {
    for (let j = 0; j < dimension; j += 1)
      projected[k * dimension + j] = values[j] > floor ? projected[k * dimension + j] / values[j] : 0;
  }
  return matmul(projected, transpose(vectors, dimension, dimension), classes, dimension, dimension);
}
