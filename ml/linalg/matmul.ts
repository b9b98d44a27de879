import { gramOfGroups, groupColumns, groupRows, productOfGroups, scope } from '../kernels/index.ts';

/** Products smaller than this many multiplications are cheaper in place than in the kernels. */
const small = 2048;

/** C = A·B for row-major A [m × k] and B [k × n]; written to `c` where it is given. */
export function matmul(
  a: Float64Array,
  b: Float64Array,
  m: number,
  k: number,
  n: number,
  c: Float64Array = new Float64Array(m * n),
): Float64Array {
  if (m * k * n <= small || n === 1 || m === 1) return plainProduct(a, b, m, k, n, c);
  return scope(() => productOfGroups(groupRows(a, m, k), m, groupColumns(b, k, n), n, k, c));
}

/** C = A·Bᵀ for row-major A [m × k] and B [n × k]: the inner products of the rows of two tables. */
export function matmulTransposed(a: Float64Array, b: Float64Array, m: number, k: number, n: number): Float64Array {
  if (m * k * n > small && n > 1 && m > 1) return matmulByRows(a, b, m, k, n);
  const c = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) c[i * n + j] = dot(a, b, i * k, j * k, k);
  return c;
}

/**
 * C = A·Bᵀ as `matmulTransposed`, each row of C summed in one fixed order whatever rows surround it, and whether there
 * are any.
 */
export const matmulByRows = (a: Float64Array, b: Float64Array, m: number, k: number, n: number): Float64Array =>
  scope(() => productOfGroups(groupRows(a, m, k), m, groupRows(b, n, k), n, k));

/** G = A·Aᵀ [m × m], the Gram matrix of the rows of A [m × k] (kernel and dual forms). */
export function gram(a: Float64Array, m: number, k: number): Float64Array {
  if (m * m * k > small && m > 1) return scope(() => gramOfGroups(groupRows(a, m, k), m, k));
  const g = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let j = 0; j <= i; j++) g[i * m + j] = g[j * m + i] = dot(a, a, i * k, j * k, k);
  return g;
}

/** Aᵀ [n × m] of a row-major A [m × n]. */
export function transpose(a: Float64Array, m: number, n: number): Float64Array {
  const t = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) t[j * m + i] = a[i * n + j];
  return t;
}

/** y = A·x for row-major A [m × n]; written to `y` where it is given. */
export function matvec(
  a: Float64Array,
  x: Float64Array,
  m: number,
  n: number,
  y: Float64Array = new Float64Array(m),
): Float64Array {
  for (let i = 0; i < m; i++) y[i] = dot(a, x, i * n, 0, n);
  return y;
}

function plainProduct(
  a: Float64Array,
  b: Float64Array,
  m: number,
  k: number,
  n: number,
  c: Float64Array,
): Float64Array {
  if (n === 1) return matvec(a, b, m, k, c);
  c.fill(0);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const scale = a[i * k + p];
      for (let j = 0, at = p * n, to = i * n; j < n; j++) c[to + j] += scale * b[at + j];
    }
  }
  return c;
}

function dot(a: Float64Array, b: Float64Array, atA: number, atB: number, length: number): number {
  let s0 = 0;
  let s1 = 0;
  let i = 0;
  for (; i + 1 < length; i += 2) {
    s0 += a[atA + i] * b[atB + i];
    s1 += a[atA + i + 1] * b[atB + i + 1];
  }
  return i < length ? s0 + s1 + a[atA + i] * b[atB + i] : s0 + s1;
}
