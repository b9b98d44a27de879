import { eyeSites } from '../channels/index.ts';
import { windows } from '../signal/index.ts';
import type { SignalShape } from '../types.ts';
import { perShape } from './per-shape.ts';
import { floor } from './power-sets.ts';
import type { RecipeFamily } from './recipe.ts';

/** Hamming-weighted means over half a second pass frequencies below 4 Hz, the window's first zero; −43 dB above it. */
const windowSeconds = 0.5;
const stepSeconds = windowSeconds / 2;
/** Most time points per channel; longer trials are averaged. */
const most = 12;

/**
 * 'eyes': activity below 4 Hz of the channels nearest the eyes (see `eyeSites`). Per channel: the time course in at
 * most 12 values without its mean, µV, then the log of its variance [sites × (values + 1)].
 */
export const eyesFamily: RecipeFamily = () => ({
  storable: true,
  dimension: (shape) => sitesOf(shape).length * (valuesOf(shape) + 1),
  write({ shape, data }, out, at) {
    const { weights, starts } = windowsOf(shape);
    const kept = valuesOf(shape);
    sitesOf(shape).forEach((row, site) => {
      const x = data.subarray(row * shape.samples, (row + 1) * shape.samples);
      const course = starts.map((from) => weighted(x, from, weights));
      const mean = course.reduce((a, b) => a + b, 0) / course.length;
      const to = at + site * (kept + 1);
      course.forEach((value, i) => {
        const part = Math.floor((i * kept) / course.length);
        const size = Math.ceil(((part + 1) * course.length) / kept) - Math.ceil((part * course.length) / kept);
        out[to + part] += (value - mean) / size;
      });
      const variance = course.reduce((sum, value) => sum + (value - mean) ** 2, 0) / course.length;
      out[to + kept] = Math.log(Math.max(variance, floor));
    });
  },
});

/** Starts of the windows, and their weights, which sum to 1. */
const windowsOf = perShape(({ samples, rateHz }): { weights: Float64Array; starts: number[] } => {
  const length = Math.min(samples, Math.round(windowSeconds * rateHz));
  const step = Math.max(1, Math.round(stepSeconds * rateHz));
  const window = windows.hamming(length);
  const total = window.reduce((a, b) => a + b, 0);
  return {
    weights: window.map((weight) => weight / total),
    starts: Array.from({ length: 1 + Math.floor((samples - length) / step) }, (_, i) => i * step),
  };
});

const sitesOf = perShape(({ channelNames }) => eyeSites(channelNames));

const valuesOf = (shape: SignalShape): number => Math.min(most, windowsOf(shape).starts.length);

function weighted(x: Float32Array, from: number, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i += 1) sum += weights[i] * x[from + i];
  return sum;
}
