import { cholesky, eigenvalues, inverseLower } from '../linalg/index.ts';
import { matrixAt } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';
import { congruence } from './congruence.ts';
import { regularise } from './covariance.ts';

/**
 * Affine-invariant Riemannian distances [n × k] of SPD matrices [n × p × p] from reference matrices [k × p × p], for
 * classification by minimum distance to mean.
 *
 * Throws RangeError where a reference is not positive definite even after regularisation.
 *
 * Source: Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4).
 */
export function distancesRiemann(c: Matrices, references: Matrices): Matrix {
  const { count: n, rows: p } = c;
  const k = references.count;
  const distances = new Float64Array(n * k);
  for (let r = 0; r < k; r++) {
    const own = matrixAt(references, r);
    const whitening = inverseLower(factor({ ...own, data: own.data.slice() }));
    const values = eigenvalues(congruence(whitening, c));
    for (let t = 0; t < n; t++) distances[t * k + r] = logNorm(values.subarray(t * p, (t + 1) * p));
  }
  return { data: distances, rows: n, columns: k };
}

function logNorm(values: Float64Array): number {
  const floor = Math.max(values[values.length - 1] * 1e-14, 1e-300);
  let sum = 0;
  for (const value of values) sum += Math.log(Math.max(value, floor)) ** 2;
  return Math.sqrt(sum);
}

/** Cholesky factor of a reference, which is regularised in place until it has one. */
function factor(reference: Matrix): Matrix {
  for (let epsilon = 1e-12; epsilon < 1; epsilon *= 100) {
    const l = cholesky(reference);
    if (l) return l;
    regularise(reference, epsilon);
  }
  const { rows: p } = reference;
  throw new RangeError(`A ${p} × ${p} reference matrix is not positive definite.`);
}
