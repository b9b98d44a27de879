import { solveSpd } from '../linalg/index.ts';
import { matrixOf, squareOf } from '../matrix.ts';
import { balancedWeights } from './linear.ts';

const mostSteps = 30;
/** A class that is less likely adds nothing to slope and curvature. */
const negligible = 1e-18;

/**
 * Conditional logit: the log-score of a class is Σ_f weight_f · x[trial, class, f]. All classes share the weights, so
 * their number does not grow with the classes. Features are scaled to unit size, their weights have a ridge penalty
 * of one, and all classes have the same total weight.
 *
 * @param x Features [trials × classes × features].
 * @param labels Class of each trial, an index below `classes`.
 * @returns Weights [features].
 *
 * Source: McFadden 1974.
 */
export function fitSharedWeights(x: Float64Array, labels: Int32Array, classes: number, features: number): Float64Array {
  const { z, scale } = standardised(x, classes, features);
  const balance = balancedWeights(labels, classes);
  let weights = new Float64Array(features);
  let at = slopesAt(z, labels, balance, weights, classes);
  for (let step = 0; step < mostSteps; step += 1) {
    const direction = solveSpd(squareOf(at.curvature, features), matrixOf(at.gradient, 1, features))?.data;
    if (!direction) break;
    const ahead = direction.reduce((sum, value, f) => sum + value * at.gradient[f], 0);
    if (ahead < 1e-9) break;
    let size = 1;
    let next = moved(size);
    while (next.at.loss > at.loss - 1e-4 * size * ahead && size > 1e-6) next = moved((size /= 2));
    if (next.at.loss >= at.loss) break;
    ({ weights, at } = next);

    function moved(by: number) {
      const to = weights.map((value, f) => value - by * direction![f]);
      return { weights: to, at: slopesAt(z, labels, balance, to, classes) };
    }
  }
  return weights.map((value, f) => value / scale[f]);
}

/**
 * Subtracts from each feature its mean over the classes of a trial, which does not affect the choice, and divides by
 * the root mean square; by 1 where that is 0.
 */
function standardised(x: Float64Array, classes: number, features: number): { z: Float64Array; scale: Float64Array } {
  const z = x.slice();
  const squares = new Float64Array(features);
  for (let row = 0; row < x.length; row += classes * features) {
    for (let f = 0; f < features; f += 1) {
      let mean = 0;
      for (let k = 0; k < classes; k += 1) mean += x[row + k * features + f] / classes;
      for (let k = 0; k < classes; k += 1) squares[f] += (z[row + k * features + f] -= mean) ** 2;
    }
  }
  const scale = squares.map((sum) => Math.sqrt(sum / Math.max(1, x.length / features)) || 1);
  for (let row = 0; row < z.length; row += features) for (let f = 0; f < features; f += 1) z[row + f] /= scale[f];
  return { z, scale };
}

interface Slopes {
  readonly loss: number;
  readonly gradient: Float64Array;
  readonly curvature: Float64Array;
}

/** Penalised log-loss at some weights, with its gradient and curvature. */
function slopesAt(
  z: Float64Array,
  labels: Int32Array,
  balance: Float64Array,
  weights: Float64Array,
  classes: number,
): Slopes {
  const features = weights.length;
  const gradient = weights.slice();
  const curvature = new Float64Array(features * features);
  for (let f = 0; f < features; f += 1) curvature[f * features + f] = 1;
  let loss = weights.reduce((sum, value) => sum + (value * value) / 2, 0);
  const mean = new Float64Array(features);
  const scores = new Float64Array(classes);
  const square = new Float64Array(features * features);
  for (let i = 0; i < labels.length; i += 1) {
    const row = i * classes * features;
    let top = -Infinity;
    for (let k = 0, at = row; k < classes; k += 1) {
      let sum = 0;
      for (let f = 0; f < features; f += 1, at += 1) sum += weights[f] * z[at];
      scores[k] = sum;
      top = Math.max(top, sum);
    }
    let total = 0;
    const own = scores[labels[i]];
    for (let k = 0; k < classes; k += 1) total += scores[k] = Math.exp(scores[k] - top);
    loss += balance[i] * (Math.log(total) + top - own);
    mean.fill(0);
    square.fill(0);
    for (let k = 0, at = row; k < classes; k += 1, at += features) {
      const share = scores[k] / total;
      if (share < negligible) continue;
      for (let f = 0; f < features; f += 1) {
        const part = share * z[at + f];
        mean[f] += part;
        for (let g = 0, to = f * features; g <= f; g += 1, to += 1) square[to] += part * z[at + g];
      }
    }
    const known = row + labels[i] * features;
    for (let f = 0; f < features; f += 1) {
      gradient[f] += balance[i] * (mean[f] - z[known + f]);
      for (let g = 0, to = f * features; g <= f; g += 1, to += 1)
        curvature[to] += balance[i] * (square[to] - mean[f] * mean[g]);
    }
  }
  for (let f = 0; f < features; f += 1)
    for (let g = 0; g < f; g += 1) curvature[g * features + f] = curvature[f * features + g];
  return { loss, gradient, curvature };
}
