import { bandPower, welchAt } from '../signal/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import { floor } from './power-sets.ts';
import type { RecipeFamily } from './recipe.ts';

const bandsHz: readonly (readonly [number, number])[] = [
  [1, 8],
  [8, 13],
  [13, 30],
  [30, 45],
];

/**
 * 'baseline/0.5': the first 0.5 s of a trial, before its cue. Per channel: log power density of up to four bands, and
 * mean of the second half minus mean of the first, µV [channels × (bands + 1)].
 */
export const baselineFamily: RecipeFamily = (args) => {
  const seconds = Number(args);
  if (!(seconds > 0)) throw new RangeError(`'${args}' is not the length of a baseline such as '0.5' (seconds).`);
  return {
    storable: true,
    dimension: (shape) => shape.channels * (bandsOf(shape).length + 1),
    write({ shape, data, raw }, out, at) {
      const { channels, samples, rateHz } = shape;
      const length = Math.max(2, Math.min(samples, Math.round(seconds * rateHz)));
      const segment = 2 ** Math.floor(Math.log2(length));
      const bands = bandsOf(shape);
      const spectrum = welchAt({ at: raw(), rows: channels, samples, rateHz }, segment, { from: 0, length });
      const powers = bandPower(spectrum, bands);
      for (let c = 0; c < channels; c += 1) {
        const to = at + c * (bands.length + 1);
        for (let b = 0; b < bands.length; b += 1) out[to + b] = Math.log(Math.max(powers[c * bands.length + b], floor));
        const half = length >> 1;
        const x = data.subarray(c * samples, c * samples + length);
        out[to + bands.length] = meanOf(x.subarray(length - half)) - meanOf(x.subarray(0, half));
      }
    },
  };
};

const bandsOf = (shape: SignalShape): (readonly [number, number])[] =>
  bandsHz.filter(([, highHz]) => highHz <= Math.max(usableHz(shape), 8));

const meanOf = (values: Float32Array): number => values.reduce((a, b) => a + b, 0) / values.length;
