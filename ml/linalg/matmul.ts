import { gramOfGroups, groupColumns, groupRows, productOfGroups, scope } from '../kernels/index.ts';
import { squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';

/** Products of at most this many multiplications are faster in JavaScript than in the kernels. */
const small = 2048;

/** Product C = A·B [m × n] of A [m × k] and B [k × n]; written to `out` where it is given. */
export function matmul(a: Matrix, b: Matrix, out: Float64Array = new Float64Array(a.rows * b.columns)): Matrix {
  const { rows: m, columns: k } = a;
  const n = b.columns;
  if (m * k * n <= small || n === 1 || m === 1) plainProduct(a, b, out);
  else
    scope(() =>
      productOfGroups({ at: groupRows(a.data, m, k), rows: m }, { at: groupColumns(b.data, k, n), rows: n }, k, out),
    );
  return { data: out, rows: m, columns: n };
}

/** Product C = A·Bᵀ [m × n] of A [m × k] and B [n × k]: the inner products of the rows of two tables. */
export function matmulTransposed(a: Matrix, b: Matrix): Matrix {
  const { rows: m, columns: k } = a;
  const n = b.rows;
  if (m * k * n > small && n > 1 && m > 1) return matmulByRows(a, b);
  const c = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) c[i * n + j] = dot(a.data, b.data, i * k, j * k, k);
  return { data: c, rows: m, columns: n };
}

/**
 * Product C = A·Bᵀ as `matmulTransposed`, with each row of C summed in one fixed order, so that a row has the same bits
 * alone and among others.
 */
export function matmulByRows(a: Matrix, b: Matrix): Matrix {
  const [m, n, k] = [a.rows, b.rows, a.columns];
  const data = scope(() =>
    productOfGroups({ at: groupRows(a.data, m, k), rows: m }, { at: groupRows(b.data, n, k), rows: n }, k),
  );
  return { data, rows: m, columns: n };
}

/** Gram matrix G = A·Aᵀ [m × m] of the rows of A [m × k] (kernel and dual forms). */
export function gram({ data: a, rows: m, columns: k }: Matrix): Matrix {
  if (m * m * k > small && m > 1)
    return squareOf(
      scope(() => gramOfGroups(groupRows(a, m, k), m, k)),
      m,
    );
  const g = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let j = 0; j <= i; j++) g[i * m + j] = g[j * m + i] = dot(a, a, i * k, j * k, k);
  return squareOf(g, m);
}

/** Transpose Aᵀ [n × m] of A [m × n]. */
export function transpose({ data: a, rows: m, columns: n }: Matrix): Matrix {
  const t = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) t[j * m + i] = a[i * n + j];
  return { data: t, rows: n, columns: m };
}

/** Product y = A·x [m] of A [m × n] and x [n]; written to `out` where it is given. */
export function matvec(a: Matrix, x: Float64Array, out: Float64Array = new Float64Array(a.rows)): Float64Array {
  const { data, rows: m, columns: n } = a;
  for (let i = 0; i < m; i++) out[i] = dot(data, x, i * n, 0, n);
  return out;
}

function plainProduct(left: Matrix, right: Matrix, c: Float64Array): void {
  const [a, b] = [left.data, right.data];
  const { rows: m, columns: k } = left;
  const n = right.columns;
  if (n === 1) {
    matvec(left, b, c);
    return;
  }
  c.fill(0);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const scale = a[i * k + p];
      for (let j = 0, at = p * n, to = i * n; j < n; j++) c[to + j] += scale * b[at + j];
    }
  }
}

/** Inner product of `length` values from each address; flat arguments, since it runs once per entry of a product. */
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
