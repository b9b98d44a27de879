import { rationalOf } from '../../ml/signal/index.ts';

/**
 * scipy.signal.resample_poly(x, up, down) with its defaults (Kaiser window β = 5, zeros outside the ends): the
 * resampler of the pretrained models' training recordings.
 */
export function resamplePoly(
  data: Float32Array,
  rows: number,
  samples: number,
  fromHz: number,
  toHz: number,
): { data: Float32Array; samples: number } {
  const { up, down } = rationalOf(toHz / fromHz);
  if (up === down) return { data: data.slice(), samples };
  const half = 10 * Math.max(up, down);
  const taps = Float64Array.from({ length: 2 * half + 1 }, (_, i) => {
    const x = (Math.PI * (i - half)) / Math.max(up, down);
    return (x === 0 ? 1 : Math.sin(x) / x) * bessel(5 * Math.sqrt(1 - ((i - half) / half) ** 2));
  });
  const gain = up / taps.reduce((sum, tap) => sum + tap, 0);
  const length = Math.ceil((samples * up) / down);
  const out = new Float32Array(rows * length);
  for (let row = 0; row < rows; row++)
    for (let m = 0; m < length; m++) {
      const centre = m * down + half;
      let sum = 0;
      for (let n = Math.max(0, Math.ceil((centre - 2 * half) / up)); n * up <= centre && n < samples; n++)
        sum += data[row * samples + n]! * taps[centre - n * up]!;
      out[row * length + m] = sum * gain;
    }
  return { data: out, samples: length };
}

/** Modified Bessel function of order zero. */
function bessel(x: number): number {
  let [term, sum] = [1, 1];
  for (let k = 1; term > 1e-17 * sum; k++) sum += term *= (x / (2 * k)) ** 2;
  return sum;
}
