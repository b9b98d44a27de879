import { transpose } from '../linalg/index.ts';
import type { LinearHead } from './linear.ts';
import { twoSided } from './logistic.ts';

export interface ElasticNetOptions {
  /** Inverse strength: minimises C · Σ weightᵢ · lossᵢ + ratio·‖W‖₁ + ½(1 − ratio)·‖W‖² (scikit-learn's objective). */
  readonly c: number;
  readonly ratio: number;
  readonly weights: Float64Array;
}

const outerSteps = 25;
const innerSweeps = 30;
const tolerance = 1e-4;

/**
 * Logistic regression with an elastic-net penalty by coordinate descent on successive quadratic approximations
 * (Friedman, Hastie & Tibshirani 2010): one weight vector for two classes, the multinomial form, class by class, for
 * more.
 */
export function fitElasticNet(
  x: Float64Array,
  labels: Int32Array,
  classes: number,
  dimension: number,
  options: ElasticNetOptions,
): LinearHead {
  const trials = labels.length;
  const columns = transpose(x, trials, dimension);
  const outputs = classes === 2 ? 1 : classes;
  const beta = new Float64Array(outputs * dimension);
  const bias = new Float64Array(outputs);
  const margins = new Float64Array(trials * outputs);
  for (let outer = 0; outer < outerSteps; outer += 1) {
    let change = 0;
    for (let k = 0; k < outputs; k += 1) {
      const { slopes, curvatures } = approximate(margins, labels, outputs, k, options);
      change = Math.max(
        change,
        descend(
          columns,
          slopes,
          curvatures,
          beta.subarray(k * dimension, (k + 1) * dimension),
          bias,
          k,
          margins,
          outputs,
          options,
        ),
      );
    }
    if (change < tolerance) break;
  }
  return outputs === 1 ? twoSided(beta, bias[0]) : { weights: beta, bias };
}

/** First and second derivatives of the loss by the margin of output k, per trial. */
function approximate(
  margins: Float64Array,
  labels: Int32Array,
  outputs: number,
  k: number,
  { c, weights }: ElasticNetOptions,
): { slopes: Float64Array; curvatures: Float64Array } {
  const slopes = new Float64Array(labels.length);
  const curvatures = new Float64Array(labels.length);
  for (let i = 0; i < labels.length; i += 1) {
    let probability: number;
    if (outputs === 1) probability = 1 / (1 + Math.exp(-margins[i]));
    else {
      let sum = 0;
      for (let j = 0; j < outputs; j += 1) sum += Math.exp(margins[i * outputs + j] - margins[i * outputs + k]);
      probability = 1 / sum;
    }
    const truth = labels[i] === (outputs === 1 ? 1 : k) ? 1 : 0;
    slopes[i] = c * weights[i] * (probability - truth);
    curvatures[i] = c * weights[i] * Math.max(1e-5, probability * (1 - probability));
  }
  return { slopes, curvatures };
}

/**
 * Coordinate descent on one quadratic approximation; updates weights, intercept and margins, returns the largest change
 * of a margin's scale.
 */
function descend(
  columns: Float64Array,
  slopes: Float64Array,
  curvatures: Float64Array,
  beta: Float64Array,
  bias: Float64Array,
  k: number,
  margins: Float64Array,
  outputs: number,
  { ratio }: ElasticNetOptions,
): number {
  const trials = slopes.length;
  const dimension = beta.length;
  const residual = slopes;
  const moved = new Float64Array(trials);
  const total = curvatures.reduce((a, b) => a + b, 0);
  let largest = 0;
  const own = new Float64Array(dimension).fill(-1);
  const step = (j: number): number => {
    const at = j * trials;
    if (own[j] < 0) {
      let sum = 0;
      for (let i = 0; i < trials; i += 1) sum += curvatures[i] * columns[at + i] * columns[at + i];
      own[j] = sum;
    }
    let gradient = 0;
    for (let i = 0; i < trials; i += 1) gradient += residual[i] * columns[at + i];
    const target = own[j] * beta[j] - gradient;
    const next = (Math.sign(target) * Math.max(0, Math.abs(target) - ratio)) / (own[j] + 1 - ratio || 1);
    const delta = next - beta[j];
    if (delta === 0) return 0;
    beta[j] = next;
    for (let i = 0; i < trials; i += 1) {
      residual[i] += curvatures[i] * delta * columns[at + i];
      moved[i] += delta * columns[at + i];
    }
    return Math.abs(delta) * Math.sqrt(own[j]);
  };
  const shift = (): number => {
    const delta = -residual.reduce((a, b) => a + b, 0) / total;
    bias[k] += delta;
    for (let i = 0; i < trials; i += 1) {
      residual[i] += curvatures[i] * delta;
      moved[i] += delta;
    }
    return Math.abs(delta) * Math.sqrt(total);
  };
  for (let sweep = 0; sweep < innerSweeps; sweep += 1) {
    let change = shift();
    for (let j = 0; j < dimension; j += 1) change = Math.max(change, step(j));
    largest = Math.max(largest, sweep === 0 ? change : 0);
    if (change < tolerance) break;
    const active = Array.from(beta.keys()).filter((j) => beta[j] !== 0);
    for (let inner = 0; inner < innerSweeps; inner += 1) {
      let own = shift();
      for (const j of active) own = Math.max(own, step(j));
      if (own < tolerance) break;
    }
  }
  for (let i = 0; i < trials; i += 1) margins[i * outputs + k] += moved[i];
  return largest;
}
