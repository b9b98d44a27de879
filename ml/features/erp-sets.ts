import { allocateDoubles, kernels, placeIntegers, scope, viewDoubles } from '../kernels/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import type { Recipe, RecipeFamily } from './recipe.ts';

/** Windows of `seconds` in a trial, `most` at most. */
const windowsIn = ({ samples, rateHz }: SignalShape, seconds: number, most: number): number =>
  Math.max(1, Math.min(most, samples, Math.round(samples / rateHz / seconds)));

/** Lengths of the windows of 'erp/windows' and of 'erp/windows/40'. */
export const courseSeconds = 0.05;
export const fineSeconds = 0.025;

const recipes: Readonly<Record<string, Recipe>> = {
  windows: windowsOf(courseSeconds, 20),
  'windows/40': windowsOf(fineSeconds, Infinity),
};

function windowsOf(seconds: number, most: number): Recipe {
  return {
    storable: true,
    dimension: (shape) => shape.channels * windowsIn(shape, seconds, most),
    write(source, out, at) {
      const { channels, samples } = source.shape;
      const count = windowsIn(source.shape, seconds, most);
      const groups = source.detrendedBelow(highest(source.shape));
      scope(() => {
        const edges = placeIntegers(edgesOf(count, samples));
        const means = allocateDoubles(channels * count);
        kernels().windowMeans(groups, channels, samples, edges, count, means);
        out.set(viewDoubles(means, channels * count), at);
      });
    },
  };
}

/** First sample of each window, and the end of the last. */
function edgesOf(count: number, samples: number): Int32Array {
  const edges = new Int32Array(count + 1);
  for (let w = 0; w <= count; w += 1) edges[w] = Math.round((w * samples) / count);
  return edges;
}

/**
 * 'erp/windows' and 'erp/windows/40': mean amplitudes [channels × windows] of consecutive windows, one per 50 ms (20 at
 * most) or 40 a second, after detrending and a 24 Hz low-pass (Blankertz 2011).
 */
export const erpFamily: RecipeFamily = (args) => {
  const recipe = recipes[args];
  if (!recipe)
    throw new RangeError(
      `There is no feature set 'erp/${args}'; there are ${Object.keys(recipes)
        .map((id) => `'erp/${id}'`)
        .join(', ')}.`,
    );
  return recipe;
};

const highest = (shape: SignalShape): number => Math.min(24, usableHz(shape));
