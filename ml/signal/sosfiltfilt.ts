import {
  allocate,
  allocateDoubles,
  groupsOf,
  kernels,
  place,
  placeFloats,
  scope,
  viewDoubles,
} from '../kernels/index.ts';
import type { Sos } from './butterworth.ts';

/**
 * Samples by which scipy's sosfiltfilt extends each end; at most samples − 1, so that trials of any length can be
 * filtered.
 */
export function padLengthOf(sos: Sos, samples: number): number {
  const sections = sos.length / 6;
  let firstOrderB = 0;
  let firstOrderA = 0;
  for (let s = 0; s < sections; s++) {
    if (sos[s * 6 + 2] === 0) firstOrderB++;
    if (sos[s * 6 + 5] === 0) firstOrderA++;
  }
  return Math.min(3 * (2 * sections + 1 - Math.min(firstOrderB, firstOrderA)), samples - 1);
}

interface Prepared {
  readonly gain: number;
  readonly sections: Float64Array;
}

const prepared = new WeakMap<Sos, Prepared>();

function preparedOf(sos: Sos): Prepared {
  const own = prepared.get(sos) ?? prepare(sos);
  prepared.set(sos, own);
  return own;
}

/**
 * Converts the filter for the kernel: the gain of all sections, and for each section b1, b2, a1, a2 and its output for
 * a constant input of 1 [sections × 5]. b0 is 1; it must not have been 0. A zero at −1 and one at 1 share a section b =
 * (1, 0, −1), which costs half of a section with both zeros in one place. Takes sections from both ends in turn. Those
 * of the upper edge come first and attenuate low frequencies; those of the lower edge amplify them again. Many sections
 * of one edge in a row would lose digits.
 */
function prepare(sos: Sos): Prepared {
  const count = sos.length / 6;
  const sections = Array.from({ length: count }, (_, i) => {
    const s = i % 2 ? count - (i + 1) / 2 : i / 2;
    return [...sos.subarray(s * 6, s * 6 + 6)];
  });
  const gain = sections.reduce((product, [b0]) => product * b0, 1);
  const numerators = sections.map(([b0, b1, b2]) => [b1 / b0, b2 / b0]);
  const twice = (b1: number): readonly number[][] => numerators.filter((b) => b[0] === b1 && b[1] === 1);
  const [low, high] = [twice(2), twice(-2)];
  for (let i = 0; i < Math.min(low.length, high.length); i++) for (const b of [low[i], high[i]]) b.splice(0, 2, 0, -1);
  let level = 1;
  const rows = sections.flatMap(([, , , , a1, a2], s) => {
    const [b1, b2] = numerators[s];
    level *= (1 + b1 + b2) / (1 + a1 + a2);
    return [b1, b2, a1, a2, level];
  });
  return { gain, sections: Float64Array.from(rows) };
}

/**
 * Zero-phase filter of rows [rows × samples], as scipy.signal.sosfiltfilt: forward and backward over an odd extension,
 * started in the steady state of its edge. The result has the unit of `data`.
 *
 * @param padLength Samples of the extension; scipy's by default, fewer for short trials.
 */
export function sosfiltfilt(
  sos: Sos,
  data: Float32Array | Float64Array,
  rows: number,
  samples: number,
  padLength = padLengthOf(sos, samples),
): Float64Array {
  return scope(() => {
    const size = rows * samples;
    const groups = groupsAt(data.subarray(0, size), rows, samples);
    filterAt(sos, { from: groups, to: groups, rows, samples }, padLength);
    const out = allocateDoubles(size);
    kernels().fromGroups(groups, rows, samples, 1, out);
    return viewDoubles(out, size).slice();
  });
}

/** Address of rows [rows × samples] in groups. */
export function groupsAt(data: Float32Array | Float64Array, rows: number, samples: number): number {
  const to = allocate(groupsOf(rows) * samples * 64);
  scope(() => {
    const wide = data instanceof Float64Array;
    kernels().toGroups(wide ? place(data) : placeFloats(data), wide ? 1 : 0, rows, samples, to);
  });
  return to;
}

/** Rows [rows × samples] in groups at the address `from`, and the address that their filtered copy goes to. */
export interface FilteredGroups {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly samples: number;
}

/** `sosfiltfilt` from groups at one address to groups at another, or at the same. */
export function filterAt(sos: Sos, { from, to, rows, samples }: FilteredGroups, pad = padLengthOf(sos, samples)): void {
  scope(() => {
    const { gain, sections } = preparedOf(sos);
    const work = allocate(2 * (samples + 2 * pad + 4) * 64 + 64);
    kernels().filterGroups(from, to, groupsOf(rows), samples, pad, place(sections), sos.length / 6, gain, work);
  });
}
