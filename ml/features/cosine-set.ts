import { groupRows, productOfGroups, scope } from '../kernels/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import type { RecipeFamily } from './recipe.ts';

/** Widest band of a stored set: 40 values a second, as many as mean amplitudes of 25 ms windows. */
const storedHz = 20;

/** Coefficients of each channel, from `first` half periods per trial on. */
interface Coefficients {
  readonly first: number;
  readonly count: number;
}

/** Coefficients of the set with this id: coefficient k has k half periods in the trial, k = 1 … samples − 1. */
export function cosinesOf(set: string, { samples, ...rates }: SignalShape): Coefficients {
  const { low, high } = parsed(set.slice(set.indexOf('/') + 1));
  const place = (hz: number): number => ((2 * samples) / rates.rateHz) * Math.min(hz, usableHz(rates));
  const last = Math.max(1, Math.min(samples - 1, Math.floor(place(high) + 1e-9)));
  const first = Math.min(last, Math.max(1, Math.ceil(place(low) - 1e-9)));
  return { first, count: last - first + 1 };
}

function parsed(args: string): { low: number; high: number } {
  const [low, high] = args.includes('-') ? args.split('-').map(Number) : [0, Number(args)];
  if (low >= 0 && high > low) return { low, high };
  throw new RangeError(`'cosines/${args}' names no band such as 'cosines/8-28' (Hz).`);
}

/** Orthonormal cosines [count × samples], from `first` half periods on, without their projection on a straight line. */
function cosines(samples: number, { first, count }: Coefficients): Float64Array {
  const out = new Float64Array(count * samples);
  const middle = (samples - 1) / 2;
  const squares = (samples * (samples * samples - 1)) / 12;
  for (let k = first; k < first + count; k++) {
    const row = out.subarray((k - first) * samples, (k - first + 1) * samples);
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
 * 'cosines/60' and 'cosines/8-28': the cosine transform (DCT-II) of each channel after removing its linear trend, from
 * half a period per trial to 60 Hz, or from 8 to 28 Hz [channels × coefficients]. Inner products of runs of
 * coefficients are those of the band-passed signals, without phase shift and with the steepest possible edges: one set
 * contains every sub-band of a filter bank.
 */
export const cosineFamily: RecipeFamily = (args) => {
  const { low, high } = parsed(args);
  let known: { readonly id: string; readonly rows: Float64Array } = { id: '', rows: new Float64Array(0) };
  return {
    storable: high - low <= storedHz,
    dimension: (shape) => shape.channels * cosinesOf(`cosines/${args}`, shape).count,
    write({ shape, raw }, out, at) {
      const { channels, samples } = shape;
      const own = cosinesOf(`cosines/${args}`, shape);
      const id = `${samples} ${own.first} ${own.count}`;
      if (known.id !== id) known = { id, rows: cosines(samples, own) };
      const from = raw();
      scope(() => {
        const waves = { at: groupRows(known.rows, own.count, samples), rows: own.count };
        out.set(productOfGroups({ at: from, rows: channels }, waves, samples), at);
      });
    },
  };
};
