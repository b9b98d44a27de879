import { createFft } from './fft.ts';
import type { Fft } from './fft.ts';

/** One-sided power spectral density: power [rows × bins], in µV²/Hz of a signal in µV, at frequenciesHz [bins]. */
export interface Spectrum {
  readonly frequenciesHz: Float64Array;
  readonly power: Float64Array;
}

export interface WelchOptions {
  /** Samples of a segment, at most those of a row; default 256. */
  readonly segment?: number;
  /** Samples that two segments share; half a segment by default. */
  readonly overlap?: number;
  readonly window?: keyof typeof windows;
  readonly average?: 'mean' | 'median';
}

/** Periodic (DFT-even) windows of n points, by id. */
export const windows: Readonly<Record<'boxcar' | 'hann' | 'hamming', (n: number) => Float64Array>> = {
  boxcar: (n) => new Float64Array(n).fill(1),
  hann: (n) => cosineWindow(n, 0.5),
  hamming: (n) => cosineWindow(n, 0.54),
};

/**
 * Welch's power spectral density of rows [rows × samples], as scipy.signal.welch; by default Hamming windows and the
 * mean over segments.
 */
export function welch(
  data: Float32Array | Float64Array,
  rows: number,
  samples: number,
  rateHz: number,
  options: WelchOptions = {},
): Spectrum {
  const segment = Math.min(options.segment ?? 256, samples);
  const step = segment - Math.min(options.overlap ?? segment >> 1, segment - 1);
  const count = Math.floor((samples - segment) / step) + 1;
  const bins = (segment >> 1) + 1;
  const window = windows[options.window ?? 'hamming'](segment);
  const density = 1 / (rateHz * window.reduce((sum, w) => sum + w * w, 0));
  const transform = segmentPower(window);
  const power = new Float64Array(rows * bins);
  const parts = new Float64Array(count * bins);
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < count; i += 2) {
      const [a, b] = [i, Math.min(i + 1, count - 1)];
      transform(
        [data.subarray(row * samples + a * step), data.subarray(row * samples + b * step)],
        [parts.subarray(a * bins), parts.subarray(b * bins)],
      );
    }
    combine(parts, bins, options.average ?? 'mean', power.subarray(row * bins, (row + 1) * bins));
    for (let k = 0; k < bins; k++) power[row * bins + k] *= density * (k === 0 || 2 * k === segment ? 1 : 2);
  }
  return { frequenciesHz: Float64Array.from({ length: bins }, (_, k) => (k * rateHz) / segment), power };
}

function cosineWindow(n: number, a: number): Float64Array {
  return n === 1
    ? new Float64Array([1])
    : Float64Array.from({ length: n }, (_, i) => a - (1 - a) * Math.cos((2 * Math.PI * i) / n));
}

const plans = new Map<number, Fft>();

function planOf(length: number): Fft {
  const plan = plans.get(length) ?? createFft(length);
  if (plans.size < 32) plans.set(length, plan);
  return plan;
}

/** Writes the power of two real segments, computed as real and imaginary part of one transform. */
function segmentPower(window: Float64Array) {
  const n = window.length;
  const fft = planOf(n);
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  return ([a, b]: readonly (Float32Array | Float64Array)[], [outA, outB]: readonly Float64Array[]): void => {
    fill(re, a, window);
    fill(im, b, window);
    fft(re, im);
    for (let k = 0; 2 * k <= n; k++) {
      const m = k === 0 ? 0 : n - k;
      outA[k] = ((re[k] + re[m]) ** 2 + (im[k] - im[m]) ** 2) / 4;
      outB[k] = ((im[k] + im[m]) ** 2 + (re[k] - re[m]) ** 2) / 4;
    }
  };
}

/** Copies a segment, minus its mean, times the window. */
function fill(to: Float64Array, x: Float32Array | Float64Array, window: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < to.length; i++) sum += x[i];
  const mean = sum / to.length;
  for (let i = 0; i < to.length; i++) to[i] = (x[i] - mean) * window[i];
}

/** Mean or bias-corrected median of the segments [count × bins], written to `out` [bins]. */
function combine(parts: Float64Array, bins: number, how: 'mean' | 'median', out: Float64Array): void {
  const count = parts.length / bins;
  const column = new Float64Array(count);
  const bias = medianBias(count);
  for (let k = 0; k < bins; k++) {
    let sum = 0;
    for (let s = 0; s < count; s++) sum += column[s] = parts[s * bins + k];
    out[k] = how === 'mean' ? sum / count : medianOf(column) / bias;
  }
}

/** Median; sorts its argument. */
function medianOf(values: Float64Array): number {
  values.sort();
  const middle = values.length >> 1;
  return values.length % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/** Expected median of n exponential variables over their mean (Allen 2012, as scipy's median averaging). */
function medianBias(n: number): number {
  let bias = 1;
  for (let i = 2; i < n; i += 2) bias += 1 / (i + 1) - 1 / i;
  return bias;
}
