import { withOperator } from '../linalg/index.ts';
import type { Operator } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import { minimise } from './lbfgs.ts';
import type { Objective } from './lbfgs.ts';
import type { LinearHead } from './linear.ts';
import type { SpectralBasis } from './spectral-basis.ts';

export interface LogisticOptions {
  /** Inverse strength of the L2 penalty: minimises C · Σ weightᵢ · lossᵢ + ½‖W‖² (scikit-learn's objective). */
  readonly c: number;
  /** Weight of each trial. */
  readonly weights: Float64Array;
  /** Warm start: a solution for another C or for some of the trials, in the coordinates of the basis. */
  readonly start?: LinearHead;
  /**
   * Log-scores [trials × classes] of each trial from another model. The fitted log-scores are added to them, so that
   * the penalty keeps the sum near them.
   */
  readonly offsets?: Float64Array;
  /** Gradient at which the search ends, relative to that of the penalty; default 1e-5. */
  readonly tolerance?: number;
}

const fine = 1e-5;

/**
 * L2-regularised logistic regression with an unpenalised intercept: one weight vector for two classes, the multinomial
 * form for more, as scikit-learn's LogisticRegression (lbfgs). Solved in the spectral basis, scaled so that the Hessian
 * at zero is the identity. Returns the last iterate where 500 iterations do not reach the tolerance.
 *
 * @param labels Class of each trial, an index below `classes`.
 */
export function fitLogistic(
  basis: SpectralBasis,
  labels: Int32Array,
  classes: number,
  options: LogisticOptions,
): LinearHead {
  const outputs = classes === 2 ? 1 : classes;
  const { trials, rank, scores } = basis;
  const total = sumOf(options.weights);
  const curvature = classes === 2 ? 0.25 : (classes - 1) / (classes * classes);
  const mean = total / trials;
  const scale = scalesOf(basis.power, options.c * curvature * mean);
  const biasScale = 1 / Math.sqrt(options.c * curvature * total);
  const width = rank + 1;
  const design = { table: scores, scale, last: biasScale };
  const theta = withOperator(design, outputs, (operator) =>
    minimise(
      new PenalisedLoss(operator, labels, outputs, scale, options),
      begin(options.start, scale, biasScale, outputs),
      { gradientTolerance: (options.tolerance ?? fine) * Math.sqrt(options.c * mean), maxIterations: 500 },
    ),
  );

  const coefficients = new Float64Array(outputs * rank);
  for (let k = 0; k < outputs; k += 1)
    for (let r = 0; r < rank; r += 1) coefficients[k * rank + r] = theta[k * width + r] * scale[r];
  const weights = basis.lift(matrixOf(coefficients, rank, outputs)).data;
  const bias = new Float64Array(outputs);
  for (let k = 0; k < outputs; k += 1) {
    bias[k] = theta[k * width + rank] * biasScale;
    for (let j = 0; j < basis.dimension; j += 1) bias[k] -= weights[k * basis.dimension + j] * basis.mean[j];
  }
  return outputs === 1 ? twoSided(weights, bias[0]) : { weights, bias };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i];
  return sum;
}

function scalesOf(power: Float64Array, by: number): Float64Array {
  const scale = new Float64Array(power.length);
  for (let r = 0; r < scale.length; r += 1) scale[r] = 1 / Math.sqrt(1 + by * power[r]);
  return scale;
}

/** Coordinates [outputs × (rank + 1)] of the search for a solution; the last outputs of a two-sided one. */
function begin(start: LinearHead | undefined, scale: Float64Array, biasScale: number, outputs: number): Float64Array {
  const rank = scale.length;
  const theta = new Float64Array(outputs * (rank + 1));
  if (!start) return theta;
  const skip = start.bias.length - outputs;
  for (let k = 0; k < outputs; k += 1) {
    const at = k * (rank + 1);
    for (let r = 0; r < rank; r += 1) theta[at + r] = start.weights[(k + skip) * rank + r] / scale[r];
    theta[at + rank] = start.bias[k + skip] / biasScale;
  }
  return theta;
}

/** Two classes from one margin: log-scores (0, margin), so that softmax gives the logistic function. */
export function twoSided(weights: Float64Array, bias: number): LinearHead {
  const both = new Float64Array(weights.length * 2);
  both.set(weights, weights.length);
  return { weights: both, bias: Float64Array.of(0, bias) };
}

/** The penalised loss in the coordinates of the search. Its work arrays are allocated once. */
class PenalisedLoss implements Objective {
  readonly #operator: Operator;
  readonly #labels: Int32Array;
  readonly #outputs: number;
  readonly #scale: Float64Array;
  readonly #weights: Float64Array;
  /** Margins of the trials from the `offsets`. */
  readonly #before: Float64Array | null;
  readonly #margins: Float64Array;
  readonly #slopes: Float64Array;

  constructor(
    operator: Operator,
    labels: Int32Array,
    outputs: number,
    scale: Float64Array,
    { c, weights, offsets }: LogisticOptions,
  ) {
    this.#operator = operator;
    this.#labels = labels;
    this.#outputs = outputs;
    this.#scale = scale;
    this.#weights = new Float64Array(weights.length);
    for (let i = 0; i < weights.length; i += 1) this.#weights[i] = c * weights[i];
    this.#before = offsets ? (outputs === 1 ? differences(offsets) : offsets) : null;
    this.#margins = new Float64Array(labels.length * outputs);
    this.#slopes = new Float64Array(labels.length * outputs);
  }

  at(theta: Float64Array, gradient: Float64Array): number {
    this.#operator.times(theta, this.#outputs, this.#margins);
    if (this.#before) addTo(this.#margins, this.#before);
    const loss = this.#outputs === 1 ? binaryLoss : multinomialLoss;
    const value = loss(this.#margins, this.#slopes, this.#labels, this.#weights);
    this.#operator.transposedTimes(this.#slopes, this.#outputs, gradient);
    return withPenalty(value, theta, this.#outputs, this.#scale, gradient);
  }
}

/** Differences of two log-scores for each trial. */
function differences(offsets: Float64Array): Float64Array {
  const out = new Float64Array(offsets.length / 2);
  for (let i = 0; i < out.length; i += 1) out[i] = offsets[i * 2 + 1] - offsets[i * 2];
  return out;
}

function addTo(sum: Float64Array, values: Float64Array): void {
  for (let i = 0; i < sum.length; i += 1) sum[i] += values[i];
}

/** A loss with ½‖W‖² of scaled weights [outputs × (rank + 1)], whose slopes are added to `gradient`. */
function withPenalty(
  loss: number,
  theta: Float64Array,
  outputs: number,
  scale: Float64Array,
  gradient: Float64Array,
): number {
  let value = loss;
  for (let k = 0; k < outputs; k += 1) {
    for (let r = 0, w = k * (scale.length + 1); r < scale.length; r += 1, w += 1) {
      const weight = theta[w] * scale[r] * scale[r];
      value += 0.5 * weight * theta[w];
      gradient[w] += weight;
    }
  }
  return value;
}

/** Sum of the weighted losses of margins between two classes; writes their slopes. */
function binaryLoss(margins: Float64Array, slopes: Float64Array, labels: Int32Array, weights: Float64Array): number {
  let value = 0;
  for (let i = 0; i < margins.length; i += 1) {
    const margin = margins[i];
    const m = labels[i] === 1 ? margin : -margin;
    const tail = Math.exp(-Math.abs(m));
    value += weights[i] * (Math.log1p(tail) + Math.max(0, -m));
    const wrong = m >= 0 ? tail / (1 + tail) : 1 / (1 + tail);
    slopes[i] = (labels[i] === 1 ? -1 : 1) * weights[i] * wrong;
  }
  return value;
}

/** `binaryLoss` for log-scores [trials × classes]. */
function multinomialLoss(
  margins: Float64Array,
  slopes: Float64Array,
  labels: Int32Array,
  weights: Float64Array,
): number {
  const classes = margins.length / labels.length;
  let value = 0;
  for (let i = 0; i < labels.length; i += 1) {
    const at = i * classes;
    let top = -Infinity;
    for (let k = 0; k < classes; k += 1) top = Math.max(top, margins[at + k]);
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum += slopes[at + k] = Math.exp(margins[at + k] - top);
    const weight = weights[i];
    value += weight * (Math.log(sum) + top - margins[at + labels[i]]);
    for (let k = 0; k < classes; k += 1) slopes[at + k] = weight * (slopes[at + k] / sum - (labels[i] === k ? 1 : 0));
  }
  return value;
}
