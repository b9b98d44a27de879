import { describe, expect, it } from 'vitest';
import {
  bandpassSos,
  detrend,
  padLengthOf,
  resample,
  resampledLength,
  rationalOf,
  sosfiltfilt,
  welch,
  welchOf,
} from '../../ml/signal/index.ts';
import golden from './golden/numerics.json' with { type: 'json' };
import { noise, recording, relativeError } from './noise.ts';

/** Forward and backward over an odd extension, each section started where it rests for its first input. */
function plainly(sos: Float64Array, x: readonly number[]): number[] {
  const pad = padLengthOf(sos, x.length);
  const mirrored = (i: number): number =>
    i < 0 ? 2 * x[0] - x[-i] : i < x.length ? x[i] : 2 * x.at(-1)! - x[2 * (x.length - 1) - i];
  let y = Array.from({ length: x.length + 2 * pad }, (_, i) => mirrored(i - pad));
  for (let way = 0; way < 2; way += 1) {
    for (let s = 0; s < sos.length; s += 6) {
      const [b0, b1, b2, , a1, a2] = sos.subarray(s, s + 6);
      const rest = (y[0] * (b0 + b1 + b2)) / (1 + a1 + a2);
      const out: number[] = [];
      y.forEach((v, i) => {
        const [v1, v2] = [y[i - 1] ?? y[0], y[i - 2] ?? y[0]];
        out.push(b0 * v + b1 * v1 + b2 * v2 - a1 * (out[i - 1] ?? rest) - a2 * (out[i - 2] ?? rest));
      });
      y = out;
    }
    y.reverse();
  }
  return y.slice(pad, pad + x.length);
}

const double = (x: Float32Array): Float64Array => Float64Array.from(x);

describe('signal, against SciPy 1.17', () => {
  it.each(golden.butter)(
    'designs the Butterworth sections of $low–$high Hz, order $order at $rate Hz',
    ({ low, high, order, rate, sos }) => {
      const own = bandpassSos(low, high, order, rate);
      expect(own.length).toBe(sos.length);
      own.forEach((value, i) => expect(Math.abs(value - sos[i])).toBeLessThan(1e-10 * Math.max(1, Math.abs(sos[i]))));
      expect(Math.abs(own[0] / sos[0] - 1)).toBeLessThan(1e-8);
    },
  );

  it.each(golden.filtfilt)('filters $low–$high Hz without phase shift', ({ low, high, order, rate, y }) => {
    const own = sosfiltfilt(bandpassSos(low, high, order, rate), recording(1, 3, 90, 7), 3, 90);
    expect(relativeError(own, y)).toBeLessThan(1e-8);
  });

  it.each([
    [8, 12, 1],
    [8, 12, 2],
    [8, 12, 3],
    [4, 40, 5],
    [null, 20, 3],
    [2, null, 4],
  ])('filters %s–%s Hz of order %s like a plain cascade of its sections', (low, high, order) => {
    const sos = bandpassSos(low, high, order, 256);
    for (const [rows, samples] of [
      [3, 90],
      [13, 101],
    ]) {
      const x = recording(1, rows, samples, 7).map((v) => v + 1000);
      const own = sosfiltfilt(sos, x, rows, samples);
      for (let row = 0; row < rows; row += 1) {
        const plain = plainly(sos, [...x.subarray(row * samples, (row + 1) * samples)]);
        expect(relativeError(own.subarray(row * samples, (row + 1) * samples), plain)).toBeLessThan(1e-9);
      }
    }
  });

  it.each([
    [1, 450, 1000],
    [1, 115, 256],
  ])('keeps its digits in a band of order 8 from %s to %s Hz at %s Hz', (low, high, rate) => {
    const sos = bandpassSos(low, high, 8, rate);
    const x = Float64Array.from(noise(2_000, 8), (v) => 100 * v);
    expect(relativeError(sosfiltfilt(sos, x, 1, x.length), plainly(sos, [...x]))).toBeLessThan(1e-11);
  });

  it('filters trials shorter than the usual extension', () => {
    for (const samples of [1, 2, 5, 20]) {
      const own = sosfiltfilt(bandpassSos(8, 32, 4, 256), recording(1, 2, samples, 7), 2, samples);
      expect(own.every(Number.isFinite)).toBe(true);
    }
  });

  it.each(golden.resample)('resamples $samples samples from $rate Hz', ({ rate, samples, length, y }) => {
    const own = resample(recording(1, 2, samples, 11), 2, samples, rate, 256);
    expect(own.samples).toBe(length);
    expect(resampledLength(samples, rate, 256)).toBe(length);
    expect(relativeError(own.data, y)).toBeLessThan(1e-7);
  });

  it.each([125, 250, 300, 500, 512, 1000, 2048])('keeps an offset of 20 mV at %d Hz constant', (rate) => {
    const flat = resample(new Float32Array(rate).fill(20_000), 1, rate, rate, 256).data;
    expect(Math.max(...flat) - Math.min(...flat)).toBeLessThan(0.01);
    const signal = recording(1, 1, rate, 11);
    const [near, far] = [0, 20_000].map(
      (offset) =>
        resample(
          signal.map((value) => value + offset),
          1,
          rate,
          rate,
          256,
        ).data,
    );
    near!.forEach((value, i) => expect(Math.abs(far![i]! - 20_000 - value)).toBeLessThan(0.01));
  });

  it('finds the ratio of odd rates', () => {
    expect(rationalOf(256 / 250)).toEqual({ up: 128, down: 125 });
    expect(rationalOf(256 / 160)).toEqual({ up: 8, down: 5 });
    expect(rationalOf(256 / 256.41025641025641)).toEqual({ up: 624, down: 625 });
    expect(rationalOf(1)).toEqual({ up: 1, down: 1 });
    for (const rate of [50, 99.97, 173.61, 500.03, 5000]) {
      const { up, down } = rationalOf(256 / rate);
      expect(Math.abs(up / down / (256 / rate) - 1)).toBeLessThan(1e-6);
    }
  });

  it.each(['linear', 'constant'] as const)('removes a %s trend', (type) => {
    expect(relativeError(detrend(recording(1, 2, 200, 5), 2, 200, type), golden.detrend[type])).toBeLessThan(1e-10);
  });

  it('takes periodograms and Welch spectra', () => {
    const x = double(recording(1, 2, 200, 5));
    expect(
      relativeError(welch(x, 2, 200, 256, { segment: 200, overlap: 0, window: 'boxcar' }).power, golden.periodogram),
    ).toBeLessThan(1e-9);
    for (const { segment, average, window, y } of golden.welch) {
      const options = { segment, average: average as 'mean', window: window as 'hann' };
      expect(relativeError(welch(x, 2, 200, 256, options).power, y)).toBeLessThan(1e-9);
    }
  });

  it('computes Welch spectra of segments of any length, with kernels and without', () => {
    const x = recording(1, 3, 200, 5);
    for (const segment of [1, 2, 3, 4, 8, 64, 100, 128]) {
      const options = { segment, window: 'hann' } as const;
      const [ours, plain] = [welchOf(x, 3, 200, 256, options), welch(double(x), 3, 200, 256, options)];
      expect(ours.frequenciesHz).toEqual(plain.frequenciesHz);
      const scale = Math.max(...plain.power);
      for (const [at, value] of ours.power.entries())
        if (Number.isFinite(plain.power[at]))
          expect(Math.abs(value - plain.power[at]!)).toBeLessThanOrEqual(1e-9 * scale);
    }
  });

  it('refuses edges outside the band of the signal', () => {
    expect(() => bandpassSos(8, 130, 4, 256)).toThrow('130 Hz');
    expect(() => bandpassSos(32, 8, 4, 256)).toThrow('not below');
  });
});
