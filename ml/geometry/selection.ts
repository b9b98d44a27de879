import { squareOf } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';
import { range } from '../rows.ts';

/** Which matrices a mean is taken over, and with which weights. */
export interface MeanOptions {
  /** Indices of the matrices to use; all by default. */
  readonly rows?: Int32Array;
  /** Weights of the used matrices in the order of `rows`; equal by default. They need not sum to one. */
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
  const normalised = new Float64Array(own.length);
  for (let i = 0; i < own.length; i++) normalised[i] = own[i] / total;
  return { rows, weights: normalised };
}

/** Weighted sum [p × p] of the selected matrices. */
export function average({ data, rows: p }: Matrices, { rows, weights }: Selection): Matrix {
  const size = p * p;
  const mean = new Float64Array(size);
  for (let i = 0; i < rows.length; i++) {
    const weight = weights[i];
    for (let k = 0, at = rows[i] * size; k < size; k++) mean[k] += weight * data[at + k];
  }
  return squareOf(mean, p);
}
