import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';
import { cholesky, solveLower, solveLowerTransposed } from './cholesky.ts';
import { transpose } from './matmul.ts';

/** Values ascending [n]; vectors [n × n] row-major with the vector of value j in column j. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/**
 * Eigen-decompositions of a batch: values [count × n] ascending; rows [count × n × n], row j of a matrix is the vector
 * of value j.
 */
export interface EigenRows {
  readonly values: Float64Array;
  readonly rows: Float64Array;
}

/** Symmetric eigenproblem of A [n × n]; only the lower triangle is read. */
export function eigh(a: Float64Array, n: number): Eigen {
  const { values, rows } = eighRows(a, 1, n);
  return { values, vectors: transpose(rows, n, n) };
}

/** Symmetric eigenproblems of a batch A [count × n × n]; vectors as rows, the order most uses want. */
export function eighRows(a: Float64Array, count: number, n: number): EigenRows {
  const rows = new Float64Array(count * n * n);
  const values = solveBatch(a, count, n, (z, i) => {
    const ld = paddedSide(n);
    const view = viewDoubles(z, n * ld);
    if (ld === n) rows.set(view, i * n * n);
    else for (let r = 0; r < n; r++) rows.set(view.subarray(r * ld, r * ld + n), (i * n + r) * n);
  });
  return { values, rows };
}

/**
 * Eigenvalues [count × n], ascending, of a batch of symmetric matrices [count × n × n]; half the work of the vectors.
 */
export const eigenvalues = (a: Float64Array, count: number, n: number): Float64Array => solveBatch(a, count, n, null);

/**
 * Generalised symmetric eigenproblem A·v = λ·B·v with B positive definite (CSP, xDAWN, canonical correlations): values
 * ascending, vectors in columns with vᵀ·B·v = 1 (scipy.linalg.eigh(a, b)). Null where B is not positive definite.
 */
export function eighGeneral(a: Float64Array, b: Float64Array, n: number): Eigen | null {
  const l = cholesky(b, n);
  return l && eighFactored(a, l, n);
}

/** The same of B = L·Lᵀ, where several matrices are held against one. */
export function eighFactored(a: Float64Array, l: Float64Array, n: number): Eigen {
  const half = solveLower(l, a, n, n);
  const { values, vectors } = eigh(solveLower(l, transpose(half, n, n), n, n), n);
  return { values, vectors: solveLowerTransposed(l, vectors, n, n) };
}

/** Eight matrices at a time in the kernels; `take` copies the vectors of the i-th (padded rows at z) out. */
function solveBatch(
  a: Float64Array,
  count: number,
  n: number,
  take: ((z: number, i: number) => void) | null,
): Float64Array {
  const values = new Float64Array(count * n);
  scope(() => {
    const ld = paddedSide(n);
    const c = place(a.subarray(0, count * n * n));
    const z = allocateDoubles(Math.min(8, count) * n * ld);
    const d = allocateDoubles(Math.min(8, count) * n);
    const work = allocateDoubles(kernels().eigenWork(n));
    for (let i = 0; i < count; i += 8) {
      const some = Math.min(8, count - i);
      kernels().eigenBatch(c + i * n * n * 8, some, n, z, ld, d, work, take ? 1 : 0);
      values.set(viewDoubles(d, some * n), i * n);
      for (let k = 0; k < some; k++) take?.(z + k * n * ld * 8, i + k);
    }
  });
  return values;
}
