import { createFft } from '../../signal/index.ts';
import type { GraphTensor } from '../types.ts';
import { sizes } from './epochs.ts';

const [frame, step, loudest] = [128, 60, 20];
const [faintest, strongest] = [1e-20, 1e32];

/**
 * Input of RobustSleepNet from signals [trials × channels × samples] at 60 Hz: log10 power of frames of 128 samples,
 * one each second, in bins of 0.46875 Hz, [trials, channels, 65, frames]. Values beyond ±20 are clipped.
 *
 * @throws RangeError if a trial is shorter than a frame
 */
export function framePower(data: Float32Array, trials: number, channels: number, samples: number): GraphTensor {
  const { bins } = sizes;
  const frames = Math.floor((samples - frame) / step) + 1;
  if (frames < 1)
    throw new RangeError(
      `A trial of ${(samples / step).toFixed(2)} s is too short for RobustSleepNet, which reads frames of ` +
        `${(frame / step).toFixed(2)} s.`,
    );
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
      // One transform computes two frames, as its real and imaginary parts.
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

/** Hann window, zero at both ends, divided by its sum. */
function windowOf(length: number): Float64Array {
  const window = Float64Array.from({ length }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (length - 1)));
  const sum = window.reduce((total, w) => total + w, 0);
  return window.map((w) => w / sum);
}
