import type { Tensor, Tensor2D, Tensor3D } from '@tensorflow/tfjs';
import type { ParametersOf } from '../descent/adam.ts';
import { within } from '../descent/tensors.ts';
import type { Tensors } from '../descent/tensors.ts';

export interface NetworkShape {
  readonly bands: number;
  readonly rank: number;
  /** Filters of each band. */
  readonly count: number;
  readonly classes: number;
}

/** Learned parameters, float64: filters [bands·count × rank], weights [bands·count × classes], bias [classes]. */
export type Parameters = ParametersOf<'filters' | 'weights' | 'bias'>;

/** Fixed standardisation of the log powers: shift and gain, [bands·count] each. */
export interface Standard {
  readonly mean: Float64Array;
  readonly gain: Float64Array;
}

/** Trials as constants of the graph. */
export interface Batch {
  readonly rows: number;
  /** [bands × rank(rank+1)/2 × rows] */
  readonly covariances: Tensor3D;
  /** [rows × classes]: the trial's weight in the column of its class. */
  readonly targets: Tensor2D;
}

/** Lower limit of a filter's power; powers are about 1 after whitening. */
export const floor = 1e-6;

export interface Network {
  /** Loss and its gradients; `mask` [bands·count × rows] multiplies the standardised log powers (dropout). */
  lossAndGradients(
    parameters: Parameters,
    batch: Batch,
    mask: Float32Array | null,
  ): { loss: number; gradients: Parameters };
  /** Log powers [bands·count × rows] before standardising. */
  logPowers(filters: Float64Array, batch: Batch): Float32Array;
  /** Log-probabilities [rows × classes]. */
  logProbabilities(parameters: Parameters, batch: Batch): Float32Array;
}

/**
 * log(uᵀ·C·u) of every filter in every band → fixed standardisation → dense → softmax. Written as products of matrices:
 * uᵀ·C·u is the product of C's upper triangle with that of u·uᵀ, so the backend needs no gradient but that of matMul.
 * `standard` is read at each call.
 */
export function createNetwork(tf: Tensors, { bands, rank, count, classes }: NetworkShape, standard: Standard): Network {
  const units = bands * count;
  const half = (rank * (rank + 1)) / 2;
  const fold = foldTriangle(rank);

  const column = (values: Float64Array): Tensor2D => tf.tensor2d(Float32Array.from(values), [units, 1]);
  const powers = (filters: Tensor, { covariances, rows }: Batch): Tensor2D => {
    const outer = tf.reshape(tf.mul(tf.reshape(filters, [units, rank, 1]), tf.reshape(filters, [units, 1, rank])), [
      units,
      rank * rank,
    ]);
    const forms = tf.reshape(tf.matMul(outer, tf.tensor2d(fold, [rank * rank, half])), [bands, count, half]);
    return tf.reshape(tf.log(tf.add(tf.matMul(forms, covariances as Tensor), floor)), [units, rows]);
  };
  const logits = ([filters, weights, bias]: readonly Tensor[], batch: Batch, mask: Float32Array | null): Tensor2D => {
    const z = tf.mul(tf.sub(powers(filters, batch), column(standard.mean)), column(standard.gain));
    const kept = mask ? tf.mul(z, tf.tensor2d(mask, [units, batch.rows])) : z;
    return tf.logSoftmax(tf.add(tf.matMul(kept as Tensor2D, weights as Tensor2D, true), bias)) as Tensor2D;
  };
  const asTensors = ({ filters, weights, bias }: Parameters): Tensor[] => [
    tf.tensor2d(Float32Array.from(filters), [units, rank]),
    tf.tensor2d(Float32Array.from(weights), [units, classes]),
    tf.tensor1d(Float32Array.from(bias)),
  ];

  return {
    lossAndGradients: (parameters, batch, mask) =>
      within(tf, () => {
        const loss = (...values: Tensor[]): Tensor =>
          tf.mul(tf.sum(tf.mul(logits(values, batch, mask), batch.targets)), -1 / batch.rows);
        const { value, grads } = tf.valueAndGrads(loss)(asTensors(parameters));
        const [filters, weights, bias] = grads.map((gradient) => Float64Array.from(gradient.dataSync()));
        return { loss: value.dataSync()[0], gradients: { filters, weights, bias } };
      }),
    logPowers: (filters, batch) =>
      within(tf, () =>
        powers(tf.tensor2d(Float32Array.from(filters), [units, rank]), batch)
          .dataSync<'float32'>()
          .slice(),
      ),
    logProbabilities: (parameters, batch) =>
      within(tf, () => logits(asTensors(parameters), batch, null).dataSync<'float32'>().slice()),
  };
}

/** [rank² × rank(rank+1)/2]: adds the lower triangle of a symmetric matrix to its upper triangle. */
function foldTriangle(rank: number): Float32Array {
  const half = (rank * (rank + 1)) / 2;
  const out = new Float32Array(rank * rank * half);
  for (let i = 0, column = 0; i < rank; i += 1) {
    for (let j = i; j < rank; j += 1, column += 1)
      out[(i * rank + j) * half + column] = out[(j * rank + i) * half + column] = 1;
  }
  return out;
}
