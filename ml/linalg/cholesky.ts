import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';
import { squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';

/**
 * Cholesky factor: lower triangular L [n × n] with A = L·Lᵀ for a symmetric positive definite A [n × n]. Null where A
 * is not positive definite to working precision.
 */
export function cholesky(a: Matrix): Matrix | null {
  return scope(() => {
    const l = padded(a);
    return kernels().choleskyFactor(l, a.rows, paddedSide(a.rows)) ? unpadded(l, a.rows, a.rows) : null;
  });
}

/** Solution X [n × m] of L·X = B for lower triangular L [n × n] and B [n × m]. */
export function solveLower(l: Matrix, b: Matrix): Matrix {
  return solveWith(l, b, [0]);
}

/** Solution X [n × m] of Lᵀ·X = B for lower triangular L [n × n] and B [n × m]. */
export function solveLowerTransposed(l: Matrix, b: Matrix): Matrix {
  return solveWith(l, b, [1]);
}

/**
 * Solution X [n × m] of A·X = B for symmetric positive definite A [n × n] and B [n × m]. Null where A is not positive
 * definite.
 */
export function solveSpd(a: Matrix, b: Matrix): Matrix | null {
  const l = cholesky(a);
  return l && solveWith(l, b, [0, 1]);
}

/** Inverse of a symmetric positive definite A [n × n]. Null where A is not positive definite. */
export function inverseSpd(a: Matrix): Matrix | null {
  return solveSpd(a, identityOf(a.rows));
}

/** Inverse of a lower triangular L [n × n]. */
export const inverseLower = (l: Matrix): Matrix => solveLower(l, identityOf(l.rows));

function identityOf(n: number): Matrix {
  const identity = new Float64Array(n * n);
  for (let i = 0; i < n; i++) identity[i * n + i] = 1;
  return squareOf(identity, n);
}

function solveWith(l: Matrix, b: Matrix, steps: readonly (0 | 1)[]): Matrix {
  const [n, m] = [l.rows, b.columns];
  return scope(() => {
    const x = padded(b);
    const factor = place(l.data.subarray(0, n * n));
    for (const transposed of steps) kernels().solveTriangular(factor, n, x, paddedSide(m), n, transposed);
    return unpadded(x, n, m);
  });
}

/** Address of a copy whose rows are padded for whole vectors. */
function padded({ data, rows, columns }: Matrix): number {
  const to = allocateDoubles(rows * paddedSide(columns));
  scope(() => kernels().spread(place(data.subarray(0, rows * columns)), rows, columns, to, paddedSide(columns)));
  return to;
}

function unpadded(at: number, rows: number, columns: number): Matrix {
  const ld = paddedSide(columns);
  if (ld === columns) return { data: viewDoubles(at, rows * columns).slice(), rows, columns };
  const view = viewDoubles(at, rows * ld);
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) data[i * columns + j] = view[i * ld + j];
  return { data, rows, columns };
}
