import { createFft, resample } from '../../signal/index.ts';
import type { Trials } from '../../types.ts';
import type { GraphTensor } from '../types.ts';
import { sizes } from './cells.ts';
import { stepCounts } from './graphs.ts';

/** Input: microvolts at `rateHz`, [trials × channels × samples]. */
export type Signals = Pick<Trials, 'data' | 'trials' | 'channels' | 'samples' | 'rateHz'>;

/** Rate of the model, and so the samples of a step of one second. */
const rate = 200;
const longest = stepCounts.length;
const [mean, deviation] = [3.808460947197539, 1.5516092967049024];
const rowsAtOnce = 256;

export interface LogSpectrum {
  /** [trials · windows, channels, steps, 100] */
  readonly features: GraphTensor;
  /** Windows of each trial. */
  readonly windows: number;
  /** Steps of each window: the graph `nodes1` … `nodes4` reads them. */
  readonly steps: number;
}

/**
 * Input of DCRNN from trials: the standardised log amplitude of each second, from 0 to 99 Hz in steps of 1 Hz, after
 * common average reference and without the mean of each window. Trials of 4 s or more are cut into consecutive windows
 * of 4 s, and the rest at the end is not read. A shorter trial is one window of its whole seconds.
 *
 * @param trials microvolts at any rate
 * @param floor least amplitude in microvolts; protects empty bins above half of the source's rate
 * @throws RangeError if a trial is shorter than a second
 */
export function logSpectrum({ data, trials, channels, samples, rateHz }: Signals, floor = 1): LogSpectrum {
  const seconds = Math.floor(samples / rateHz);
  if (seconds < 1)
    throw new RangeError(
      `A trial of ${samples} samples at ${rateHz} Hz is too short for DCRNN, which reads whole seconds.`,
    );
  const steps = Math.min(seconds, longest);
  const windows = Math.floor(seconds / steps);
  const size = steps * sizes.bins;
  const out = new Float32Array(trials * windows * channels * size);
  const write = amplitudes(floor);
  const together = Math.max(1, Math.floor(rowsAtOnce / channels));
  for (let from = 0; from < trials; from += together) {
    const count = Math.min(together, trials - from);
    const own = data.subarray(from * channels * samples, (from + count) * channels * samples);
    const at200 = resample(own, count * channels, samples, rateHz, rate);
    for (let trial = 0; trial < count; trial++) {
      commonAverage(at200.data, trial * channels * at200.samples, channels, at200.samples);
      for (let w = 0; w < windows; w++)
        for (let c = 0; c < channels; c++)
          write(
            at200.data,
            (trial * channels + c) * at200.samples + w * steps * rate,
            steps,
            out,
            (((from + trial) * windows + w) * channels + c) * size,
          );
    }
  }
  return { features: { dims: [trials * windows, channels, steps, sizes.bins], data: out }, windows, steps };
}

/** Subtracts the mean of the channels from each of them. A single channel has no common reference and stays. */
function commonAverage(data: Float32Array, at: number, channels: number, samples: number): void {
  if (channels === 1) return;
  for (let i = at; i < at + samples; i++) {
    let sum = 0;
    for (let c = 0; c < channels; c++) sum += data[i + c * samples];
    for (let c = 0; c < channels; c++) data[i + c * samples] -= sum / channels;
  }
}

type Write = (x: Float32Array, at: number, steps: number, to: Float32Array, out: number) => void;

/** Writes the amplitudes [steps × 100] of the window that begins at `at`. */
function amplitudes(floor: number): Write {
  const fft = createFft(rate);
  const [re, im] = [new Float64Array(rate), new Float64Array(rate)];
  const standard = (squared: number): number => (Math.log(Math.max(Math.sqrt(squared), floor)) - mean) / deviation;
  return (x, at, steps, to, out) => {
    let sum = 0;
    for (let i = 0; i < steps * rate; i++) sum += x[at + i];
    const level = sum / (steps * rate);
    for (let a = 0; a < steps; a += 2) {
      // One transform computes two steps, as its real and imaginary parts.
      const b = Math.min(a + 1, steps - 1);
      for (let i = 0; i < rate; i++) {
        re[i] = x[at + a * rate + i] - level;
        im[i] = x[at + b * rate + i] - level;
      }
      fft(re, im);
      for (let k = 0; k < sizes.bins; k++) {
        const m = (rate - k) % rate;
        to[out + a * sizes.bins + k] = standard(((re[k] + re[m]) ** 2 + (im[k] - im[m]) ** 2) / 4);
        to[out + b * sizes.bins + k] = standard(((im[k] + im[m]) ** 2 + (re[k] - re[m]) ** 2) / 4);
      }
    }
  };
}
