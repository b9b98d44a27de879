import { perShape } from './per-shape.ts';
import type { SignalShape } from '../types.ts';
import type { RecipeFamily } from './recipe.ts';

/** Means of windows of this length hold frequencies below about 4 Hz. */
export const windowSeconds = 0.25;
/** Most windows of a trial; of longer trials they are longer. */
const most = 12;

/**
 * 'slow': slow potentials below 4 Hz, such as the readiness potential: mean amplitude of consecutive windows of 0.25 s
 * [channels × windows], minus the mean of the trial. The linear trend stays, because a slow potential is one in a short
 * trial (Shibasaki & Hallett 2006, Clin. Neurophysiol. 117(11)).
 */
export const slowFamily: RecipeFamily = () => ({
  storable: true,
  dimension: (shape) => shape.channels * (edgesOf(shape).length - 1),
  write({ shape, data }, out, at) {
    const { channels, samples } = shape;
    const edges = edgesOf(shape);
    for (let c = 0, to = at; c < channels; c += 1) {
      const x = data.subarray(c * samples, (c + 1) * samples);
      const mean = meanOf(x, 0, samples);
      for (let w = 1; w < edges.length; w += 1, to += 1) out[to] = meanOf(x, edges[w - 1], edges[w]) - mean;
    }
  },
});

/** First sample of each window, and the end. */
const edgesOf = perShape(({ samples, rateHz }: SignalShape): number[] => {
  const count = Math.max(1, Math.min(most, samples, Math.round(samples / rateHz / windowSeconds)));
  return Array.from({ length: count + 1 }, (_, w) => Math.round((w * samples) / count));
});

function meanOf(x: Float32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += x[i];
  return sum / (to - from);
}
