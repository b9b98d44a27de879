import type { Matrix } from '../matrix.ts';

/**
 * Solution X [n × m] of A·X = B for a general A [n × n] and B [n × m], by LU decomposition with partial pivoting. Null
 * where A is singular.
 */
export function solve(a: Matrix, b: Matrix): Matrix | null {
  const [n, m] = [a.rows, b.columns];
  const lu = a.data.slice();
  const x = b.data.slice();
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(lu[i * n + k]) > Math.abs(lu[pivot * n + k])) pivot = i;
    if (!(Math.abs(lu[pivot * n + k]) > 0)) return null;
    swapRows(lu, k, pivot, n);
    swapRows(x, k, pivot, m);
    for (let i = k + 1; i < n; i++) {
      const scale = lu[i * n + k] / lu[k * n + k];
      if (scale === 0) continue;
      for (let j = k + 1; j < n; j++) lu[i * n + j] -= scale * lu[k * n + j];
      for (let c = 0; c < m; c++) x[i * m + c] -= scale * x[k * m + c];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) for (let c = 0; c < m; c++) x[i * m + c] -= lu[i * n + k] * x[k * m + c];
    for (let c = 0; c < m; c++) x[i * m + c] /= lu[i * n + i];
  }
  return { data: x, rows: n, columns: m };
}

function swapRows(a: Float64Array, i: number, j: number, width: number): void {
  if (i === j) return;
  const row = a.slice(i * width, (i + 1) * width);
  a.copyWithin(i * width, j * width, (j + 1) * width);
  a.set(row, j * width);
}
