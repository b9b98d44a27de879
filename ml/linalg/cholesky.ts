import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';

/**
 * Lower triangular L with A = L·Lᵀ for a symmetric positive definite A [n × n]; null where A is not
 * positive definite to working precision.
 */
export function cholesky(a: Float64Array, n: number): Float64Array | null {
  return scope(() => {
    const l = padded(a, n, n);
    return kernels().choleskyFactor(l, n, paddedSide(n)) ? unpadded(l, n, n) : null;
  });
}

/** X with L·X = B for lower triangular L [n × n] and B [n × m]. */
export function solveLower(l: Float64Array, b: Float64Array, n: number, m: number): Float64Array {
  return solveWith(l, b, n, m, [0]);
}

/** X with Lᵀ·X = B for lower triangular L [n × n] and B [n × m]. */
export function solveLowerTransposed(l: Float64Array, b: Float64Array, n: number, m: number): Float64Array {
  return solveWith(l, b, n, m, [1]);
}

/** X with A·X = B for symmetric positive definite A [n × n] and B [n × m]; null where A is not positive definite. */
export function solveSpd(a: Float64Array, b: Float64Array, n: number, m = 1): Float64Array | null {
  const l = cholesky(a, n);
  return l && solveWith(l, b, n, m, [0, 1]);
}

/** Inverse of a symmetric positive definite A [n × n]; null where A is not positive definite. */
export function inverseSpd(a: Float64Array, n: number): Float64Array | null {
  return solveSpd(a, identityOf(n), n, n);
}

/** Inverse of a lower triangular L [n × n]. */
export const inverseLower = (l: Float64Array, n: number): Float64Array => solveLower(l, identityOf(n), n, n);

function identityOf(n: number): Float64Array {
  const identity = new Float64Array(n * n);
  for (let i = 0; i < n; i++) identity[i * n + i] = 1;
  return identity;
}

function solveWith(l: Float64Array, b: Float64Array, n: number, m: number, steps: readonly (0 | 1)[]): Float64Array {
  return scope(() => {
    const x = padded(b, n, m);
    const factor = place(l.subarray(0, n * n));
    for (const transposed of steps) kernels().solveTriangular(factor, n, x, paddedSide(m), n, transposed);
    return unpadded(x, n, m);
  });
}

function padded(a: Float64Array, rows: number, columns: number): number {
  const to = allocateDoubles(rows * paddedSide(columns));
  scope(() => kernels().spread(place(a.subarray(0, rows * columns)), rows, columns, to, paddedSide(columns)));
  return to;
}

function unpadded(at: number, rows: number, columns: number): Float64Array {
  const ld = paddedSide(columns);
  if (ld === columns) return viewDoubles(at, rows * columns).slice();
  const view = viewDoubles(at, rows * ld);
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[i * columns + j] = view[i * ld + j];
  return out;
}
