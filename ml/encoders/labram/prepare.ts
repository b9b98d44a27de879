import { bandpassSos, detrend, resample, sosfiltfilt, type Sos } from '../../signal/index.ts';
import type { Trials } from '../../types.ts';
import type { GraphTensor } from '../types.ts';
import type { Reading } from './reading.ts';
import { patchSamples, rateHz, windowsOf } from './windows.ts';

/** Numbers of the graph are tenths of a millivolt. */
const microvoltsPerUnit = 100;

/** Notch at 50 Hz, 2 Hz wide where half the power passes (scipy.signal.iirnotch(50, 25, 200)). */
function notch50(): Sos {
  const half = Math.tan(Math.PI / 2 / 25 / 2);
  const gain = 1 / (1 + half);
  return Float64Array.of(gain, 0, gain, 1, 0, 2 * gain - 1);
}

const filters = Float64Array.of(...bandpassSos(null, 75, 4, rateHz), ...notch50());

/**
 * What the graph takes of `count` trials from trial `first` on (all of them unless it is said): `x`
 * [count · windows × channels × patches × 200], the windows of a trial one after the other, and `positions` [channels].
 *
 * The authors filter whole recordings at 0.1 to 75 Hz, with a notch at 50 Hz whatever the mains (American recordings
 * kept their 60 Hz), and resample to 200 Hz. A trial is too short for 0.1 Hz: its mean is subtracted instead. The other
 * two are applied to the trial, forward and backward, half a second continued at its ends.
 */
export function prepare(
  trials: Trials,
  { rows, places }: Pick<Reading, 'rows' | 'places'>,
  first = 0,
  count = trials.trials - first,
): Record<'x' | 'positions', GraphTensor> {
  const [channels, size] = [rows.length, trials.samples];
  const read = new Float32Array(count * channels * size);
  for (let t = 0; t < count; t += 1)
    rows.forEach((row, c) => {
      const from = ((first + t) * trials.channels + row) * size;
      read.set(trials.data.subarray(from, from + size), (t * channels + c) * size);
    });
  const { data, samples } = resample(read, count * channels, size, trials.rateHz, rateHz);
  const { patches, starts } = windowsOf(channels, samples);
  const filtered = filteredAt200(data, count * channels, samples);
  const length = patches * patchSamples;
  const x = new Float32Array(count * starts.length * channels * length);
  let at = 0;
  for (let t = 0; t < count; t += 1)
    for (const start of starts)
      for (let c = 0; c < channels; c += 1, at += length) {
        const from = (t * channels + c) * samples + start;
        x.set(filtered.subarray(from, from + length), at);
      }
  return {
    x: { dims: [count * starts.length, channels, patches, patchSamples], data: x },
    positions: { dims: [channels], data: Float32Array.from(places) },
  };
}

/** Rows [rows × samples] at 200 Hz in microvolts, filtered, in tenths of a millivolt. */
export function filteredAt200(data: Float32Array, rows: number, samples: number): Float64Array {
  const filtered = sosfiltfilt(
    filters,
    detrend(data, rows, samples, 'constant'),
    rows,
    samples,
    Math.min(rateHz / 2, samples - 1),
  );
  return filtered.map((value) => value / microvoltsPerUnit);
}
