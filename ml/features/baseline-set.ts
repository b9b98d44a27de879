import { packInto, packedSize, regularise, shrinkOas } from '../geometry/index.ts';
import { matmulTransposed } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import { bandPower, bandpassSos, sosfiltfilt, welchAt } from '../signal/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import { perShape } from './per-shape.ts';
import { floor } from './power-sets.ts';
import type { Recipe, RecipeFamily } from './recipe.ts';

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
  const [length, form, ...rest] = args.split('/');
  const seconds = Number(length);
  if (!(seconds > 0) || rest.length > 0 || (form !== undefined && form !== 'cov'))
    throw new RangeError(`'${args}' is not the length of a baseline such as '0.5' (seconds), or '0.5/cov'.`);
  return form === 'cov' ? covariancesOf(seconds) : levelsOf(seconds);
};

/** Band of the covariances. The part before the cue is filtered alone: nothing of the later signal reaches it. */
const [lowHz, highHz, order] = [4, 40, 4];

/** 'baseline/0.5/cov': OAS covariance of the first 0.5 s of a trial from 4 to 40 Hz, packed upper triangle. */
const covariancesOf = (seconds: number): Recipe => ({
  storable: true,
  dimension: ({ channels }) => packedSize(channels),
  write({ shape, data }, out, at) {
    const { channels, samples } = shape;
    const length = lengthOf(shape, seconds);
    const early = new Float32Array(channels * length);
    for (let c = 0; c < channels; c += 1) early.set(data.subarray(c * samples, c * samples + length), c * length);
    const filtered = matrixOf(sosfiltfilt(filterOf(shape), early, channels, length), length, channels);
    const c = matmulTransposed(filtered, filtered);
    for (let i = 0; i < c.data.length; i += 1) c.data[i] /= length;
    packInto(regularise(shrinkOas(c, length), 1e-9), 1, out, at);
  },
});

const filterOf = perShape((shape) => bandpassSos(lowHz, Math.min(highHz, usableHz(shape)), order, shape.rateHz));

const lengthOf = ({ samples, rateHz }: SignalShape, seconds: number): number =>
  Math.max(2, Math.min(samples, Math.round(seconds * rateHz)));

function levelsOf(seconds: number): Recipe {
  return {
    storable: true,
    dimension: (shape) => shape.channels * (bandsOf(shape).length + 1),
    write({ shape, data, raw }, out, at) {
      const { channels, samples, rateHz } = shape;
      const length = lengthOf(shape, seconds);
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
}

const bandsOf = (shape: SignalShape): (readonly [number, number])[] =>
  bandsHz.filter(([, highHz]) => highHz <= Math.max(usableHz(shape), 8));

const meanOf = (values: Float32Array): number => values.reduce((a, b) => a + b, 0) / values.length;
