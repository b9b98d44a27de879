import { withOperator } from '../linalg/index.ts';
import { minimise } from './lbfgs.ts';
import type { LinearHead } from './linear.ts';
import type { SpectralBasis } from './spectral-basis.ts';

export interface LogisticOptions {
  /** Inverse strength of the L2 penalty: minimises C · Σ weightᵢ · lossᵢ + ½‖W‖² (scikit-learn's objective). */
  readonly c: number;
  /** Weight of each trial. */
  readonly weights: Float64Array;
  /** Where to begin: a solution for another C or for some of the trials, in the coordinates of the basis. */
  readonly start?: LinearHead;
  /**
   * Log-scores [trials × classes] that each trial has beforehand: what is fitted is added to them, and the penalty
   * holds it near them.
   */
  readonly offsets?: Float64Array;
  /** Slope at which the search ends, beside that of the penalty; 1e-5 unless given. */
  readonly tolerance?: number;
}

const fine = 1e-5;

/**
 * L2-regularised logistic regression with a free intercept: one weight vector for two classes, the multinomial form for
 * more (scikit-learn LogisticRegression, lbfgs). Solved in the spectral basis, scaled so that the Hessian at zero is
 * the identity.
 */
export function fitLogistic(
  basis: SpectralBasis,
  labels: Int32Array,
  classes: number,
  options: LogisticOptions,
): LinearHead {
  const outputs = classes === 2 ? 1 : classes;
  const { trials, rank, scores } = basis;
  const total = options.weights.reduce((a, b) => a + b, 0);
  const curvature = classes === 2 ? 0.25 : (classes - 1) / (classes * classes);
  const mean = total / trials;
  const scale = basis.power.map((power) => 1 / Math.sqrt(1 + options.c * curvature * mean * power));
  const biasScale = 1 / Math.sqrt(options.c * curvature * total);
  const width = rank + 1;
  const design = { table: scores, scale, last: biasScale };
  const loss = outputs === 1 ? binaryLoss(labels, options) : multinomialLoss(labels, classes, options);

  const margins = new Float64Array(trials * outputs);
  const slopes = new Float64Array(trials * outputs);
  const theta = withOperator(design, trials, outputs, (operator) => {
    const objective = (at: Float64Array, gradient: Float64Array): number => {
      operator.times(at, outputs, margins);
      let value = loss(margins, slopes);
      operator.transposedTimes(slopes, outputs, gradient);
      for (let k = 0; k < outputs; k += 1) {
        for (let r = 0, w = k * width; r < rank; r += 1, w += 1) {
          const weight = at[w] * scale[r] * scale[r];
          value += 0.5 * weight * at[w];
          gradient[w] += weight;
        }
      }
      return value;
    };
    return minimise(objective, begin(options.start, scale, biasScale, outputs), {
      gradientTolerance: (options.tolerance ?? fine) * Math.sqrt(options.c * mean),
      maxIterations: 500,
    });
  });

  const coefficients = new Float64Array(outputs * rank);
  for (let k = 0; k < outputs; k += 1)
    for (let r = 0; r < rank; r += 1) coefficients[k * rank + r] = theta[k * width + r] * scale[r];
  const weights = basis.lift(coefficients, outputs);
  const bias = Float64Array.from({ length: outputs }, (_, k) => {
    let sum = theta[k * width + rank] * biasScale;
    for (let j = 0; j < basis.dimension; j += 1) sum -= weights[k * basis.dimension + j] * basis.mean[j];
    return sum;
  });
  return outputs === 1 ? twoSided(weights, bias[0]) : { weights, bias };
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

type Loss = (margins: Float64Array, slopes: Float64Array) => number;

function binaryLoss(labels: Int32Array, { c, weights, offsets }: LogisticOptions): Loss {
  const before = offsets && Float64Array.from(labels, (_, i) => offsets[i * 2 + 1] - offsets[i * 2]);
  return (margins, slopes) => {
    let value = 0;
    for (let i = 0; i < margins.length; i += 1) {
      const margin = before ? margins[i] + before[i] : margins[i];
      const m = labels[i] === 1 ? margin : -margin;
      const tail = Math.exp(-Math.abs(m));
      value += c * weights[i] * (Math.log1p(tail) + Math.max(0, -m));
      const wrong = m >= 0 ? tail / (1 + tail) : 1 / (1 + tail);
      slopes[i] = (labels[i] === 1 ? -1 : 1) * c * weights[i] * wrong;
    }
    return value;
  };
}

function multinomialLoss(labels: Int32Array, classes: number, { c, weights, offsets }: LogisticOptions): Loss {
  const sums = offsets && new Float64Array(offsets.length);
  return (fitted, slopes) => {
    let value = 0;
    const margins = sums ?? fitted;
    if (offsets && sums) for (let j = 0; j < sums.length; j += 1) sums[j] = fitted[j] + offsets[j];
    for (let i = 0; i < labels.length; i += 1) {
      const at = i * classes;
      let top = -Infinity;
      for (let k = 0; k < classes; k += 1) top = Math.max(top, margins[at + k]);
      let sum = 0;
      for (let k = 0; k < classes; k += 1) sum += slopes[at + k] = Math.exp(margins[at + k] - top);
      const weight = c * weights[i];
      value += weight * (Math.log(sum) + top - margins[at + labels[i]]);
      for (let k = 0; k < classes; k += 1) slopes[at + k] = weight * (slopes[at + k] / sum - (labels[i] === k ? 1 : 0));
    }
    return value;
  };
}
