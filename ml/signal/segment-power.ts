import { allocate, allocateDoubles, groupsOf, kernels, place, placeIntegers, read, scope } from '../kernels/index.ts';
import { groupsAt } from './sosfiltfilt.ts';
import { welch, windows } from './spectrum.ts';
import type { Spectrum } from './spectrum.ts';

/** Tables of a transform of a power-of-two size. */
interface Tables {
  readonly twiddles: Float64Array;
  readonly order: Int32Array;
}

const tables = new Map<number, Tables>();

/** Twiddle factors [size / 2 × 2] (cos, −sin) and bit reversal [size]. */
function transformTables(size: number): Tables {
  const known = tables.get(size);
  if (known) return known;
  const twiddles = new Float64Array(size);
  for (let k = 0; 2 * k < size; k++)
    twiddles.set([Math.cos((2 * Math.PI * k) / size), -Math.sin((2 * Math.PI * k) / size)], 2 * k);
  const order = new Int32Array(size);
  for (let i = 1, bits = Math.log2(size); i < size; i++) order[i] = (order[i >> 1] >> 1) | ((i & 1) << (bits - 1));
  const made = { twiddles, order };
  if (tables.size < 32) tables.set(size, made);
  return made;
}

/** Whether `welchAt` accepts segments of this length: a power of two above 1. */
export const suitsKernels = (segment: number): boolean => segment > 1 && (segment & (segment - 1)) === 0;

/** `welch` with segments that overlap by half, in the kernels if they accept the segment length. */
export function welchOf(
  data: Float32Array,
  rows: number,
  samples: number,
  rateHz: number,
  { segment, window }: { readonly segment: number; readonly window: keyof typeof windows },
): Spectrum {
  if (!suitsKernels(segment)) return welch(data, rows, samples, rateHz, { segment, window });
  return scope(() =>
    welchAt(
      { at: groupsAt(data, rows, samples), rows, samples, rateHz },
      segment,
      { from: 0, length: samples },
      window,
    ),
  );
}

/** A signal [rows × samples] in groups of eight rows, at an address of the kernels' memory. */
export interface PlacedSignal {
  readonly at: number;
  readonly rows: number;
  readonly samples: number;
  readonly rateHz: number;
}

/**
 * `welch` of a signal at an address, for segments that suit the kernels (`suitsKernels`) and overlap by half.
 *
 * @param segment Samples of a segment.
 * @param part Samples to use; all by default.
 */
export function welchAt(
  { at: groups, rows, samples, rateHz }: PlacedSignal,
  segment: number,
  part: { readonly from: number; readonly length: number } = { from: 0, length: samples },
  window: keyof typeof windows = 'hamming',
): Spectrum {
  const hop = segment >> 1;
  const count = Math.floor((part.length - segment) / hop) + 1;
  const bins = hop + 1;
  const { weights, energy, frequenciesHz } = welchTables(segment, rateHz, window);
  const density = 1 / (rateHz * count * energy);
  const power = scope(() => {
    const { twiddles, order } = transformTables(segment);
    const out = allocateDoubles(groupsOf(rows) * bins * 8);
    kernels().powerOfSegments(
      groups + part.from * 64,
      groupsOf(rows),
      samples,
      segment,
      hop,
      count,
      place(weights),
      1,
      place(twiddles),
      placeIntegers(order),
      allocate(segment * 64),
      out,
    );
    const table = allocateDoubles(rows * bins);
    kernels().fromGroups(out, rows, bins, 1, table);
    return read(table, rows * bins);
  });
  for (let i = 0; i < power.length; i += bins) {
    power[i] *= density;
    power[i + bins - 1] *= density;
    for (let k = 1; k < bins - 1; k++) power[i + k] *= 2 * density;
  }
  return { frequenciesHz, power };
}

const welchTables = remember((segment: number, rateHz: number, window: keyof typeof windows) => {
  const weights = windows[window](segment);
  const frequenciesHz = Float64Array.from({ length: (segment >> 1) + 1 }, (_, k) => (k * rateHz) / segment);
  return { weights, energy: weights.reduce((sum, w) => sum + w * w, 0), frequenciesHz };
});

/** The last few results of a pure function of numbers and names. */
function remember<Args extends readonly (number | string)[], T>(compute: (...args: Args) => T): (...args: Args) => T {
  const known = new Map<string, T>();
  return (...args) => {
    const id = args.join(' ');
    const value = known.get(id) ?? compute(...args);
    if (known.size < 32) known.set(id, value);
    return value;
  };
}
