import { congruence, invsqrtm, packUpper, packedSize, regularise, unpackMatrix } from '../../geometry/index.ts';
import { eigh, matmul, transpose } from '../../linalg/index.ts';
import { matrixOf, squareOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';
import type { Features } from '../../types.ts';
import { matricesOf, spdSet } from '../parts/spd.ts';
import type { SpdSet } from '../parts/spd.ts';
import type { TrainingData } from '../types.ts';

export const bankSet = 'fbcov';

/**
 * Per band, the few directions of channel space in which the classes differ most. Filters are learned in this subspace.
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
  const source = spdSet(features, bankSet, true);
  const { p, blocks: bands } = source;
  const rank = Math.min(p, most);
  const own = classes.map((_, k) => rows.filter((row) => labels[row] === k)).filter(({ length }) => length > 0);
  const projections = new Float64Array(bands * rank * p);
  for (let b = 0; b < bands; b += 1) {
    const means = own.map((list) => meanOf(source, b, list));
    const centre = new Float64Array(p * p);
    for (const mean of means) for (let i = 0; i < centre.length; i += 1) centre[i] += mean.data[i] / means.length;
    const white = invsqrtm(regularise(squareOf(centre, p), 1e-9));
    const whitened = means.map((mean) => congruence(white, mean));
    projections.set(leading(whitened, white, rank).data, b * rank * p);
  }
  if (!projections.every(Number.isFinite))
    throw new Error('The mean covariance of the training trials is singular: a channel is flat or a copy of another.');
  return { p, bands, rank, projections };
}

/** Mean matrix [p × p] of one band. */
function meanOf({ features, set, p, blocks }: SpdSet, band: number, rows: Int32Array): Matrix {
  const packed = features.sets[set];
  const size = packedSize(p);
  const mean = new Float64Array(size);
  for (const row of rows)
    for (let k = 0, at = (row * blocks + band) * size; k < size; k += 1) mean[k] += packed[at + k] / rows.length;
  return unpackMatrix(mean, p);
}

function leading(means: readonly Matrix[], white: Matrix, rank: number): Matrix {
  const p = white.rows;
  const spread = new Float64Array(p * p);
  for (const mean of means) {
    const off = mean.data.slice();
    for (let i = 0; i < p; i += 1) off[i * p + i] -= 1;
    matmul(squareOf(off, p), squareOf(off, p)).data.forEach((value, i) => {
      spread[i] += value;
    });
  }
  const vectors = eigh(squareOf(spread, p)).vectors.data;
  const top = new Float64Array(rank * p);
  for (let r = 0; r < rank; r += 1) for (let j = 0; j < p; j += 1) top[r * p + j] = vectors[j * p + (p - 1 - r)];
  return matmul(matrixOf(top, p, rank), white);
}

/** Covariances of `rows` within the bank, upper triangles as columns: [bands × rank(rank+1)/2 × rows], float32. */
export function reduced({ p, bands, rank, projections }: Bank, features: Features, rows: Int32Array): Float32Array {
  const size = rows.length * packedSize(rank);
  const out = new Float32Array(bands * size);
  for (let b = 0; b < bands; b += 1) {
    const c = matricesOf({ features, set: bankSet, p, blocks: bands }, b, rows);
    const own = matrixOf(projections.subarray(b * rank * p, (b + 1) * rank * p), p, rank);
    const packed = packUpper(congruence(own, c));
    out.set(transpose(matrixOf(packed, packedSize(rank), rows.length)).data, b * size);
  }
  return out;
}

/** Filters on channels [bands·count × p], from filters [bands·count × rank] in the bank's subspace. */
export function onChannels({ p, bands, rank, projections }: Bank, filters: Float64Array): Float64Array {
  const count = filters.length / bands / rank;
  const out = new Float64Array(bands * count * p);
  for (let b = 0; b < bands; b += 1) {
    const own = matrixOf(filters.subarray(b * count * rank, (b + 1) * count * rank), rank, count);
    const projection = matrixOf(projections.subarray(b * rank * p, (b + 1) * rank * p), p, rank);
    out.set(matmul(own, projection).data, b * count * p);
  }
  return out;
}
