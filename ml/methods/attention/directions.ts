import { columnMoments, eighRows, gram, matmulTransposed, standardisedRows, transpose } from '../../linalg/index.ts';
import { asBatch, matrixOf } from '../../matrix.ts';
import { createRandom, shuffle } from '../../random.ts';
import { range, takeRows } from '../../rows.ts';

/** The principal directions of the tokens. A head learns from (token − mean) · directionsᵀ. */
export interface Directions {
  readonly width: number;
  readonly rank: number;
  /** [width] */
  readonly mean: Float64Array;
  /** [rank × width], each divided by its spread plus the mean spread. */
  readonly rows: Float64Array;
}

/** Most tokens for the principal directions, drawn with a fixed seed. */
const mostTokens = 2048;
const seed = 27_182;

/** Variance of standardised vectors, or fraction of the largest variance, below which there is only rounding noise. */
const noise = 1e-12;

/**
 * Principal directions of tokens x [tokens × width], at most `most`; no label is read. Dividing by √(λ + mean λ)
 * instead of √λ keeps directions that hardly vary from growing to the size of the others. Tokens that are all the same
 * have one direction, of zeros.
 */
export function findDirections(x: Float64Array, width: number, most: number): Directions {
  const some = shuffle(range(x.length / width), createRandom(seed))
    .subarray(0, mostTokens)
    .sort();
  const all = matrixOf(x, width);
  const { mean } = columnMoments(all, some);
  const centred = standardisedRows(all, some, { mean, scale: new Float64Array(width).fill(1) });
  const { values, rows } = eighRows(asBatch(gram(transpose(centred))));
  const kept = [...range(width)].reverse().filter((j) => values[j] > noise * Math.max(some.length, values[width - 1]));
  const leading = kept.slice(0, most);
  if (leading.length === 0) return { width, rank: 1, mean, rows: new Float64Array(width) };
  const typical = leading.reduce((sum, j) => sum + values[j], 0) / leading.length;
  const spread = Float64Array.from(leading, (j) => Math.sqrt((values[j] + typical) / some.length));
  const directions = takeRows(rows, width, leading).map((v, i) => v / spread[Math.floor(i / width)]);
  return { width, rank: leading.length, mean, rows: directions };
}

/** Tokens projected on the directions. [tokens × rank], float32 */
export function alongDirections({ width, rank, mean, rows }: Directions, x: Float64Array): Float32Array {
  const directions = matrixOf(rows, width, rank);
  const offset = matmulTransposed(matrixOf(mean, width, 1), directions).data;
  const along = matmulTransposed(matrixOf(x, width), directions).data;
  const out = new Float32Array(along.length);
  for (let i = 0; i < out.length; i += rank) for (let r = 0; r < rank; r += 1) out[i + r] = along[i + r] - offset[r];
  return out;
}
