import { bandpassSos, resample, resampledLength, sosfiltfilt } from '../../signal/index.ts';
import type { Trials } from '../../types.ts';

/** Input: microvolts at `rateHz`, [trials × channels × samples]. */
export type Signals = Pick<Trials, 'data' | 'trials' | 'channels' | 'samples' | 'rateHz'>;

/** Sampling rate of the training data, and the rate that its filter is designed for. */
const [targetHz, filterHz] = [60, 100];
const [lowHz, highHz, order, padLength] = [0.2, 30, 2, 15];
const rowsAtOnce = 256;

/** Changes the rate of rows, as `resample` does. */
export type ChangeRate = typeof resample;

/**
 * Resamples each trial by itself to 100 Hz, band-passes it from 0.2 to 30 Hz forward and backward, and resamples to 60
 * Hz: microvolts, [trials × channels × samples]. Training resampled whole nights with zeros outside of them. A trial is
 * cut out of its recording, so `resample` continues it at both ends. The two agree away from the ends.
 */
export function at60Hz(
  { data, trials, channels, samples, rateHz }: Signals,
  changeRate: ChangeRate = resample,
): { data: Float32Array; samples: number } {
  const sos = bandpassSos(lowHz, highHz, order, filterHz);
  const length = resampledLength(resampledLength(samples, rateHz, filterHz), filterHz, targetHz);
  const rows = trials * channels;
  const out = new Float32Array(rows * length);
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, rows - from);
    const own = data.subarray(from * samples, (from + count) * samples);
    const at100 = changeRate(own, count, samples, rateHz, filterHz);
    const band = Float32Array.from(sosfiltfilt(sos, at100.data, count, at100.samples, padLength));
    out.set(changeRate(band, count, at100.samples, filterHz, targetHz).data, from * length);
  }
  return { data: out, samples: length };
}
