import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';
import { congruence, congruenceAt, placeTransposed } from './congruence.ts';
import { range, takeRows } from '../rows.ts';
import { average, selection } from './selection.ts';
import type { MeanOptions } from './selection.ts';
import { chunkOf, decomposeAt, expm, invsqrtm, logarithm, logm, sqrtm } from './spectral.ts';

export interface RiemannMeanOptions extends MeanOptions {
  /** Starting point [p × p]; the arithmetic mean when absent. A fold starts from the mean of all. */
  readonly initial?: Float64Array;
  /** Norm of the gradient at which to stop; 1e-3 is plenty for a reference point. */
  readonly tolerance?: number;
  readonly maxIterations?: number;
}

/** Log-Euclidean mean (Arsigny 2007) of SPD matrices c [n × p × p]. */
export function meanLogEuclid(c: Float64Array, n: number, p: number): Float64Array {
  return expm(average(logm(c, p, n), p, selection(n, {})), p);
}

/**
 * Affine-invariant Riemannian mean of SPD matrices c [n × p × p] (Fletcher & Joshi 2004; Congedo 2017), by gradient
 * descent with the step rule and tolerance of pyRiemann.
 */
export function meanRiemann(c: Float64Array, n: number, p: number, options: RiemannMeanOptions = {}): Float64Array {
  const { tolerance = 1e-8, maxIterations = 50 } = options;
  const { rows, weights } = selection(n, options);
  const used = options.rows ? takeRows(c, p * p, rows) : c.subarray(0, n * p * p);
  let mean = options.initial?.slice() ?? average(used, p, { rows: range(rows.length), weights });
  let step = 1;
  let best = Number.MAX_VALUE;
  scope(() => {
    const matrices = place(used);
    for (let i = 0; i < maxIterations; i++) {
      const gradient = meanLog(matrices, rows.length, p, invsqrtm(mean, p), weights);
      const norm = normOf(gradient);
      mean = congruence(sqrtm(mean, p), expm(times(gradient, step), p), 1, p);
      const size = step * norm;
      step *= size < best ? 0.95 : 0.5;
      best = Math.min(best, size);
      if (!(norm > tolerance) || step <= tolerance) break;
    }
  });
  return mean;
}

function normOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * values[i];
  return Math.sqrt(sum);
}

function times(values: Float64Array, by: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = values[i] * by;
  return out;
}

/** Σ weights[i]·log(W·C_i·Wᵀ) of the n matrices at an address. */
function meanLog(matrices: number, n: number, p: number, w: Float64Array, weights: Float64Array): Float64Array {
  const ld = paddedSide(p);
  const chunk = chunkOf(n, p);
  const sum = new Float64Array(p * p);
  scope(() => {
    const wt = placeTransposed(w, p, p);
    const whitened = allocateDoubles(chunk * p * p);
    const part = allocateDoubles(ld * ld);
    for (let from = 0; from < n; from += chunk) {
      const count = Math.min(chunk, n - from);
      congruenceAt(matrices + from * p * p * 8, count, p, wt, p, whitened);
      scope(() => {
        const { z, values, scratch } = decomposeAt(whitened, count, p);
        const own = viewDoubles(values, count * p);
        logarithm(own, p);
        weigh(own, p, weights, from);
        kernels().composeBatch(z, values, count, p, ld, part, 1, scratch);
      });
      addUpper(viewDoubles(part, ld * ld), ld, sum, p);
    }
  });
  return sum;
}

/** Multiplies p values of each matrix by its weight; `from`: the first matrix. */
function weigh(values: Float64Array, p: number, weights: Float64Array, from: number): void {
  for (let i = 0, at = 0; at < values.length; i++) for (let j = 0; j < p; j++, at++) values[at] *= weights[from + i];
}

function addUpper(part: Float64Array, ld: number, sum: Float64Array, p: number): void {
  for (let i = 0; i < p; i++) {
    sum[i * p + i] += part[i * ld + i];
    for (let j = i + 1; j < p; j++) sum[j * p + i] = sum[i * p + j] += part[i * ld + j];
  }
}
