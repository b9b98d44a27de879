import { cholesky, inverseLower, matmul, matmulTransposed, transpose } from '../linalg/index.ts';
import { matrixOf, squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { createRandom } from '../random.ts';

/** Most values of a sketch. */
const width = 128;
/** Weight of the diagonal in the covariance of sketches. */
const shrinkage = 0.02;

/**
 * Short forms of trials [trials × values]: their vectors without the person's mean, by random signs (Achlioptas 2003,
 * J. Comput. Syst. Sci. 66), each scaled to its largest value. A recentred vector does not depend on the sign, the gain
 * or the order in time of the signal, so two recordings of the same moment have similar sketches.
 *
 * @param vectors [trials × dimension]
 */
export function sketchesOf(vectors: Float64Array, dimension: number): Int8Array {
  const trials = vectors.length / dimension;
  const mean = new Float64Array(dimension);
  for (let i = 0; i < vectors.length; i += 1) mean[i % dimension] += vectors[i] / trials;
  const centred = matrixOf(
    vectors.map((value, i) => value - mean[i % dimension]),
    dimension,
    trials,
  );
  const table = dimension <= width ? centred : matmulTransposed(centred, signs(dimension));
  const out = new Int8Array(table.data.length);
  for (let from = 0; from < out.length; from += table.columns) {
    let most = 1e-300;
    for (let j = 0; j < table.columns; j += 1) most = Math.max(most, Math.abs(table.data[from + j]));
    for (let j = 0; j < table.columns; j += 1) out[from + j] = Math.round((127 * table.data[from + j]) / most);
  }
  return out;
}

/** Random signs [width × dimension], the same every time. */
function signs(dimension: number): Matrix {
  const random = createRandom(dimension);
  return matrixOf(
    Float64Array.from({ length: width * dimension }, () => (random() < 0.5 ? -1 : 1)),
    dimension,
  );
}

/** Matrix that makes the values of sketches uncorrelated and of variance 1: the inverse of their Cholesky factor. */
export function whitenerOf(sketches: Int8Array, columns: number): Matrix {
  const table = unit(sketches, columns);
  const covariance = matmulTransposed(transpose(table), transpose(table)).data;
  let power = 0;
  for (let j = 0; j < columns; j += 1) power += covariance[j * columns + j] / columns;
  for (let j = 0; j < columns; j += 1) covariance[j * columns + j] += shrinkage * power + 1e-9;
  return inverseLower(cholesky(squareOf(covariance, columns))!);
}

/** Whitened sketches [trials × values], each of length 1. */
export const whitened = (sketches: Int8Array, whitener: Matrix): Matrix =>
  unitRows(matmul(unit(sketches, whitener.columns), transpose(whitener)));

const unit = (sketches: Int8Array, columns: number): Matrix =>
  unitRows(matrixOf(Float64Array.from(sketches), columns, sketches.length / columns));

function unitRows(table: Matrix): Matrix {
  const { data, columns } = table;
  for (let from = 0; from < data.length; from += columns) {
    let square = 0;
    for (let j = 0; j < columns; j += 1) square += data[from + j] ** 2;
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let j = 0; j < columns; j += 1) data[from + j] *= scale;
  }
  return table;
}
