import {
  allocate,
  allocateDoubles,
  kernels,
  place,
  placeIntegers,
  scope,
  viewDoubles,
  viewFloats,
} from '../kernels/index.ts';
import { rationalOf } from './rational.ts';

/** Number of samples that `resample` returns for `samples` at `fromHz`. */
export function resampledLength(samples: number, fromHz: number, toHz: number): number {
  const { up, down } = rationalOf(toHz / fromHz);
  return Math.ceil((samples * up) / down);
}

/**
 * Resamples rows [rows × samples] from `fromHz` to `toHz`: polyphase FIR, Kaiser window (β = 5), both ends continued
 * along the line through the first and last sample. The taps of each phase sum to 1, so that an offset stays constant.
 * If they summed to 1 only on average, the phases would have different gains and turn an offset into a line. Equals
 * scipy.signal.resample_poly(x, up, down, window=h, padtype='line'), where h is its own ('kaiser', 5.0) design with
 * each phase scaled so.
 */
export function resample(
  data: Float32Array,
  rows: number,
  samples: number,
  fromHz: number,
  toHz: number,
): { data: Float32Array; samples: number } {
  const { up, down } = rationalOf(toHz / fromHz);
  if (up === down) return { data: data.slice(0, rows * samples), samples };
  const length = Math.ceil((samples * up) / down);
  const out = new Float32Array(rows * length);
  const { taps, width, half } = polyphaseTaps(up, down);
  const pad = Math.ceil(half / up) + 4;
  const starts = new Int32Array(length);
  const phases = new Int32Array(length);
  for (let m = 0; m < length; m++) {
    const newest = Math.floor((m * down + half) / up);
    phases[m] = m * down + half - newest * up;
    starts[m] = newest - width + 1 + pad;
  }
  const chunk = Math.max(1, Math.min(rows, Math.floor(262144 / (samples + 2 * pad))));
  scope(() => {
    const [table, first, phase] = [place(taps), placeIntegers(starts), placeIntegers(phases)];
    const extended = allocateDoubles(chunk * (samples + 2 * pad));
    const to = allocate(chunk * length * 4);
    for (let from = 0; from < rows; from += chunk) {
      const count = Math.min(chunk, rows - from);
      const lines = viewDoubles(extended, count * (samples + 2 * pad));
      for (let row = 0; row < count; row++)
        extendAlongLine(
          lines.subarray(row * (samples + 2 * pad), (row + 1) * (samples + 2 * pad)),
          data.subarray((from + row) * samples, (from + row + 1) * samples),
          pad,
        );
      kernels().resampleRows(extended, count, samples + 2 * pad, table, width, first, phase, length, to);
      out.set(viewFloats(to, count * length), from * length);
    }
  });
  return { data: out, samples: length };
}

/**
 * Low-pass taps by phase, newest sample last: taps[phase × width + width − 1 − k] = h[phase + k·up], each phase scaled
 * to sum to 1; width even.
 */
function polyphaseTaps(up: number, down: number): { taps: Float64Array; width: number; half: number } {
  const rate = Math.max(up, down);
  const half = 10 * rate;
  const h = new Float64Array(2 * half + 1);
  const gain = new Float64Array(up);
  for (let i = 0; i < h.length; i++) {
    const x = (Math.PI * (i - half)) / rate;
    const edge = (i - half) / half;
    h[i] = (x === 0 ? 1 : Math.sin(x) / x) * besselI0(5 * Math.sqrt(1 - edge * edge));
    gain[i % up] += h[i];
  }
  const width = 2 * Math.ceil(Math.ceil(h.length / up) / 2);
  const taps = new Float64Array(up * width);
  for (let i = 0; i < h.length; i++) taps[(i % up) * width + width - 1 - Math.floor(i / up)] = h[i] / gain[i % up];
  return { taps, width, half };
}

/** Copies a row to `to`, extended by `pad` samples at each end along the line through its first and last sample. */
function extendAlongLine(to: Float64Array, x: Float32Array, pad: number): void {
  const samples = x.length;
  const first = x[0];
  const last = x[samples - 1];
  const slope = samples > 1 ? (last - first) / (samples - 1) : 0;
  for (let i = 0; i < samples; i++) to[pad + i] = x[i];
  for (let i = 1; i <= pad; i++) {
    to[pad - i] = first - i * slope;
    to[pad + samples - 1 + i] = last + i * slope;
  }
}

/** Modified Bessel function of order zero (power series). */
function besselI0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > 1e-17 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
