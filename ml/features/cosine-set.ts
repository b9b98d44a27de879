import { groupRows, productOfGroups, scope } from '../kernels/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import type { RecipeFamily } from './recipe.ts';

/** Highest frequency of a set that is stored: 40 numbers a second, as many as mean amplitudes of 25 ms windows. */
const storedHz = 20;

/** Coefficients of each channel: coefficient k counts k half periods in the trial, k = 1 … up to `hz`. */
const coefficientsOf = (shape: SignalShape, hz: number): number => {
  const { samples, rateHz } = shape;
  return Math.max(
    1,
    Math.min(samples - 1, Math.floor(((2 * samples) / rateHz) * Math.min(hz, usableHz(shape)) + 1e-9)),
  );
};

/** Orthonormal cosines [count × samples] of 1 … count half periods, each without its part along a straight line. */
function cosines(samples: number, count: number): Float64Array {
  const out = new Float64Array(count * samples);
  const middle = (samples - 1) / 2;
  const squares = (samples * (samples * samples - 1)) / 12;
  for (let k = 1; k <= count; k++) {
    const row = out.subarray((k - 1) * samples, k * samples);
    let slope = 0;
    for (let i = 0; i < samples; i++) {
      row[i] = Math.sqrt(2 / samples) * Math.cos((Math.PI * k * (i + 0.5)) / samples);
      slope += (row[i] * (i - middle)) / squares;
    }
    for (let i = 0; i < samples; i++) row[i] -= slope * (i - middle);
  }
  return out;
}

/**
 * 'cosines/20': the cosine transform (DCT-II) of each channel less its linear trend, from half a period in the trial to
 * 20 Hz [channels × coefficients]. Inner products of runs of coefficients are those of the band-passed signals, without
 * phase shift and with edges as steep as can be: one set holds every sub-band of a filter bank.
 */
export const cosineFamily: RecipeFamily = (args) => {
  const hz = Number(args);
  if (!(hz > 0)) throw new RangeError(`'cosines/${args}' names no highest frequency such as 'cosines/20' (Hz).`);
  let known: { readonly id: string; readonly rows: Float64Array } = { id: '', rows: new Float64Array(0) };
  return {
    storable: hz <= storedHz,
    dimension: (shape) => shape.channels * coefficientsOf(shape, hz),
    write({ shape, raw }, out, at) {
      const { channels, samples } = shape;
      const count = coefficientsOf(shape, hz);
      const id = `${samples} ${count}`;
      if (known.id !== id) known = { id, rows: cosines(samples, count) };
      const from = raw();
      scope(() => out.set(productOfGroups(from, channels, groupRows(known.rows, count, samples), count, samples), at));
    },
  };
};
