/** Thin singular value decomposition A = U·diag(s)·Vᵀ: u [m × r], s [r] descending, vt [r × n], r = min(m, n). */
export interface Svd {
  readonly u: Float64Array;
  readonly s: Float64Array;
  readonly vt: Float64Array;
}

/** Thin SVD of A [m × n] by one-sided Jacobi rotations (Hestenes 1958; Demmel & Veselić 1992 for its accuracy). */
export function svd(a: Float64Array, m: number, n: number): Svd {
  if (m <= n) return fromRows(a, m, n);
  const t = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) t[j * m + i] = a[i * n + j];
  const { u, s, vt } = fromRows(t, n, m);
  const left = new Float64Array(m * n);
  const right = new Float64Array(n * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) left[i * n + j] = vt[j * m + i];
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) right[j * n + i] = u[i * n + j];
  return { u: left, s, vt: right };
}

/** m ≤ n: rotates the rows of A until they are orthogonal. */
function fromRows(a: Float64Array, m: number, n: number): Svd {
  const w = a.slice(0, m * n);
  const q = new Float64Array(m * m);
  for (let i = 0; i < m; i++) q[i * m + i] = 1;
  for (let sweep = 0, rotated = true; rotated && sweep < 60; sweep++) {
    rotated = false;
    for (let i = 0; i < m - 1; i++) for (let j = i + 1; j < m; j++) rotated = rotatePair(w, q, i, j, m, n) || rotated;
  }
  const norms = Array.from({ length: m }, (_, i) => Math.hypot(...w.subarray(i * n, (i + 1) * n)));
  const order = norms.map((_, i) => i).sort((i, j) => norms[j] - norms[i]);
  const u = new Float64Array(m * m);
  const vt = new Float64Array(m * n);
  order.forEach((from, to) => {
    for (let k = 0; k < m; k++) u[k * m + to] = q[from * m + k];
    if (norms[from] > 0) for (let k = 0; k < n; k++) vt[to * n + k] = w[from * n + k] / norms[from];
  });
  return { u, s: Float64Array.from(order, (i) => norms[i]), vt };
}

function rotatePair(w: Float64Array, q: Float64Array, i: number, j: number, m: number, n: number): boolean {
  let alpha = 0;
  let beta = 0;
  let gamma = 0;
  for (let k = 0; k < n; k++) {
    const x = w[i * n + k];
    const y = w[j * n + k];
    alpha += x * x;
    beta += y * y;
    gamma += x * y;
  }
  if (!(Math.abs(gamma) > 1e-15 * Math.sqrt(alpha * beta))) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  rotate(w, i * n, j * n, n, c, c * t);
  rotate(q, i * m, j * m, m, c, c * t);
  return true;
}

function rotate(a: Float64Array, at: number, other: number, length: number, c: number, s: number): void {
  for (let k = 0; k < length; k++) {
    const x = a[at + k];
    const y = a[other + k];
    a[at + k] = c * x - s * y;
    a[other + k] = s * x + c * y;
  }
}
