import { cholesky, eigh, gram, matmul, solveLower, solveLowerTransposed, transpose } from '../linalg/index.ts';
import { squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import type { LinearHead } from './linear.ts';
import { classMeans } from './class-means.ts';
import { ledoitWolfScaled } from './shrinkage.ts';

/**
 * Linear discriminant analysis with equal priors.
 *
 * @param table Features [trials × dimension].
 * @param labels Class of each trial, an index below `classes`.
 * @param shrinkage `auto`: Ledoit–Wolf covariance of the scaled features of each class, averaged (scikit-learn
 *   LinearDiscriminantAnalysis, solver 'lsqr'). `none`: pooled within-class covariance without its null directions
 *   (solver 'svd').
 *
 * Source: Blankertz et al. 2011.
 */
export function fitLda(table: Matrix, labels: Int32Array, classes: number, shrinkage: 'auto' | 'none'): LinearHead {
  const { data: x, rows: trials, columns: dimension } = table;
  const averages = classMeans(table, labels, classes);
  const { counts } = averages;
  const means = averages.means.data;
  const within = new Float64Array(dimension * dimension);
  for (let k = 0; k < classes; k += 1) {
    const own = new Float64Array(counts[k] * dimension);
    let at = 0;
    for (let i = 0; i < trials; i += 1) {
      if (labels[i] !== k) continue;
      for (let j = 0; j < dimension; j += 1) own[at + j] = x[i * dimension + j] - means[k * dimension + j];
      at += dimension;
    }
    const centred: Matrix = { data: own, rows: counts[k], columns: dimension };
    const covariance = (shrinkage === 'auto' ? ledoitWolfScaled(centred) : gram(transpose(centred))).data;
    const weight = shrinkage === 'auto' ? counts[k] / trials : 1 / Math.max(1, trials - classes);
    for (let j = 0; j < within.length; j += 1) within[j] += weight * covariance[j];
  }
  const pooled = squareOf(within, dimension);
  const weights = (solveWell(pooled, averages.means) ?? solveInRange(pooled, averages.means)).data;
  const bias = Float64Array.from({ length: classes }, (_, k) => {
    let sum = 0;
    for (let j = 0; j < dimension; j += 1) sum += weights[k * dimension + j] * means[k * dimension + j];
    return -0.5 * sum;
  });
  return { weights, bias };
}

/** A matrix has full rank if the square of each pivot is more than this fraction of the largest variance. */
const leastPivot = 1e-8;

/**
 * means · within⁻¹ [classes × dimension] by the Cholesky factor, which costs a tenth of the eigenvectors. Null where
 * `within` is not clearly of full rank.
 */
function solveWell(within: Matrix, means: Matrix): Matrix | null {
  const dimension = within.rows;
  const factor = cholesky(within);
  if (!factor) return null;
  let greatest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < dimension; j += 1) {
    greatest = Math.max(greatest, within.data[j * dimension + j]);
    least = Math.min(least, factor.data[j * dimension + j] ** 2);
  }
  if (!(least > leastPivot * greatest)) return null;
  const half = solveLower(factor, transpose(means));
  return transpose(solveLowerTransposed(factor, half));
}

/** means · within⁻¹ [classes × dimension] over the directions in which `within` is not zero. */
function solveInRange(within: Matrix, means: Matrix): Matrix {
  const { rows: classes, columns: dimension } = means;
  const { values, vectors } = eigh(within);
  const floor = Math.max(0, values[dimension - 1]) * 1e-10;
  const coordinates = matmul(means, vectors);
  const projected = coordinates.data;
  for (let k = 0; k < classes; k += 1) {
    for (let j = 0; j < dimension; j += 1)
      projected[k * dimension + j] = values[j] > floor ? projected[k * dimension + j] / values[j] : 0;
  }
  return matmul(coordinates, transpose(vectors));
}
