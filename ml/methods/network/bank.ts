import { congruence, invsqrtm, packUpper, packedSize, regularise, unpackUpper } from '../../geometry/index.ts';
import { eigh, matmul, transpose } from '../../linalg/index.ts';
import type { Features } from '../../types.ts';
import { layoutOf, matricesOf } from '../parts/spd.ts';
import type { SpdLayout } from '../parts/spd.ts';
import type { TrainingData } from '../types.ts';

export const bankSet = 'fbcov';

/**
 * Per band, the few directions of channel space in which the classes differ most: the room in which filters are
 * learned.
 */
export interface Bank {
  /** Channels. */
  readonly p: number;
  readonly bands: number;
  readonly rank: number;
  /** [bands × rank × p] */
  readonly projections: Float64Array;
}

/**
 * Whitens each band by the class-balanced mean of `rows` and keeps the leading eigenvectors of Σₖ (Mₖ − I)², Mₖ the
 * whitened mean of class k: for two classes the common spatial patterns, in their order.
 */
export function fitBank({ features, labels, classes }: TrainingData, rows: Int32Array, most: number): Bank {
  const layout = layoutOf(features, bankSet, true);
  const { p, blocks: bands } = layout;
  const rank = Math.min(p, most);
  const own = classes.map((_, k) => rows.filter((row) => labels[row] === k)).filter(({ length }) => length > 0);
  const projections = new Float64Array(bands * rank * p);
  for (let b = 0; b < bands; b += 1) {
    const means = own.map((list) => meanOf(features.sets[bankSet], list, b, layout));
    const centre = new Float64Array(p * p);
    for (const mean of means) for (let i = 0; i < centre.length; i += 1) centre[i] += mean[i] / means.length;
    const white = invsqrtm(regularise(centre, 1, p, 1e-9), p);
    projections.set(
      leading(
        means.map((mean) => congruence(white, mean, 1, p)),
        white,
        p,
        rank,
      ),
      b * rank * p,
    );
  }
  if (!projections.every(Number.isFinite))
    throw new Error('The mean covariance of the training trials is singular: a channel is flat or a copy of another.');
  return { p, bands, rank, projections };
}

/** Mean matrix [p × p] of one band. */
function meanOf(packed: Float64Array, rows: Int32Array, band: number, { p, blocks }: SpdLayout): Float64Array {
  const size = packedSize(p);
  const mean = new Float64Array(size);
  for (const row of rows)
    for (let k = 0, at = (row * blocks + band) * size; k < size; k += 1) mean[k] += packed[at + k] / rows.length;
  return unpackUpper(mean, 1, p);
}

function leading(means: readonly Float64Array[], white: Float64Array, p: number, rank: number): Float64Array {
  const spread = new Float64Array(p * p);
  for (const mean of means) {
    const off = mean.slice();
    for (let i = 0; i < p; i += 1) off[i * p + i] -= 1;
    matmul(off, off, p, p, p).forEach((value, i) => {
      spread[i] += value;
    });
  }
  const { vectors } = eigh(spread, p);
  const top = new Float64Array(rank * p);
  for (let r = 0; r < rank; r += 1) for (let j = 0; j < p; j += 1) top[r * p + j] = vectors[j * p + (p - 1 - r)];
  return matmul(top, white, rank, p, p);
}

/** Covariances of `rows` within the bank, upper triangles as columns: [bands × rank(rank+1)/2 × rows], float32. */
export function reduced({ p, bands, rank, projections }: Bank, features: Features, rows: Int32Array): Float32Array {
  const size = rows.length * packedSize(rank);
  const out = new Float32Array(bands * size);
  for (let b = 0; b < bands; b += 1) {
    const c = matricesOf(features, bankSet, { p, blocks: bands }, b, rows);
    const seen = congruence(projections.subarray(b * rank * p, (b + 1) * rank * p), c, rows.length, p, rank);
    out.set(transpose(packUpper(seen, rows.length, rank), rows.length, packedSize(rank)), b * size);
  }
  return out;
}

/** Filters on channels [bands·count × p] from filters [bands·count × rank] within the bank. */
export function onChannels({ p, bands, rank, projections }: Bank, filters: Float64Array): Float64Array {
  const count = filters.length / bands / rank;
  const out = new Float64Array(bands * count * p);
  for (let b = 0; b < bands; b += 1) {
    const own = matmul(
      filters.subarray(b * count * rank, (b + 1) * count * rank),
      projections.subarray(b * rank * p, (b + 1) * rank * p),
      count,
      rank,
      p,
    );
    out.set(own, b * count * p);
  }
  return out;
}
