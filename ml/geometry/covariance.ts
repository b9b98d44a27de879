import { countOf } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';

/**
 * Oracle Approximating Shrinkage of a sample covariance C [p × p] towards its mean variance, as scikit-learn computes
 * it. Changes C in place and returns it. A zero matrix stays zero; see `regularise`.
 *
 * @param samples Observations that the covariance was taken over.
 *
 * Source: Chen et al. 2010.
 */
export function shrinkOas(covariance: Matrix, samples: number): Matrix {
  const { data: c, rows: p } = covariance;
  if (p === 1) return covariance;
  let squares = 0;
  let trace = 0;
  for (let i = 0; i < p * p; i++) squares += c[i] * c[i];
  for (let i = 0; i < p; i++) trace += c[i * p + i];
  const alpha = squares / (p * p);
  const mu = trace / p;
  const spread = (samples + 1) * (alpha - (mu * mu) / p);
  const amount = spread > 0 ? Math.min((alpha + mu * mu) / spread, 1) : 1;
  for (let i = 0; i < p * p; i++) c[i] *= 1 - amount;
  for (let i = 0; i < p; i++) c[i * p + i] += amount * mu;
  return covariance;
}

/**
 * Adds epsilon·trace/p to the diagonal of each matrix [p × p], in place, and returns them: average-referenced, flat and
 * duplicate channels then leave it positive definite. A zero matrix becomes epsilon·I.
 */
export function regularise<C extends Matrix | Matrices>(covariances: C, epsilon = 1e-10): C {
  const { data: c, rows: p } = covariances;
  for (let t = 0; t < countOf(covariances); t++) {
    const at = t * p * p;
    let trace = 0;
    for (let i = 0; i < p; i++) trace += c[at + i * p + i];
    const load = epsilon * (trace > 0 ? trace / p : 1);
    for (let i = 0; i < p; i++) c[at + i * p + i] += load;
  }
  return covariances;
}
