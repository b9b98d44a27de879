import { matmul, matmulTransposed, transpose } from '../linalg/index.ts';
import { classMeans } from './class-means.ts';
import type { LinearHead } from './linear.ts';
import type { SpectralBasis } from './spectral-basis.ts';

/** Penalties tried, as multiples of the mean squared length of a centred trial. */
const penalties: readonly number[] = Array.from({ length: 9 }, (_, i) => 10 ** (-3 + i * 0.5));

/**
 * Ridge regression on class indicators; the penalty is the one of least leave-one-out error, in closed form from one
 * factorisation (Golub, Heath & Wahba 1979). Outputs become log-scores by their distance to the class means, in units
 * of the leave-one-out error.
 */
export function fitRidge(basis: SpectralBasis, labels: Int32Array, classes: number): LinearHead {
  const { trials, rank, scores, power } = basis;
  const { targets, weights } = coded(labels, classes);
  const projected = matmul(transpose(scores, trials, rank), targets, rank, trials, classes);
  const typical = power.reduce((a, b) => a + b, 0) / trials;
  const tried = penalties.map((share) => share * typical);
  const errors = leaveOneOut(basis, targets, projected, classes, tried, weights);
  const least = errors.indexOf(Math.min(...errors));
  const best = { error: errors[least], penalty: tried[least] };
  const coefficients = new Float64Array(classes * rank);
  for (let k = 0; k < classes; k += 1)
    for (let r = 0; r < rank; r += 1)
      coefficients[k * rank + r] = projected[r * classes + k] / (power[r] + best.penalty);
  const fitted = matmulTransposed(scores, coefficients, trials, rank, classes);
  return compose(
    nearest(fitted, trials, labels, classes, best.error / classes / classes),
    basis.lift(coefficients, classes),
    basis,
    classes,
  );
}

/** Centred class indicators, scaled so that classes weigh alike, and the weight of each trial's error. */
function coded(labels: Int32Array, classes: number): { targets: Float64Array; weights: Float64Array } {
  const counts = new Float64Array(classes);
  for (const label of labels) counts[label] += 1;
  const targets = new Float64Array(labels.length * classes);
  const weights = new Float64Array(labels.length);
  for (let i = 0; i < labels.length; i += 1) {
    weights[i] = 1 / counts[labels[i]];
    for (let k = 0; k < classes; k += 1)
      targets[i * classes + k] = ((labels[i] === k ? labels.length / counts[k] : 0) - 1) / classes;
  }
  return { targets, weights };
}

/** Leave-one-out error of each penalty: fitted values and leverages of all of them in two products. */
function leaveOneOut(
  { trials, rank, scores, power }: SpectralBasis,
  targets: Float64Array,
  projected: Float64Array,
  classes: number,
  tried: readonly number[],
  weights: Float64Array,
): number[] {
  const gains = new Float64Array(tried.length * rank);
  for (let t = 0; t < tried.length; t += 1)
    for (let r = 0; r < rank; r += 1) gains[t * rank + r] = 1 / (power[r] + tried[t]);
  const width = tried.length * classes;
  const directions = new Float64Array(width * rank);
  for (let t = 0; t < tried.length; t += 1) {
    for (let k = 0; k < classes; k += 1)
      for (let r = 0; r < rank; r += 1)
        directions[(t * classes + k) * rank + r] = gains[t * rank + r] * projected[r * classes + k];
  }
  const fitted = matmulTransposed(scores, directions, trials, rank, width);
  const leverages = matmulTransposed(scores.map(squared), gains, trials, rank, tried.length);
  const errors = Array<number>(tried.length).fill(0);
  for (let t = 0; t < tried.length; t += 1) {
    for (let i = 0; i < trials; i += 1) {
      const rest = Math.max(1e-6, 1 - 1 / trials - leverages[i * tried.length + t]);
      for (let k = 0; k < classes; k += 1) {
        const residual = (targets[i * classes + k] - fitted[i * width + t * classes + k]) / rest;
        errors[t] += weights[i] * residual * residual;
      }
    }
  }
  return errors;
}

const squared = (value: number): number => value * value;

/** Log-scores −‖output − class mean‖² / 2·variance, without what all classes share. */
function nearest(
  outputs: Float64Array,
  trials: number,
  labels: Int32Array,
  classes: number,
  variance: number,
): LinearHead {
  const { means } = classMeans(outputs, trials, classes, labels, classes);
  const weights = means.map((value) => value / Math.max(variance, 1e-12));
  const bias = Float64Array.from({ length: classes }, (_, c) => {
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum -= 0.5 * weights[c * classes + k] * means[c * classes + k];
    return sum;
  });
  return { weights, bias };
}

/** Log-scores of `inner` applied to the linear outputs `weights`·(x − mean). */
function compose(
  inner: LinearHead,
  weights: Float64Array,
  { dimension, mean }: SpectralBasis,
  classes: number,
): LinearHead {
  const all = new Float64Array(classes * dimension);
  const bias = inner.bias.slice();
  for (let c = 0; c < classes; c += 1) {
    for (let k = 0; k < classes; k += 1) {
      const scale = inner.weights[c * classes + k];
      for (let j = 0; j < dimension; j += 1) all[c * dimension + j] += scale * weights[k * dimension + j];
    }
    for (let j = 0; j < dimension; j += 1) bias[c] -= all[c * dimension + j] * mean[j];
  }
  return { weights: all, bias };
}
