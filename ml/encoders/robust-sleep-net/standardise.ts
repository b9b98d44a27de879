import type { GraphTensor } from '../types.ts';
import { alone } from './log-power.ts';
import type { Groups } from './log-power.ts';

/** Mean and standard deviation (divisor count − 1) of each bin of each channel over frames: [channels × bins] each. */
export interface Statistics {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

const floor = 1e-15;

/** Statistics of log power [trials, channels, bins, frames] over all frames of `rows`. */
export function statisticsOf({ dims, data }: GraphTensor, rows: ArrayLike<number>): Statistics {
  const [, channels, bins, frames] = dims;
  const size = channels * bins;
  const count = rows.length * frames;
  const [mean, deviation] = [new Float64Array(size), new Float64Array(size)];
  const over = (i: number, add: (value: number) => void): void => {
    for (let r = 0; r < rows.length; r++)
      for (let f = 0, at = (rows[r] * size + i) * frames; f < frames; f++, at++) add(data[at]);
  };
  for (let i = 0; i < size; i++) {
    let sum = 0;
    over(i, (value) => (sum += value));
    mean[i] = sum / count;
    let squares = 0;
    over(i, (value) => (squares += (value - mean[i]) ** 2));
    deviation[i] = Math.sqrt(squares / Math.max(1, count - 1));
  }
  return { mean, deviation };
}

/** Log power of `rows` of `power` by given statistics, written to `to` where given (the same layout as `power`). */
export function standardiseBy(
  { dims, data }: GraphTensor,
  rows: ArrayLike<number>,
  { mean, deviation }: Statistics,
  to: Float32Array = data.slice(),
): GraphTensor {
  const [, channels, bins, frames] = dims;
  const size = channels * bins;
  for (let r = 0; r < rows.length; r++)
    for (let i = 0; i < size; i++)
      for (let f = 0, at = (rows[r] * size + i) * frames; f < frames; f++, at++)
        to[at] = (data[at] - mean[i]) / (deviation[i] + floor);
  return { dims, data: to };
}

/**
 * Log power [trials, channels, bins, frames] as the network takes it: each bin of each channel without its mean, in
 * units of its standard deviation, over all frames of the group that a trial is of. A trial alone keeps nothing of its
 * level and spectral shape.
 */
export function standardise(power: GraphTensor, groups: Groups = alone(power.dims[0])): GraphTensor {
  const to = new Float32Array(power.data.length);
  for (const rows of groups) standardiseBy(power, rows, statisticsOf(power, rows), to);
  return { dims: power.dims, data: to };
}
