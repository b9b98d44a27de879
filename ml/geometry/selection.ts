import { range } from '../rows.ts';

/** Which matrices a mean is taken over, and with what weight. */
export interface MeanOptions {
  /** Indices of the matrices to use; all when absent. */
  readonly rows?: Int32Array;
  /** Weights of the used matrices in the order of `rows`; equal when absent. Need not sum to one. */
  readonly weights?: Float64Array;
}

/** The rows of a mean and their weights, which sum to one. */
export interface Selection {
  readonly rows: Int32Array;
  readonly weights: Float64Array;
}

/** Rows and normalised weights of `options` over n matrices. */
export function selection(n: number, { rows = range(n), weights }: MeanOptions): Selection {
  const own = weights ?? new Float64Array(rows.length).fill(1);
  let total = 0;
  for (let i = 0; i < own.length; i++) total += own[i];
  const shares = new Float64Array(own.length);
  for (let i = 0; i < own.length; i++) shares[i] = own[i] / total;
  return { rows, weights: shares };
}

/** Weighted sum [p × p] of the selected matrices. */
export function average(c: Float64Array, p: number, { rows, weights }: Selection): Float64Array {
  const size = p * p;
  const mean = new Float64Array(size);
  for (let i = 0; i < rows.length; i++) {
    const weight = weights[i];
    for (let k = 0, at = rows[i] * size; k < size; k++) mean[k] += weight * c[at + k];
  }
  return mean;
}
