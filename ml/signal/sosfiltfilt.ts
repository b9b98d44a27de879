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
 * Samples that scipy's sosfiltfilt extends each end by, at most samples − 1 so that trials of any length can be
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

/** Steady state of each section for a unit step [sections × 2] (transposed direct form II). */
function steadyState(sos: Sos): Float64Array {
  const state = new Float64Array(sos.length / 3);
  let level = 1;
  for (let s = 0; s * 6 < sos.length; s++) {
    const [b0, b1, b2, , a1, a2] = sos.subarray(s * 6, s * 6 + 6);
    const gain = (b0 + b1 + b2) / (1 + a1 + a2);
    state[s * 2] = level * (gain - b0);
    state[s * 2 + 1] = level * (b2 - a2 * gain);
    level *= gain;
  }
  return state;
}

/**
 * Zero-phase filter of rows [rows × samples]: forward and backward over an odd extension, started in the steady state
 * of its edge (scipy.signal.sosfiltfilt). `padLength` defaults to scipy's, shortened for short trials.
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
    filterAt(sos, groups, groups, rows, samples, padLength);
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

/** `sosfiltfilt` from groups at one address to groups at another (or the same). */
export function filterAt(
  sos: Sos,
  from: number,
  to: number,
  rows: number,
  samples: number,
  pad = padLengthOf(sos, samples),
): void {
  scope(() => {
    const work = allocate((samples + 2 * pad) * 64 + 64);
    kernels().filterGroups(
      from,
      to,
      groupsOf(rows),
      samples,
      pad,
      place(sos),
      sos.length / 6,
      place(steadyState(sos)),
      work,
    );
  });
}
