import { cholesky, eigenvalues, inverseLower } from '../linalg/index.ts';
import { congruence } from './congruence.ts';
import { regularise } from './covariance.ts';

/** Riemannian distances [n × k] of SPD matrices c [n × p × p] to references [k × p × p] (minimum distance to mean). */
export function distancesRiemann(
  c: Float64Array,
  n: number,
  p: number,
  references: Float64Array,
  k: number,
): Float64Array {
  const distances = new Float64Array(n * k);
  for (let r = 0; r < k; r++) {
    const whitening = inverseLower(factor(references.slice(r * p * p, (r + 1) * p * p), p), p);
    const values = eigenvalues(congruence(whitening, c, n, p), n, p);
    for (let t = 0; t < n; t++) distances[t * k + r] = logNorm(values.subarray(t * p, (t + 1) * p));
  }
  return distances;
}

function logNorm(values: Float64Array): number {
  const floor = Math.max(values[values.length - 1] * 1e-14, 1e-300);
  let sum = 0;
  for (const value of values) sum += Math.log(Math.max(value, floor)) ** 2;
  return Math.sqrt(sum);
}

function factor(reference: Float64Array, p: number): Float64Array {
  for (let epsilon = 1e-12; epsilon < 1; epsilon *= 100) {
    const l = cholesky(reference, p);
    if (l) return l;
    regularise(reference, 1, p, epsilon);
  }
  throw new RangeError(`A ${p} × ${p} reference matrix is not positive definite.`);
}
