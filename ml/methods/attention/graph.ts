import type { Tensor, Tensor2D } from '@tensorflow/tfjs';
import type { ParametersOf } from '../descent/adam.ts';
import { within } from '../descent/tensors.ts';
import type { Tensors } from '../descent/tensors.ts';

export interface AttentionShape {
  readonly tokens: number;
  /** Values of a token. */
  readonly rank: number;
  readonly hidden: number;
  readonly classes: number;
}

/**
 * Learned parameters, float64: attend [rank × hidden], shift [hidden], score [hidden], weights [rank × classes], bias
 * [classes].
 */
export type Parameters = ParametersOf<'attend' | 'shift' | 'score' | 'weights' | 'bias'>;

/** Trials as constants of the graph. */
export interface Batch {
  readonly rows: number;
  /** [rows·tokens × rank] */
  readonly x: Tensor2D;
  /** `x` transposed, [rank × rows·tokens]. */
  readonly turned: Tensor2D;
  /** [rows × classes]: the trial's weight in the column of its class. */
  readonly targets: Tensor2D;
}

/** Added to the score of a masked token. */
export const leftOut = -1e4;

export interface AttentionGraph {
  /** Mean loss and its gradients; `mask` [rows × tokens] is added to the scores of the tokens. */
  lossAndGradients(
    parameters: Parameters,
    batch: Batch,
    mask: Float32Array | null,
  ): { loss: number; gradients: Parameters };
  /** Log-probabilities [rows × classes]. */
  logProbabilities(parameters: Parameters, batch: Batch): Float32Array;
}

/**
 * Softmax over tokens of score · tanh(attendᵀ·x + shift) → weighted mean of the tokens → dense → softmax (Ilse, Tomczak
 * & Welling 2018, ICML), of products of matrices and functions of single numbers, whose gradients every backend has.
 */
export function createAttention(tf: Tensors, { tokens, rank, hidden, classes }: AttentionShape): AttentionGraph {
  const logs = (
    [attend, shift, score, weights, bias]: readonly Tensor[],
    { rows, x, turned }: Batch,
    mask: Float32Array | null,
  ): Tensor2D => {
    const along = tf.customGrad((by) => ({
      value: tf.matMul(x, by as Tensor2D),
      gradFunc: (slope) => tf.matMul(turned, slope as Tensor2D),
    }));
    const seen = tf.tanh(tf.add(along(attend), shift)) as Tensor2D;
    const scores = tf.reshape(tf.matMul(seen, score as Tensor2D), [rows, tokens]);
    const attention = tf.softmax(mask ? tf.add(scores, tf.tensor2d(mask, [rows, tokens])) : scores);
    const pooled = tf.matMul(tf.reshape(attention, [rows, 1, tokens]), tf.reshape(x, [rows, tokens, rank]));
    const own = tf.reshape(pooled, [rows, rank]) as Tensor2D;
    return tf.logSoftmax(tf.add(tf.matMul(own, weights as Tensor2D), bias)) as Tensor2D;
  };
  const asTensors = ({ attend, shift, score, weights, bias }: Parameters): Tensor[] => [
    tf.tensor2d(Float32Array.from(attend), [rank, hidden]),
    tf.tensor1d(Float32Array.from(shift)),
    tf.tensor2d(Float32Array.from(score), [hidden, 1]),
    tf.tensor2d(Float32Array.from(weights), [rank, classes]),
    tf.tensor1d(Float32Array.from(bias)),
  ];
  return {
    lossAndGradients: (parameters, batch, mask) =>
      within(tf, () => {
        const loss = (...values: Tensor[]): Tensor =>
          tf.mul(tf.sum(tf.mul(logs(values, batch, mask), batch.targets)), -1 / batch.rows);
        const { value, grads } = tf.valueAndGrads(loss)(asTensors(parameters));
        const [attend, shift, score, weights, bias] = grads.map((own) => Float64Array.from(own.dataSync()));
        return { loss: value.dataSync()[0], gradients: { attend, shift, score, weights, bias } };
      }),
    logProbabilities: (parameters, batch) =>
      within(tf, () => logs(asTensors(parameters), batch, null).dataSync<'float32'>().slice()),
  };
}
