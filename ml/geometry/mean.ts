import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';
import { squareOf } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';
import { congruence, congruenceAt, placeTransposed } from './congruence.ts';
import type { PlacedSquares } from './congruence.ts';
import { range, takeRows } from '../rows.ts';
import { average, selection } from './selection.ts';
import type { MeanOptions } from './selection.ts';
import { chunkOf, decomposeAt, expm, invsqrtm, logarithm, logm, sqrtm } from './spectral.ts';

export interface RiemannMeanOptions extends MeanOptions {
  /** Starting point [p × p]; the arithmetic mean by default. A fold starts from the mean of all trials. */
  readonly initial?: Matrix;
  /** Norm of the gradient at which the search stops; default 1e-8. 1e-3 is enough for a reference point. */
  readonly tolerance?: number;
  /** Default 50. */
  readonly maxIterations?: number;
}

/**
 * Log-Euclidean mean [p × p] of SPD matrices [n × p × p].
 *
 * Source: Arsigny et al. 2007.
 */
export function meanLogEuclid(c: Matrices): Matrix {
  return expm(average(logm(c), selection(c.count, {})));
}

/**
 * Affine-invariant Riemannian mean [p × p] of SPD matrices [n × p × p], by gradient descent with the step rule and
 * tolerance of pyRiemann. Returns the last iterate where it does not converge within `maxIterations`.
 *
 * Source: Fletcher & Joshi 2004; Congedo et al. 2017.
 */
export function meanRiemann(c: Matrices, options: RiemannMeanOptions = {}): Matrix {
  const { count: n, rows: p } = c;
  const { tolerance = 1e-8, maxIterations = 50 } = options;
  const { rows, weights } = selection(n, options);
  const data = options.rows ? takeRows(c.data, p * p, rows) : c.data.subarray(0, n * p * p);
  const used: Matrices = { ...c, data, count: rows.length };
  let mean: Matrix = options.initial
    ? { ...options.initial, data: options.initial.data.slice() }
    : average(used, { rows: range(rows.length), weights });
  let step = 1;
  let best = Number.MAX_VALUE;
  scope(() => {
    const placed: PlacedSquares = { at: place(used.data), count: rows.length, side: p };
    for (let i = 0; i < maxIterations; i++) {
      const gradient = meanLog(placed, invsqrtm(mean), weights);
      const norm = normOf(gradient.data);
      mean = congruence(sqrtm(mean), expm(times(gradient, step)));
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

function times(matrix: Matrix, by: number): Matrix {
  const out = new Float64Array(matrix.data.length);
  for (let i = 0; i < out.length; i++) out[i] = matrix.data[i] * by;
  return { ...matrix, data: out };
}

/** Σ weights[i]·log(W·C_i·Wᵀ) of matrices at an address. */
function meanLog({ at, count: n, side: p }: PlacedSquares, w: Matrix, weights: Float64Array): Matrix {
  const ld = paddedSide(p);
  const chunk = chunkOf(n, p);
  const sum = new Float64Array(p * p);
  scope(() => {
    const wt = placeTransposed(w);
    const whitened = allocateDoubles(chunk * p * p);
    const part = allocateDoubles(ld * ld);
    for (let from = 0; from < n; from += chunk) {
      const count = Math.min(chunk, n - from);
      congruenceAt(wt, { at: at + from * p * p * 8, count, side: p }, whitened);
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
  return squareOf(sum, p);
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
