import { movementCard } from '../../encoders/movement/index.ts';
import { packedSize, sideOf } from '../../geometry/index.ts';
import type { Features } from '../../types.ts';

/** Layout of a bank: for each trial `bands` × `windows` packed matrices of side p. */
export interface Bank {
  readonly values: Float64Array;
  readonly trials: number;
  readonly p: number;
  readonly bands: number;
  readonly windows: number;
}

export function bankOf(features: Features, set: string): Bank {
  const values = features.sets[set];
  const [bands, windows] = [movementCard.bands.length, movementCard.windows.length];
  const p = sideOf(values.length / features.trials / (bands * windows));
  return { values, trials: features.trials, p, bands, windows };
}

/**
 * Mean covariance of each band over the windows of some trials [bands × p × p], shrunk towards its mean variance, so
 * that a silent or duplicate electrode leaves it positive definite.
 */
export function bandCentres({ values, p, bands, windows }: Bank, rows: Int32Array): Float64Array {
  const size = packedSize(p);
  const width = bands * windows * size;
  const sums = new Float64Array(bands * size);
  for (let i = 0; i < rows.length; i += 1) addWindows(values, rows[i] * width, sums, windows);
  const out = new Float64Array(bands * p * p);
  for (let b = 0; b < bands; b += 1) writeCentre(sums, b * size, 1 / (rows.length * windows), out, b * p * p, p);
  return out;
}

/** Adds the windows of each band of one trial. */
function addWindows(values: Float64Array, from: number, sums: Float64Array, windows: number): void {
  const size = sums.length / movementCard.bands.length;
  let at = from;
  for (let b = 0; b < sums.length; b += size)
    for (let w = 0; w < windows; w += 1) for (let k = b; k < b + size; k += 1, at += 1) sums[k] += values[at];
}

function writeCentre(sums: Float64Array, from: number, by: number, out: Float64Array, to: number, p: number): void {
  let trace = 0;
  for (let i = 0, k = from; i < p; i += 1)
    for (let j = i; j < p; j += 1, k += 1) {
      out[to + i * p + j] = out[to + j * p + i] = sums[k] * by;
      if (i === j) trace += sums[k] * by;
    }
  shrink(out, to, p, trace / p);
}

/** Shrinks one matrix [p × p] towards its mean variance `level`. */
function shrink(out: Float64Array, from: number, p: number, level: number): void {
  const { lambda } = movementCard;
  for (let k = from; k < from + p * p; k += 1) out[k] *= 1 - lambda;
  for (let i = 0; i < p; i += 1) out[from + i * p + i] += Math.max(lambda * level, 1e-12);
}

/** Centres [bands × p × p] of some sites, from the mean of people over all sites of the card. */
export function centresAt(centre: Float64Array, sites: readonly number[]): Float64Array {
  const [all, p] = [movementCard.sites.length, sites.length];
  const bands = movementCard.bands.length;
  const out = new Float64Array(bands * p * p);
  for (let b = 0; b < bands; b += 1) {
    let trace = 0;
    sites.forEach((a, i) =>
      sites.forEach((c, j) => {
        out[(b * p + i) * p + j] = centre[(b * all + a) * all + c];
        if (i === j) trace += out[(b * p + i) * p + j];
      }),
    );
    shrink(out, b * p * p, p, trace / p);
  }
  return out;
}
