import {
  congruence,
  expm,
  logm,
  meanOfLogs,
  meanRiemann,
  packedSize,
  sideOf,
  sqrtm,
  invsqrtm,
  unpackMatrix,
} from '../../geometry/index.ts';
import { eigh } from '../../linalg/index.ts';
import { matrixOf, squareOf, squaresOf } from '../../matrix.ts';
import type { Matrices, Matrix } from '../../matrix.ts';
import { range } from '../../rows.ts';
import type { Features } from '../../types.ts';
import type { Workspace } from '../workspace.ts';

/** Layout of a set of covariances: for each trial `blocks` packed matrices (frequency bands) of size `p`. */
export interface SpdLayout {
  readonly p: number;
  readonly blocks: number;
}

/** A feature set of covariances, with its layout. */
export interface SpdSet extends SpdLayout {
  readonly features: Features;
  readonly set: string;
}

/** `perChannel`: the size of a matrix is the number of channels; else one matrix fills the row (lag-augmented). */
export function spdSet(features: Features, set: string, perChannel: boolean): SpdSet {
  const width = features.sets[set].length / features.trials;
  const p = perChannel ? features.shape.channels : sideOf(width);
  return { features, set, p, blocks: width / packedSize(p) };
}

/** The packed matrices of all trials as a table [trials × blocks · packed]. */
const tableOf = ({ features, set, p, blocks }: SpdSet): Matrix =>
  matrixOf(features.sets[set], blocks * packedSize(p), features.trials);

/** Matrices [rows × p × p] of one block, written to `out` if given. */
export function matricesOf(
  { features, set, p, blocks }: SpdSet,
  block: number,
  rows: Int32Array,
  out: Float64Array = new Float64Array(rows.length * p * p),
): Matrices {
  const size = packedSize(p);
  const values = features.sets[set];
  for (let t = 0; t < rows.length; t += 1) {
    const to = t * p * p;
    let from = (rows[t] * blocks + block) * size;
    for (let i = 0; i < p; i += 1) {
      for (let j = i; j < p; j += 1, from += 1) out[to + i * p + j] = out[to + j * p + i] = values[from];
    }
  }
  return squaresOf(out, p, rows.length);
}

const nameOfLogs = (set: string, block: number): string => `logs:${set}:${block}`;

/** Logarithms of one block of every trial [trials × p · p], computed once for all folds. */
function logsOf(source: SpdSet, block: number, workspace: Workspace): Float64Array {
  const { features, set } = source;
  return workspace.once(
    [features],
    nameOfLogs(set, block),
    () => logm(matricesOf(source, block, range(features.trials))).data,
  );
}

/**
 * Iterations of the Riemannian mean from its log-Euclidean start: until convergence for one small matrix, one for a
 * small filter bank, none if an iteration is slow.
 */
const stepsFor = ({ p, blocks }: SpdLayout): number => (p > 32 ? 0 : blocks > 1 || p > 24 ? 1 : 8);

/**
 * Riemannian mean [p × p] of one block of some trials, started from their own log-Euclidean mean. It depends only on
 * `rows`. All methods of a fold reuse it.
 */
export function meanOf(source: SpdSet, block: number, rows: Int32Array, workspace: Workspace): Matrix {
  const { features, set, p } = source;
  return workspace.once([features, rows], `mean:${set}:${block}`, () => {
    const initial = expm(meanLogOf(source, block, rows, workspace));
    if (stepsFor(source) === 0) return initial;
    return meanRiemann(matricesOf(source, block, rows), {
      initial,
      tolerance: 1e-4 * p,
      maxIterations: stepsFor(source),
    });
  });
}

/** Mean of the logarithms. The logarithms are cached for other folds, unless `rows` are all trials. */
function meanLogOf(source: SpdSet, block: number, rows: Int32Array, workspace: Workspace): Matrix {
  const { features, set, p } = source;
  if (rows.length < features.trials || workspace.known([features], nameOfLogs(set, block)))
    return squareOf(meanOfRows(matrixOf(logsOf(source, block, workspace), p * p, features.trials), rows), p);
  return meanOfLogs(rows.length, p, (from, count, out) => {
    matricesOf(source, block, rows.subarray(from, from + count), out);
  });
}

/** Arithmetic mean [p × p] of one block of some trials. */
export function averageOf(source: SpdSet, block: number, rows: Int32Array): Matrix {
  const size = packedSize(source.p);
  return unpackMatrix(meanOfRows(tableOf(source), rows, block * size, size), source.p);
}

/** Mean of some rows of a table over `size` columns from column `from`; over all columns by default. */
export function meanOfRows(
  { data: table, columns: stride }: Matrix,
  rows: Int32Array,
  from = 0,
  size = stride,
): Float64Array {
  const mean = new Float64Array(size);
  let i = 0;
  for (; i + 3 < rows.length; i += 4) {
    const a = rows[i] * stride + from;
    const b = rows[i + 1] * stride + from;
    const c = rows[i + 2] * stride + from;
    const d = rows[i + 3] * stride + from;
    for (let k = 0; k < size; k += 1) mean[k] = mean[k] + table[a + k] + table[b + k] + table[c + k] + table[d + k];
  }
  for (; i < rows.length; i += 1)
    for (let k = 0, at = rows[i] * stride + from; k < size; k += 1, at += 1) mean[k] += table[at];
  for (let k = 0; k < size; k += 1) mean[k] /= rows.length;
  return mean;
}

/** Whitener [q × p] onto the q directions with the greatest mean covariance of some trials. */
export function strongest(source: SpdSet, block: number, rows: Int32Array, q: number): Matrix {
  const { p } = source;
  const { values, vectors } = eigh(averageOf(source, block, rows));
  const least = values[p - 1] * 1e-10 || 1;
  const out = new Float64Array(q * p);
  for (let row = 0, f = p - 1; row < q; row += 1, f -= 1) {
    const scale = Math.sqrt(Math.max(values[f], least));
    for (let j = 0; j < p; j += 1) out[row * p + j] = vectors.data[j * p + f] / scale;
  }
  return matrixOf(out, p, q);
}

/**
 * Parallel transport of matrices so that `from` moves onto `to`: C → T·C·Tᵀ with T = to^½ · from^-½.
 *
 * Source: Zanini et al. 2018, IEEE Trans. Biomed. Eng. 65(5).
 */
export function transport(c: Matrices, from: Matrix, to: Matrix): Matrices {
  return congruence(sqrtm(to), congruence(invsqrtm(from), c));
}
