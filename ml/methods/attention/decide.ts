import { decideLinear } from '../../classify/linear.ts';
import { matmulByRows } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';

/** A trained attention head. Plain data. */
export interface AttentionHead {
  /** Values of a token. */
  readonly width: number;
  /** [hidden × width] */
  readonly attend: Float64Array;
  /** [hidden] */
  readonly shift: Float64Array;
  /** [hidden] */
  readonly score: Float64Array;
  /** [classes × width] */
  readonly weights: Float64Array;
  /** [classes] */
  readonly bias: Float64Array;
}

/** Most values of trials in one product; limits its memory. */
const chunk = 500_000;

/**
 * Log-probabilities [rows × classes] of trials x [rows × tokens·width]. The weight of a token is softmax(score ·
 * tanh(attend · token + shift)) over the tokens of a trial, and a dense layer reads their weighted mean. In float64; a
 * row has the same bits alone and among others.
 *
 * Source: Ilse, Tomczak & Welling 2018, ICML.
 */
export function decideAttention(head: AttentionHead, { data: x, columns: dimension }: Matrix): Float64Array {
  const rows = x.length / dimension;
  const pooled = new Float64Array(rows * head.width);
  const some = Math.max(1, Math.floor(chunk / dimension));
  for (let i = 0; i < rows; i += some)
    addMeanTokens(head, x.subarray(i * dimension, (i + some) * dimension), dimension, pooled.subarray(i * head.width));
  return toLogProbabilities(decideLinear({ weights: head.weights, bias: head.bias }, pooled), head.bias.length);
}

/** Weighted means of the tokens of each trial, [rows × width], added to `out`. */
function addMeanTokens(
  { width, attend, shift, score }: AttentionHead,
  x: Float64Array,
  dimension: number,
  out: Float64Array,
): void {
  const [tokens, hidden] = [dimension / width, shift.length];
  const seen = matmulByRows(matrixOf(x, width), matrixOf(attend, width, hidden)).data;
  const attention = new Float64Array(tokens);
  for (let i = 0; i < x.length / dimension; i += 1) {
    let top = -Infinity;
    for (let t = 0; t < tokens; t += 1) {
      const at = (i * tokens + t) * hidden;
      attention[t] = 0;
      for (let h = 0; h < hidden; h += 1) attention[t] += score[h] * Math.tanh(seen[at + h] + shift[h]);
      top = Math.max(top, attention[t]);
    }
    let total = 0;
    for (let t = 0; t < tokens; t += 1) total += attention[t] = Math.exp(attention[t] - top);
    for (let t = 0; t < tokens; t += 1)
      for (let j = 0, at = i * dimension + t * width; j < width; j += 1)
        out[i * width + j] += (attention[t] / total) * x[at + j];
  }
}

/** Log-softmax of log-scores [rows × classes], in place. */
function toLogProbabilities(scores: Float64Array, classes: number): Float64Array {
  for (let i = 0; i < scores.length; i += classes) {
    const own = scores.subarray(i, i + classes);
    const top = own.reduce((a, b) => Math.max(a, b));
    const total = Math.log(own.reduce((sum, v) => sum + Math.exp(v - top), 0)) + top;
    for (let k = 0; k < classes; k += 1) own[k] -= total;
  }
  return scores;
}
