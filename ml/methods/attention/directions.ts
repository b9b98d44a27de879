import { spectralBasis } from '../../classify/spectral-basis.ts';
import { matmulTransposed } from '../../linalg/index.ts';
import { range, takeRows } from '../../rows.ts';

/** The few directions in which tokens vary most: (token − mean) · directionsᵀ is what a head learns from. */
export interface Directions {
  readonly width: number;
  readonly rank: number;
  /** [width] */
  readonly mean: Float64Array;
  /** [rank × width], each divided by the spread along it, with the mean spread added. */
  readonly rows: Float64Array;
}

/** Tokens that the directions are found among, evenly taken. */
const mostTokens = 4096;

/**
 * Principal directions of tokens x [tokens × width], at most `most`; no label is read. Dividing by √(λ + mean λ)
 * instead of √λ keeps directions that hardly vary from growing to the size of the others.
 */
export function findDirections(x: Float64Array, width: number, most: number): Directions {
  const tokens = x.length / width;
  const step = Math.max(1, tokens / mostTokens);
  const some = range(Math.floor(tokens / step)).map((i) => Math.floor(i * step));
  const basis = spectralBasis(some.length === tokens ? x : takeRows(x, width, some), some.length, width);
  const rank = Math.min(most, basis.rank);
  if (rank === 0) return { width, rank: 1, mean: basis.mean, rows: new Float64Array(width) };
  const unit = new Float64Array(rank * basis.rank);
  const typical = basis.power.subarray(0, rank).reduce((sum, own) => sum + own / rank, 0);
  for (let r = 0; r < rank; r += 1) unit[r * basis.rank + r] = Math.sqrt(some.length / (basis.power[r] + typical));
  return { width, rank, mean: basis.mean, rows: basis.lift(unit, rank) };
}

/** Tokens as the directions show them. [tokens × rank], float32 */
export function alongDirections({ width, rank, mean, rows }: Directions, x: Float64Array): Float32Array {
  const offset = matmulTransposed(mean, rows, 1, width, rank);
  return Float32Array.from(matmulTransposed(x, rows, x.length / width, width, rank), (v, i) => v - offset[i % rank]);
}
