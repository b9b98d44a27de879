import { createRandom } from '../random.ts';
import type { Steps } from '../steps.ts';
import { cholesky, gram, matmul, solveLower, transpose } from '../linalg/index.ts';

const seed = 20_110_217;

/**
 * Orthonormal rows [rank × dimension] that span the directions in which the centred rows x [trials × dimension] vary
 * most: a randomised range finder with one power step (Halko, Martinsson & Tropp 2011). Its cost is linear in trials.
 */
export function* leadingSpace(x: Float64Array, trials: number, dimension: number, rank: number): Steps<Float64Array> {
  const random = createRandom(seed);
  const probes = Float64Array.from({ length: dimension * rank }, () => (random() < 0.5 ? -1 : 1));
  const seen = transpose(matmul(x, probes, trials, dimension, rank), trials, rank);
  yield;
  const range = orthonormal(seen, rank, trials);
  yield;
  const again = matmul(range, x, rank, trials, dimension);
  yield;
  return orthonormal(orthonormal(again, rank, dimension), rank, dimension);
}

/** Rows [count × length] made orthonormal by the Cholesky factor of their Gram matrix. */
function orthonormal(rows: Float64Array, count: number, length: number): Float64Array {
  const products = gram(rows, count, length);
  let trace = 0;
  for (let i = 0; i < count; i += 1) trace += products[i * count + i];
  for (let i = 0; i < count; i += 1) products[i * count + i] += (1e-13 * trace) / count;
  const l = cholesky(products, count);
  if (!l) throw new Error('The features of these trials do not vary.');
  return solveLower(l, rows, count, length);
}
