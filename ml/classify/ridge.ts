import { matmul, matmulTransposed, transpose } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { classMeans } from './class-means.ts';
import type { LinearHead } from './linear.ts';
import type { SpectralBasis } from './spectral-basis.ts';

/** Penalties tried, as multiples of the mean squared length of a centred trial. */
const penalties: readonly number[] = Array.from({ length: 9 }, (_, i) => 10 ** (-3 + i * 0.5));

/**
 * Ridge regression on class indicators, with the penalty that has the least leave-one-out error, computed in closed
 * form from one factorisation. Outputs become log-scores by their distance from the class means, in units of the
 * leave-one-out error.
 *
 * @param labels Class of each trial, an index below `classes`.
 *
 * Source: Golub, Heath & Wahba 1979.
 */
export function fitRidge(basis: SpectralBasis, labels: Int32Array, classes: number): LinearHead {
  const { trials, rank, scores, power } = basis;
  const coded = codedLabels(labels, classes);
  const projection = matmul(transpose(scores), coded.targets);
  const projected = projection.data;
  const typical = power.reduce((a, b) => a + b, 0) / trials;
  const tried = penalties.map((multiple) => multiple * typical);
  const errors = leaveOneOut(basis, coded, projection, tried);
  const least = errors.indexOf(Math.min(...errors));
  const best = { error: errors[least], penalty: tried[least] };
  const coefficients = new Float64Array(classes * rank);
  for (let k = 0; k < classes; k += 1)
    for (let r = 0; r < rank; r += 1)
      coefficients[k * rank + r] = projected[r * classes + k] / (power[r] + best.penalty);
  const linear = matrixOf(coefficients, rank, classes);
  const fitted = matmulTransposed(scores, linear);
  return compose(nearest(fitted, labels, best.error / classes / classes), basis.lift(linear), basis.mean);
}

interface CodedLabels {
  /** Centred class indicators [trials × classes], scaled so that all classes have the same total weight. */
  readonly targets: Matrix;
  /** Weight of the error of each trial. */
  readonly weights: Float64Array;
}

function codedLabels(labels: Int32Array, classes: number): CodedLabels {
  const counts = new Float64Array(classes);
  for (const label of labels) counts[label] += 1;
  const targets = new Float64Array(labels.length * classes);
  const weights = new Float64Array(labels.length);
  for (let i = 0; i < labels.length; i += 1) {
    weights[i] = 1 / counts[labels[i]];
    for (let k = 0; k < classes; k += 1)
      targets[i * classes + k] = ((labels[i] === k ? labels.length / counts[k] : 0) - 1) / classes;
  }
  return { targets: matrixOf(targets, classes, labels.length), weights };
}

/** Leave-one-out error of each penalty: two products give the fitted values and leverages for all penalties. */
function leaveOneOut(
  { trials, rank, scores, power }: SpectralBasis,
  coded: CodedLabels,
  { data: projected }: Matrix,
  tried: readonly number[],
): number[] {
  const { weights } = coded;
  const { data: targets, columns: classes } = coded.targets;
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
  const fitted = matmulTransposed(scores, matrixOf(directions, rank, width)).data;
  const squares = matrixOf(squared(scores.data), rank, trials);
  const leverages = matmulTransposed(squares, matrixOf(gains, rank, tried.length)).data;
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

function squared(values: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  for (let i = 0; i < values.length; i += 1) out[i] = values[i] * values[i];
  return out;
}

/** Log-scores −‖output − class mean‖² / 2·variance, without the terms that all classes share. */
function nearest(outputs: Matrix, labels: Int32Array, variance: number): LinearHead {
  const classes = outputs.columns;
  const means = classMeans(outputs, labels, classes).means.data;
  const weights = means.map((value) => value / Math.max(variance, 1e-12));
  const bias = Float64Array.from({ length: classes }, (_, c) => {
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum -= 0.5 * weights[c * classes + k] * means[c * classes + k];
    return sum;
  });
  return { weights, bias };
}

/** Log-scores of `inner` applied to the linear outputs weights·(x − mean), `weights` [classes × dimension]. */
function compose(inner: LinearHead, { data: weights, rows: classes, columns: dimension }: Matrix, mean: Float64Array) {
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
