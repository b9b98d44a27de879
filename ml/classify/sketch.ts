import { createRandom } from '../random.ts';
import type { Steps } from '../steps.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { cholesky, gram, matmul, solveLower, transpose } from '../linalg/index.ts';

const seed = 20_110_217;

/**
 * Orthonormal rows [rank × dimension] that span the directions in which the centred rows x [trials × dimension] vary
 * most: a randomised range finder with one power step. Its cost is linear in trials.
 *
 * Throws Error where the rows do not vary.
 *
 * Source: Halko, Martinsson & Tropp 2011.
 */
export function* leadingSpace(x: Matrix, rank: number): Steps<Matrix> {
  const dimension = x.columns;
  const random = createRandom(seed);
  const probes = Float64Array.from({ length: dimension * rank }, () => (random() < 0.5 ? -1 : 1));
  const seen = transpose(matmul(x, matrixOf(probes, rank, dimension)));
  yield;
  const range = orthonormal(seen);
  yield;
  const again = matmul(range, x);
  yield;
  return orthonormal(orthonormal(again));
}

/** Rows [count × length] made orthonormal by the Cholesky factor of their Gram matrix. */
function orthonormal(table: Matrix): Matrix {
  const count = table.rows;
  const square = gram(table);
  const products = square.data;
  let trace = 0;
  for (let i = 0; i < count; i += 1) trace += products[i * count + i];
  for (let i = 0; i < count; i += 1) products[i * count + i] += (1e-13 * trace) / count;
  const l = cholesky(square);
  if (!l) throw new Error('The features of these trials do not vary.');
  return solveLower(l, table);
}
