import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';
import { asBatch, squareOf } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';
import { cholesky, solveLower, solveLowerTransposed } from './cholesky.ts';
import { transpose } from './matmul.ts';

/** Eigenvalues, ascending [n], and eigenvectors [n × n]: column j belongs to value j. */
export interface Eigen {
  readonly values: Float64Array;
  readonly vectors: Matrix;
}

/** Eigenvalues, ascending [count × n], and eigenvectors [count × n × n]: row j of a matrix belongs to its value j. */
export interface EigenRows {
  readonly values: Float64Array;
  readonly rows: Float64Array;
}

/** Eigendecomposition of a symmetric A [n × n]; only the lower triangle is read. */
export function eigh(a: Matrix): Eigen {
  const { values, rows } = eighRows(asBatch(a));
  return { values, vectors: transpose(squareOf(rows, a.rows)) };
}

/** Eigendecompositions of a batch of symmetric matrices [count × n × n], eigenvectors as rows. */
export function eighRows(a: Matrices): EigenRows {
  const { rows: n, count } = a;
  const rows = new Float64Array(count * n * n);
  const values = solveBatch(a, (z, i) => {
    const ld = paddedSide(n);
    const view = viewDoubles(z, n * ld);
    if (ld === n) rows.set(view, i * n * n);
    else for (let r = 0; r < n; r++) rows.set(view.subarray(r * ld, r * ld + n), (i * n + r) * n);
  });
  return { values, rows };
}

/**
 * Eigenvalues [count × n], ascending, of a batch of symmetric matrices [count × n × n]; half the work of the
 * eigenvectors.
 */
export const eigenvalues = (a: Matrices): Float64Array => solveBatch(a, null);

/**
 * Generalised symmetric eigenproblem A·v = λ·B·v with B positive definite (CSP, xDAWN, canonical correlations):
 * eigenvalues ascending, eigenvectors in columns with vᵀ·B·v = 1, as scipy.linalg.eigh(a, b). Null where B is not
 * positive definite.
 */
export function eighGeneral(a: Matrix, b: Matrix): Eigen | null {
  const l = cholesky(b);
  return l && eighFactored(a, l);
}

/** `eighGeneral` with the Cholesky factor L of B, for several matrices A against one B. */
export function eighFactored(a: Matrix, l: Matrix): Eigen {
  const half = solveLower(l, a);
  const { values, vectors } = eigh(solveLower(l, transpose(half)));
  return { values, vectors: solveLowerTransposed(l, vectors) };
}

/** Eight matrices at a time in the kernels; `take` copies the eigenvectors of matrix i (padded rows at z) out. */
function solveBatch(a: Matrices, take: ((z: number, i: number) => void) | null): Float64Array {
  const { data, rows: n, count } = a;
  const values = new Float64Array(count * n);
  scope(() => {
    const ld = paddedSide(n);
    const c = place(data.subarray(0, count * n * n));
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
