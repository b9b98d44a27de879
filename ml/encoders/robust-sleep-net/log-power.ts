import { createFft, resample } from '../../signal/index.ts';
import type { GraphTensor } from '../types.ts';
import { sizes } from './epochs.ts';
import { robustScale } from './robust-scale.ts';
import { at60Hz, lengthAt60 } from './sixty-hertz.ts';
import type { ChangeRate, Signals } from './sixty-hertz.ts';

/** Rows that are read together, each group by itself: the trials of one recording, or each trial alone. */
export type Groups = readonly ArrayLike<number>[];

/** Shortest trial that holds a frame. */
export const shortestSeconds = 2.2;

const [frame, step, loudest] = [128, 60, 20];
const [faintest, strongest] = [1e-20, 1e32];

const framesOf = (samples: number): number => Math.floor((samples - frame) / step) + 1;

/** Frames of trials of this length. */
export const framesAt = (samples: number, rateHz: number): number => framesOf(lengthAt60(samples, rateHz));

/** Each of `trials` trials as a group of its own. */
export const alone = (trials: number): Groups => Array.from({ length: trials }, (_, row) => [row]);

/**
 * What RobustSleepNet reads of trials: [trials, channels, 65, frames], the power (log10) of frames of 128 samples at
 * 60 Hz, one a second, in bins of 0.46875 Hz. Each trial is filtered by itself; the trials of a group share median and
 * quartiles, to which their amplitude is set.
 *
 * @param trials microvolts at any rate
 * @param groups trials that are of one recording; each trial is in one of them
 * @throws RangeError where a trial is shorter than 2.2 seconds
 */
export function logPower(
  trials: Signals,
  groups: Groups = alone(trials.trials),
  changeRate: ChangeRate = resample,
): GraphTensor {
  const { channels, samples, rateHz } = trials;
  if (samples / rateHz < shortestSeconds)
    throw new RangeError(
      `A trial of ${(samples / rateHz).toFixed(2)} s is too short for RobustSleepNet, ` +
        `which reads ${shortestSeconds} s or more.`,
    );
  const at60 = at60Hz(trials, changeRate);
  for (const rows of groups) robustScale(at60.data, rows, { channels, samples: at60.samples });
  return framePower(at60.data, trials.trials, channels, at60.samples);
}

/** Log power [trials, channels, 65, frames] of scaled signals [trials × channels × samples] at 60 Hz. */
export function framePower(data: Float32Array, trials: number, channels: number, samples: number): GraphTensor {
  const { bins } = sizes;
  const frames = framesOf(samples);
  const dims = [trials, channels, bins, frames];
  const out = new Float32Array(trials * channels * bins * frames);
  const fft = createFft(frame);
  const window = windowOf(frame);
  const [re, im] = [new Float64Array(frame), new Float64Array(frame)];
  const fill = (to: Float64Array, at: number): void => {
    for (let i = 0; i < frame; i++) to[i] = (Math.min(Math.max(data[at + i], -loudest), loudest) / loudest) * window[i];
  };
  const write = (at: number, power: number): void => {
    out[at] = Math.log10(Math.min(Math.max(power, faintest), strongest));
  };
  for (let row = 0; row < trials * channels; row++)
    for (let a = 0; a < frames; a += 2) {
      // Two frames are the real and the imaginary part of one transform.
      const b = Math.min(a + 1, frames - 1);
      fill(re, row * samples + a * step);
      fill(im, row * samples + b * step);
      fft(re, im);
      for (let k = 0; k < bins; k++) {
        const m = (frame - k) % frame;
        const at = (row * bins + k) * frames;
        write(at + a, ((re[k] + re[m]) ** 2 + (im[k] - im[m]) ** 2) / 4);
        write(at + b, ((im[k] + im[m]) ** 2 + (re[k] - re[m]) ** 2) / 4);
      }
    }
  return { dims, data: out };
}

/** Hann's window, both ends at zero, divided by its sum. */
function windowOf(length: number): Float64Array {
  const window = Float64Array.from({ length }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (length - 1)));
  const sum = window.reduce((total, w) => total + w, 0);
  return window.map((w) => w / sum);
}
