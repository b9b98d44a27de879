import {
  allocateDoubles,
  groupRows,
  groupsOf,
  place,
  productOfGroups,
  read,
  scope,
  viewDoubles,
} from '../kernels/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import type { RecipeFamily } from './recipe.ts';

/** Widest band of a stored set: 40 values a second, as many as mean amplitudes of 25 ms windows. */
export const storedHz = 20;
/** Fewest coefficients of a band that a method reads by itself. */
export const fewestCoefficients = 8;

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

/**
 * The first half [count × half] of orthonormal cosines without their projection on a straight line, in groups: of every
 * second coefficient from `first` half periods on. The second half mirrors it, with the other sign if k is odd.
 */
function halfCosines(samples: number, { first, count }: Coefficients): HalfCosines {
  const half = (samples + 1) >> 1;
  const rows = new Float64Array(count * half);
  const middle = (samples - 1) / 2;
  const squares = (samples * (samples * samples - 1)) / 12;
  for (let r = 0; r < count; r++) {
    const k = first + 2 * r;
    const row = rows.subarray(r * half, (r + 1) * half);
    for (let i = 0; i < half; i++) row[i] = Math.sqrt(2 / samples) * Math.cos((Math.PI * k * (i + 0.5)) / samples);
    if (k % 2 === 0) continue;
    let slope = 0;
    for (let i = 0; i < half; i++) slope += (2 * row[i] * (i - middle)) / squares;
    for (let i = 0; i < half; i++) row[i] -= slope * (i - middle);
  }
  return { count, groups: scope(() => read(groupRows(rows, count, half), groupsOf(count) * half * 8)) };
}

/** Half rows of `count` cosines, brought into groups. */
interface HalfCosines {
  readonly count: number;
  readonly groups: Float64Array;
}

/**
 * A signal in groups [rows × samples], folded about its middle, in groups [rows × half]: the sums of mirrored samples
 * if `sign` is 1, and the differences if it is −1. The middle sample of an odd number counts once.
 */
function fold(from: number, groups: number, samples: number, sign: 1 | -1): number {
  const half = (samples + 1) >> 1;
  const to = allocateDoubles(groups * half * 8);
  const [signal, out] = [viewDoubles(from, groups * samples * 8), viewDoubles(to, groups * half * 8)];
  for (let g = 0; g < groups; g++)
    for (let i = 0; i < half; i++) {
      const [own, mirrored] = [(g * samples + i) * 8, (g * samples + samples - 1 - i) * 8];
      const at = (g * half + i) * 8;
      if (own === mirrored) for (let lane = 0; lane < 8; lane++) out[at + lane] = signal[own + lane];
      else for (let lane = 0; lane < 8; lane++) out[at + lane] = signal[own + lane] + sign * signal[mirrored + lane];
    }
  return to;
}

/**
 * 'cosines/60' and 'cosines/8-28': the cosine transform (DCT-II) of each channel after removing its linear trend, from
 * half a period per trial to 60 Hz, or from 8 to 28 Hz [channels × coefficients]. Inner products of runs of
 * coefficients are those of the band-passed signals, without phase shift and with the steepest possible edges: one set
 * contains every sub-band of a filter bank.
 */
export const cosineFamily: RecipeFamily = (args) => {
  const { low, high } = parsed(args);
  let known: { readonly id: string; readonly rows: readonly HalfCosines[] } = { id: '', rows: [] };
  return {
    storable: high - low <= storedHz,
    dimension: (shape) => shape.channels * cosinesOf(`cosines/${args}`, shape).count,
    write({ shape, raw }, out, at) {
      const { channels, samples } = shape;
      const { first, count } = cosinesOf(`cosines/${args}`, shape);
      const id = `${samples} ${first} ${count}`;
      if (known.id !== id)
        known = {
          id,
          rows: [0, 1].map((skipped) =>
            halfCosines(samples, { first: first + skipped, count: (count + 1 - skipped) >> 1 }),
          ),
        };
      const from = raw();
      known.rows.forEach((waves, skipped) =>
        scope(() => {
          const folded = fold(from, groupsOf(channels), samples, (first + skipped) % 2 === 0 ? 1 : -1);
          const products = productOfGroups(
            { at: folded, rows: channels },
            { at: place(waves.groups), rows: waves.count },
            (samples + 1) >> 1,
          );
          for (let c = 0; c < channels; c++)
            for (let r = 0; r < waves.count; r++) out[at + c * count + skipped + 2 * r] = products[c * waves.count + r];
        }),
      );
    },
  };
};
