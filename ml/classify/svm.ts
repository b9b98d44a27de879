import { gram } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { LinearHead } from './linear.ts';
import { twoSided } from './logistic.ts';
import type { SpectralBasis } from './spectral-basis.ts';

/** Most trials a support vector machine is trained on: its kernel matrix grows with their square. */
export const mostTrials = 600;

const tolerance = 1e-3;
const maxSteps = 200_000;

export interface SvmOptions {
  /** Inverse strength of the penalty: `c` times the weight of a trial bounds its multiplier. */
  readonly c: number;
  /** Weight of each trial. */
  readonly weights: Float64Array;
}

/**
 * Linear support vector machine, solved in the dual by sequential minimal optimisation with second-order working sets.
 * More than two classes: one against the rest. Returns the last iterate where 200,000 steps do not converge.
 *
 * @param labels Class of each trial, an index below `classes`.
 *
 * Source: Cortes & Vapnik 1995; Fan, Chen & Lin 2005.
 */
export function fitSvm(
  basis: SpectralBasis,
  labels: Int32Array,
  classes: number,
  { c, weights }: SvmOptions,
): LinearHead {
  const { data: scores } = basis.scores;
  const kernel = gram(basis.scores).data;
  const outputs = classes === 2 ? 1 : classes;
  const coefficients = new Float64Array(outputs * basis.rank);
  const bias = new Float64Array(outputs);
  for (let k = 0; k < outputs; k += 1) {
    const positive = classes === 2 ? 1 : k;
    const signs = Float64Array.from(labels, (label) => (label === positive ? 1 : -1));
    const { alpha, offset } = solveDual(
      kernel,
      signs,
      weights.map((weight) => c * weight),
    );
    for (let i = 0; i < basis.trials; i += 1) {
      for (let r = 0; r < basis.rank; r += 1)
        coefficients[k * basis.rank + r] += alpha[i] * signs[i] * scores[i * basis.rank + r];
    }
    bias[k] = offset;
  }
  const all = basis.lift(matrixOf(coefficients, basis.rank, outputs)).data;
  for (let k = 0; k < outputs; k += 1)
    for (let j = 0; j < basis.dimension; j += 1) bias[k] -= all[k * basis.dimension + j] * basis.mean[j];
  return outputs === 1
    ? twoSided(
        all.map((v) => 2 * v),
        2 * bias[0],
      )
    : { weights: all.map((v) => 2 * v), bias: bias.map((v) => 2 * v) };
}

function solveDual(
  kernel: Float64Array,
  y: Float64Array,
  bounds: Float64Array,
): { alpha: Float64Array; offset: number } {
  const n = y.length;
  const alpha = new Float64Array(n);
  const gradient = new Float64Array(n).fill(-1);
  const up = (t: number): boolean => (y[t] > 0 ? alpha[t] < bounds[t] : alpha[t] > 0);
  const down = (t: number): boolean => (y[t] > 0 ? alpha[t] > 0 : alpha[t] < bounds[t]);
  for (let step = 0; step < maxSteps; step += 1) {
    let i = -1;
    let highest = -Infinity;
    for (let t = 0; t < n; t += 1) {
      if (up(t) && -y[t] * gradient[t] > highest) {
        highest = -y[t] * gradient[t];
        i = t;
      }
    }
    if (i < 0) break;
    let j = -1;
    let lowest = Infinity;
    let steepest = 0;
    for (let t = 0; t < n; t += 1) {
      if (!down(t)) continue;
      const value = -y[t] * gradient[t];
      lowest = Math.min(lowest, value);
      const gap = highest - value;
      if (gap <= 0) continue;
      const curvature = Math.max(1e-12, kernel[i * n + i] + kernel[t * n + t] - 2 * kernel[i * n + t]);
      if ((gap * gap) / curvature > steepest) {
        steepest = (gap * gap) / curvature;
        j = t;
      }
    }
    if (j < 0 || highest - lowest < tolerance) break;
    const curvature = Math.max(1e-12, kernel[i * n + i] + kernel[j * n + j] - 2 * kernel[i * n + j]);
    const wanted = (-y[i] * gradient[i] + y[j] * gradient[j]) / curvature;
    const roomI = y[i] > 0 ? bounds[i] - alpha[i] : alpha[i];
    const roomJ = y[j] > 0 ? alpha[j] : bounds[j] - alpha[j];
    const moved = Math.min(wanted, roomI, roomJ);
    alpha[i] += y[i] * moved;
    alpha[j] -= y[j] * moved;
    for (let t = 0; t < n; t += 1) gradient[t] += y[t] * moved * (kernel[i * n + t] - kernel[j * n + t]);
  }
  return { alpha, offset: offsetOf(alpha, gradient, y, bounds) };
}

/** Intercept from the free multipliers, else the middle of the interval that the bounds allow. */
function offsetOf(alpha: Float64Array, gradient: Float64Array, y: Float64Array, bounds: Float64Array): number {
  let free = 0;
  let sum = 0;
  let high = Infinity;
  let low = -Infinity;
  for (let t = 0; t < y.length; t += 1) {
    const value = -y[t] * gradient[t];
    const upper = alpha[t] >= bounds[t] * (1 - 1e-12);
    if (!upper && alpha[t] > 0) {
      sum += value;
      free += 1;
    } else if ((upper && y[t] < 0) || (!upper && y[t] > 0)) low = Math.max(low, value);
    else high = Math.min(high, value);
  }
  return free > 0 ? sum / free : (high + low) / 2;
}
