import { createFft } from './fft.ts';
import type { Fft } from './fft.ts';

/** One-sided power spectral density: power [rows × bins] in units²/Hz at frequenciesHz [bins]. */
export interface Spectrum {
  readonly frequenciesHz: Float64Array;
  readonly power: Float64Array;
}

export interface WelchOptions {
  /** Samples of a segment; the whole row at most. */
  readonly segment?: number;
  /** Samples two segments share; half a segment when absent. */
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
 * Welch's spectrum of rows [rows × samples] (scipy.signal.welch; Hamming windows, the mean over segments unless said
 * otherwise).
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
      transform(data, row * samples + a * step, row * samples + b * step, parts, a * bins, b * bins);
    }
    combine(parts, count, bins, options.average ?? 'mean', power, row * bins);
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

/** Powers of two real segments at once, as real and imaginary part of one transform. */
function segmentPower(window: Float64Array) {
  const n = window.length;
  const fft = planOf(n);
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  return (x: Float32Array | Float64Array, a: number, b: number, to: Float64Array, outA: number, outB: number): void => {
    fill(re, x, a, window);
    fill(im, x, b, window);
    fft(re, im);
    for (let k = 0; 2 * k <= n; k++) {
      const m = k === 0 ? 0 : n - k;
      to[outA + k] = ((re[k] + re[m]) ** 2 + (im[k] - im[m]) ** 2) / 4;
      to[outB + k] = ((im[k] + im[m]) ** 2 + (re[k] - re[m]) ** 2) / 4;
    }
  };
}

function fill(to: Float64Array, x: Float32Array | Float64Array, at: number, window: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < to.length; i++) sum += x[at + i];
  const mean = sum / to.length;
  for (let i = 0; i < to.length; i++) to[i] = (x[at + i] - mean) * window[i];
}

function combine(
  parts: Float64Array,
  count: number,
  bins: number,
  how: 'mean' | 'median',
  to: Float64Array,
  out: number,
): void {
  const column = new Float64Array(count);
  const bias = medianBias(count);
  for (let k = 0; k < bins; k++) {
    let sum = 0;
    for (let s = 0; s < count; s++) sum += column[s] = parts[s * bins + k];
    to[out + k] = how === 'mean' ? sum / count : medianOf(column) / bias;
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
