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
  const total = own.reduce((sum, w) => sum + w, 0);
  return { rows, weights: own.map((w) => w / total) };
}

/** Weighted sum [p × p] of the selected matrices. */
export function average(c: Float64Array, p: number, { rows, weights }: Selection): Float64Array {
  const size = p * p;
  const mean = new Float64Array(size);
  rows.forEach((row, i) => {
    const weight = weights[i];
    for (let k = 0, at = row * size; k < size; k++) mean[k] += weight * c[at + k];
  });
  return mean;
}
