import { framePower } from '../../ml/encoders/robust-sleep-net/log-power.ts';
import { at60Hz, type Signals } from '../../ml/encoders/robust-sleep-net/sixty-hertz.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';
import { resamplePoly } from './resample-poly.ts';

/**
 * What the authors of RobustSleepNet do with a recording, where the service, which sees trials, does otherwise: rates
 * are changed with zeros outside the ends, each channel is scaled to its quartiles, and log powers are standardised by
 * the trials that are read together.
 */
export type Groups = readonly ArrayLike<number>[];

/** Each of `trials` trials as a group of its own. */
const alone = (trials: number): Groups => Array.from({ length: trials }, (_, row) => [row]);

/** Log power of one recording, given as one trial. */
export function publishedLogPower(recording: Signals): GraphTensor {
  const { data, samples } = at60Hz(recording, resamplePoly);
  robustScale(data, [0], { channels: recording.channels, samples });
  return framePower(data, 1, recording.channels, samples);
}

/** Spans of the lower and upper half of the middle that the signal is clipped to, and the least range. */
const [widest, least] = [40, 1e-5];

/**
 * Scales each channel of `rows` (trials of one recording) in place: clipped to 40 times the distance from quartile to
 * median on either side, then without its median, in units of its interquartile range.
 *
 * @param data [trials × channels × samples]
 */
export function robustScale(
  data: Float32Array,
  rows: ArrayLike<number>,
  { channels, samples }: { readonly channels: number; readonly samples: number },
): void {
  const all = new Float32Array(rows.length * samples);
  for (let channel = 0; channel < channels; channel++) {
    const at = (i: number): number => (rows[i] * channels + channel) * samples;
    for (let i = 0; i < rows.length; i++) all.set(data.subarray(at(i), at(i) + samples), i * samples);
    all.sort();
    const [low, middle, high] = quartilesOf(all);
    const [bottom, top] = [-widest * (middle - low), widest * (high - middle)];
    const clip = (value: number): number => Math.min(Math.max(value, bottom), top);
    const [q25, median, q75] = quartilesOf(all, clip);
    const range = q75 - q25 || least;
    for (let i = 0; i < rows.length; i++)
      for (let k = at(i); k < at(i) + samples; k++) data[k] = (clip(data[k]) - median) / range;
  }
}

/** Quartiles of sorted numbers, between neighbours in proportion, of what `seen` makes of each (a rising function). */
function quartilesOf(sorted: Float32Array, seen = (value: number): number => value): [number, number, number] {
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return seen(sorted[below]) + (place - below) * (seen(sorted[above]) - seen(sorted[below]));
  };
  return [at(0.25), at(0.5), at(0.75)];
}

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
export function standardise(power: GraphTensor, groups: Groups = alone(power.dims[0]!)): GraphTensor {
  const to = new Float32Array(power.data.length);
  for (const rows of groups) standardiseBy(power, rows, statisticsOf(power, rows), to);
  return { dims: power.dims, data: to };
}
