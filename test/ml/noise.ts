import { shrinkOas } from '../../ml/geometry/index.ts';
import { squareOf } from '../../ml/matrix.ts';

/** Linear congruential noise in [-0.5, 0.5), the same as in golden/make_numerics.py. */
export function noise(count: number, seed: number): Float64Array {
  const out = new Float64Array(count);
  let state = seed;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    out[i] = state / 2 ** 32 - 0.5;
  }
  return out;
}

/** Mixed noise with a 10 Hz rhythm [trials × channels × samples], the same as in golden/make_numerics.py. */
export function recording(trials: number, channels: number, samples: number, seed: number): Float32Array {
  const x = noise(trials * channels * samples, seed);
  const out = new Float32Array(x.length);
  for (let t = 0; t < trials; t++) {
    for (let c = 0; c < channels; c++) {
      for (let s = 0; s < samples; s++) {
        const at = (t * channels + c) * samples + s;
        if (c > 0) x[at] += 0.6 * x[at - samples];
        out[at] = 10 * x[at] + (5 * Math.sin((2 * Math.PI * 10 * s) / 256) * (1 + c)) / channels;
      }
    }
  }
  return out;
}

/** Trials as intake gives them, of `recording`. */
export function trialsOf(trials: number, channels: number, samples: number, seed: number) {
  const names = Array.from({ length: channels }, (_, i) => `C${i + 1}`);
  return {
    data: recording(trials, channels, samples, seed),
    trials,
    channels,
    samples,
    rateHz: 256,
    sourceRateHz: 256,
    channelNames: names,
  };
}

/**
 * Largest difference relative to the largest magnitude of the expected values; infinite where lengths differ or a value
 * is no number.
 */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return Infinity;
  let worst = 0;
  let scale = 0;
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(actual[i] - expected[i]);
    worst = Number.isNaN(difference) ? Infinity : Math.max(worst, difference);
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return worst / (scale || 1);
}

/**
 * Sample covariances [trials × channels × channels] of data [trials × channels × samples], channels centred; with
 * `oas` shrunk as the product shrinks its own.
 */
export function covariances(
  data: Float32Array | Float64Array,
  trials: number,
  channels: number,
  samples: number,
  estimator: 'scm' | 'oas' = 'oas',
): Float64Array {
  const out = new Float64Array(trials * channels * channels);
  for (let t = 0; t < trials; t += 1) {
    const rows = Array.from({ length: channels }, (_, i) => {
      const row = Float64Array.from(data.subarray((t * channels + i) * samples, (t * channels + i + 1) * samples));
      const mean = row.reduce((sum, value) => sum + value, 0) / samples;
      return row.map((value) => value - mean);
    });
    const c = Float64Array.from({ length: channels * channels }, (_, at) => {
      const [a, b] = [rows[Math.floor(at / channels)]!, rows[at % channels]!];
      return a.reduce((sum, value, s) => sum + value * b[s]!, 0) / samples;
    });
    out.set(estimator === 'oas' ? shrinkOas(squareOf(c, channels), samples).data : c, t * channels * channels);
  }
  return out;
}
