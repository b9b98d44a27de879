import { transpose } from '../linalg/index.ts';
import type { Matrix } from '../matrix.ts';
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
/** Halvings of a step that would raise the objective; after the last one the step is discarded. */
const halvings = 20;

/**
 * Logistic regression with an elastic-net penalty, by coordinate descent on successive quadratic approximations: one
 * weight vector for two classes; for more, the multinomial form, class by class. A step is halved until it does not
 * raise the objective, because the approximation is nearly flat, and its minimum far away, where a probability is near
 * 0 or 1.
 *
 * @param x Features [trials × dimension].
 * @param labels Class of each trial, an index below `classes`.
 *
 * Source: Friedman, Hastie & Tibshirani 2010; Lee, Sun & Saunders 2014, SIAM J. Optim. 24.
 */
export function fitElasticNet(x: Matrix, labels: Int32Array, classes: number, options: ElasticNetOptions): LinearHead {
  const { rows: trials, columns: dimension } = x;
  const columns = transpose(x).data;
  const outputs = classes === 2 ? 1 : classes;
  const beta = new Float64Array(outputs * dimension);
  const bias = new Float64Array(outputs);
  const margins = new Float64Array(trials * outputs);
  const fit: FitState = { margins, labels, outputs, options };
  for (let outer = 0; outer < outerSteps; outer += 1) {
    let change = 0;
    for (let k = 0; k < outputs; k += 1) {
      const own = beta.subarray(k * dimension, (k + 1) * dimension);
      const next = descend(columns, approximate(fit, k), { beta: own, bias: bias[k] }, options.ratio);
      const part = lineSearch(next, own, lossOf(fit, k, next.moved), options);
      if (part === 0) continue;
      for (let j = 0; j < dimension; j += 1) own[j] += part * (next.beta[j] - own[j]);
      bias[k] += part * (next.bias - bias[k]);
      for (let i = 0; i < trials; i += 1) margins[i * outputs + k] += part * next.moved[i];
      change = Math.max(change, next.change);
    }
    if (change < tolerance) break;
  }
  return outputs === 1 ? twoSided(beta, bias[0]) : { weights: beta, bias };
}

/** Current margins [trials × outputs] of the weights, with the labels and options of the fit. */
interface FitState {
  readonly margins: Float64Array;
  readonly labels: Int32Array;
  readonly outputs: number;
  readonly options: ElasticNetOptions;
}

interface Derivatives {
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
}

/** First and second derivative of the loss by the margin of output k, for each trial. */
function approximate({ margins, labels, outputs, options: { c, weights } }: FitState, k: number): Derivatives {
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

/** Loss, up to a constant, after the margins of output k have changed by a fraction of `moved`. */
function lossOf(
  { margins, labels, outputs, options: { c, weights } }: FitState,
  k: number,
  moved: Float64Array,
): (part: number) => number {
  const others = new Float64Array(labels.length);
  if (outputs > 1)
    for (let i = 0; i < labels.length; i += 1) {
      let top = -Infinity;
      for (let j = 0; j < outputs; j += 1) if (j !== k) top = Math.max(top, margins[i * outputs + j]);
      let sum = 0;
      for (let j = 0; j < outputs; j += 1) if (j !== k) sum += Math.exp(margins[i * outputs + j] - top);
      others[i] = top + Math.log(sum);
    }
  return (part) => {
    let sum = 0;
    for (let i = 0; i < labels.length; i += 1) {
      const own = margins[i * outputs + k] + part * moved[i];
      const top = Math.max(own, others[i]);
      const truth = labels[i] === (outputs === 1 ? 1 : k) ? own : others[i];
      sum += c * weights[i] * (top + Math.log1p(Math.exp(-Math.abs(own - others[i]))) - truth);
    }
    return sum;
  };
}

/** The part of a step, 1 or a power of ½, that does not raise the objective; 0 where none is found. */
function lineSearch(
  next: Pick<Descent, 'beta'>,
  beta: Float64Array,
  lossAt: (part: number) => number,
  { ratio }: ElasticNetOptions,
): number {
  const objective = (part: number): number => {
    let penalty = 0;
    for (let j = 0; j < beta.length; j += 1) {
      const value = beta[j] + part * (next.beta[j] - beta[j]);
      penalty += ratio * Math.abs(value) + 0.5 * (1 - ratio) * value * value;
    }
    return lossAt(part) + penalty;
  };
  const most = objective(0) * (1 + 1e-12);
  let part = 1;
  for (let n = 0; n < halvings; n += 1, part /= 2) if (objective(part) <= most) return part;
  return 0;
}

interface Descent {
  readonly beta: Float64Array;
  readonly bias: number;
  /** How far each trial's margin moves. */
  readonly moved: Float64Array;
  /** Largest change of a margin's scale. */
  readonly change: number;
}

/** A quadratic approximation of the loss, and the current point of the coordinate descent on it. */
interface Approximation {
  readonly columns: Float64Array;
  readonly curvatures: Float64Array;
  readonly ratio: number;
  /** Sum of the curvatures. */
  readonly total: number;
  /** Curvature along each coordinate; below 0 until it is first computed. */
  readonly own: Float64Array;
  /** Slope by the margin of each trial. */
  readonly residual: Float64Array;
  readonly beta: Float64Array;
  readonly moved: Float64Array;
  bias: number;
}

/** Moves one coordinate to the minimum of the approximation. Returns the size of the step, on the scale of a margin. */
function step(at: Approximation, j: number): number {
  const { columns, curvatures, ratio, own, residual, beta, moved } = at;
  const trials = residual.length;
  const from = j * trials;
  if (own[j] < 0) {
    let sum = 0;
    for (let i = 0; i < trials; i += 1) sum += curvatures[i] * columns[from + i] * columns[from + i];
    own[j] = sum;
  }
  let gradient = 0;
  for (let i = 0; i < trials; i += 1) gradient += residual[i] * columns[from + i];
  const target = own[j] * beta[j] - gradient;
  const next = (Math.sign(target) * Math.max(0, Math.abs(target) - ratio)) / (own[j] + 1 - ratio || 1);
  const delta = next - beta[j];
  if (delta === 0) return 0;
  beta[j] = next;
  for (let i = 0; i < trials; i += 1) {
    residual[i] += curvatures[i] * delta * columns[from + i];
    moved[i] += delta * columns[from + i];
  }
  return Math.abs(delta) * Math.sqrt(own[j]);
}

/** `step` for the intercept. */
function shift(at: Approximation): number {
  const { curvatures, total, residual, moved } = at;
  let sum = 0;
  for (let i = 0; i < residual.length; i += 1) sum += residual[i];
  const delta = -sum / total;
  at.bias += delta;
  for (let i = 0; i < residual.length; i += 1) {
    residual[i] += curvatures[i] * delta;
    moved[i] += delta;
  }
  return Math.abs(delta) * Math.sqrt(total);
}

/** Coordinate descent on one quadratic approximation. `columns` [dimension × trials]: the features, transposed. */
function descend(
  columns: Float64Array,
  { slopes, curvatures }: Derivatives,
  start: { readonly beta: Float64Array; readonly bias: number },
  ratio: number,
): Descent {
  const dimension = start.beta.length;
  const at: Approximation = {
    columns,
    curvatures,
    ratio,
    total: curvatures.reduce((a, b) => a + b, 0),
    own: new Float64Array(dimension).fill(-1),
    residual: slopes,
    beta: start.beta.slice(),
    moved: new Float64Array(slopes.length),
    bias: start.bias,
  };
  let largest = 0;
  for (let sweep = 0; sweep < innerSweeps; sweep += 1) {
    let change = shift(at);
    for (let j = 0; j < dimension; j += 1) change = Math.max(change, step(at, j));
    largest = Math.max(largest, sweep === 0 ? change : 0);
    if (change < tolerance) break;
    const active = activeOf(at.beta);
    for (let inner = 0; inner < innerSweeps; inner += 1) {
      let own = shift(at);
      for (const j of active) own = Math.max(own, step(at, j));
      if (own < tolerance) break;
    }
  }
  return { beta: at.beta, bias: at.bias, moved: at.moved, change: largest };
}

function activeOf(beta: Float64Array): number[] {
  const active: number[] = [];
  for (let j = 0; j < beta.length; j += 1) if (beta[j] !== 0) active.push(j);
  return active;
}
