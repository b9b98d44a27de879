import { mirror, spread } from './spectral';
import { multiplyTN } from './tile';
import { accumulate, tridiagonalise } from './tridiagonal';
import { clear } from './move';

/**
 * Logarithms of matrices whose eigenvalues are close together, without an eigendecomposition. A quadrature over
 * inverses of the tridiagonal form: log X = Σ c·(I − (t·X + (1 − t)·I)⁻¹) with c = w / t for the nodes t and weights w
 * of Gauss and Legendre on 0 … 1, which is the Padé approximation (Dieci, Morini & Papini 1996; Higham 2008, 11.4). The
 * elements of an inverse are products of its diagonal and of ratios.
 */

/** Bytes of a table with one value for each node and each row of the tridiagonal form. */
// @ts-ignore: decorator
@inline
function tableSize(n: i32, nodes: i32): usize {
  return <usize>(n * nodes) << 3;
}

/** Size of the work of `logarithmOf` in float64 values, for matrices of side n. */
export function logarithmWork(n: i32, nodes: i32): i32 {
  const ld = (n + 3) & ~3;
  return 5 * ld + 3 * ld * ld + 2 * n * nodes + ld * nodes;
}

/**
 * Reduces the symmetric c [n × n] to tridiagonal form, in z [n × ld] and `work`. Writes a lower and an upper bound of
 * the eigenvalues to `bounds`, each within a third of the true value. The lower bound is 0 if it is less than `least`
 * times the upper one.
 */
export function reduceBounded(c: usize, n: i32, z: usize, ld: i32, least: f64, work: usize, bounds: usize): void {
  const row = <usize>ld << 3;
  const e = work + row;
  spread(c, n, n, z, ld);
  tridiagonalise(z, n, ld, work, e, e + row, e + 2 * row);
  let high: f64 = 0;
  for (let i = 0; i < n; i++)
    high = max(high, load<f64>(work + (<usize>i << 3)) + (i ? abs(at(e, i - 1)) : 0) + abs(at(e, i)));
  while (high > 0 && isDefinite(work, e, n, 0.75 * high, -1)) high *= 0.75;
  let low = high;
  while (low > least * high && !isDefinite(work, e, n, low, 1)) low *= 0.75;
  store<f64>(bounds, low > least * high ? low : 0);
  store<f64>(bounds, high, 8);
}

/** Whether all eigenvalues of a tridiagonal form lie above `shift` (sign = 1) or below (−1). */
function isDefinite(d: usize, e: usize, n: i32, shift: f64, sign: f64): bool {
  let pivot: f64 = 1;
  let coupling: f64 = 0;
  for (let i = 0; i < n; i++) {
    pivot = sign * (at(d, i) - shift) - (coupling * coupling) / pivot;
    if (!(pivot > 0)) return false;
    coupling = at(e, i);
  }
  return true;
}

/**
 * Logarithm [n × n], at `out`, of the matrix that `reduceBounded` left in z and `work`. `t` holds the nodes, then the
 * factors c, for the matrix divided by `scale`. The number of nodes is even.
 */
export function logarithmOf(
  z: usize,
  n: i32,
  ld: i32,
  work: usize,
  nodes: i32,
  t: usize,
  scale: f64,
  logScale: f64,
  out: usize,
): void {
  const row = <usize>ld << 3;
  const square = <usize>ld * row;
  const c = t + (<usize>nodes << 3);
  const log = work + 5 * row;
  const half = log + square;
  const full = half + square;
  const ratios = full + square;
  const diagonals = ratios + tableSize(n, nodes);
  const rows = diagonals + tableSize(n, nodes);
  let constant = logScale;
  for (let k = 0; k < nodes; k++) constant += at(c, k);
  for (let k = 0; k < nodes; k += 2)
    invert(
      work,
      work + row,
      n,
      nodes,
      k,
      v128.load(t + (<usize>k << 3)),
      v128.load(c + (<usize>k << 3)),
      scale,
      ratios,
      diagonals,
    );
  sumInverses(n, ld, nodes, constant, ratios, diagonals, rows, log);
  accumulate(z, n, ld, work + 2 * row);
  multiplyTN(log, ld, z, ld, half, ld, n, n, n, false, false);
  multiplyTN(z, ld, half, ld, full, ld, n, n, n, true, false);
  mirror(full, ld, out, n);
}

/**
 * The inverses at the nodes k and k + 1: their diagonals times c, and the ratio of each element above the diagonal to
 * the element below it. Both tables are [n × nodes].
 */
function invert(
  d: usize,
  e: usize,
  n: i32,
  nodes: i32,
  k: i32,
  t: v128,
  c: v128,
  scale: f64,
  ratios: usize,
  diagonals: usize,
): void {
  const by = f64x2.mul(t, f64x2.splat(1 / scale));
  const one = f64x2.splat(1);
  const rest = f64x2.sub(one, t);
  const step = <usize>nodes << 3;
  let ratio = ratios + (<usize>k << 3);
  let own = diagonals + (<usize>k << 3);
  let pivot = f64x2.add(f64x2.mul(by, v128.load_splat<f64>(d)), rest);
  v128.store(own, pivot);
  for (let i = 0; i < n - 1; i++, ratio += step) {
    const b = f64x2.mul(by, v128.load_splat<f64>(e + (<usize>i << 3)));
    const r = f64x2.neg(f64x2.div(b, pivot));
    v128.store(ratio, r);
    own += step;
    pivot = f64x2.add(f64x2.add(f64x2.mul(by, v128.load_splat<f64>(d + (<usize>i << 3), 8)), rest), f64x2.mul(b, r));
    v128.store(own, pivot);
  }
  v128.store(own, f64x2.div(c, pivot));
  let below = f64x2.add(f64x2.mul(by, v128.load_splat<f64>(d + (<usize>(n - 1) << 3))), rest);
  for (let i = n - 2; i >= 0; i--) {
    own -= step;
    const a = f64x2.add(f64x2.mul(by, v128.load_splat<f64>(d + (<usize>i << 3))), rest);
    const b = f64x2.mul(by, v128.load_splat<f64>(e + (<usize>i << 3)));
    const less = f64x2.div(f64x2.mul(b, b), below);
    v128.store(own, f64x2.div(c, f64x2.sub(v128.load(own), less)));
    below = f64x2.sub(a, less);
  }
}

/**
 * `constant` · I minus the sum of all inverses, in `log` [n × ld]. rows: the current row of each inverse, two columns
 * of all of them after each other.
 */
function sumInverses(
  n: i32,
  ld: i32,
  nodes: i32,
  constant: f64,
  ratios: usize,
  diagonals: usize,
  rows: usize,
  log: usize,
): void {
  const row = <usize>ld << 3;
  const pair = <usize>nodes << 4;
  clear(rows, <usize>(ld * nodes) << 3);
  clear(log, <usize>ld * row);
  for (let i = n - 1; i >= 0; i--) {
    const ratio = ratios + (<usize>(i * nodes) << 3);
    const diagonal = diagonals + (<usize>(i * nodes) << 3);
    const own = log + <usize>i * row;
    if (i < n - 1) {
      for (let j = i & ~1; j < n; j += 2) {
        let p = rows + <usize>(j >> 1) * pair;
        let r = ratio;
        let sum = f64x2.splat(0);
        for (const end = p + pair; p < end; p += 16, r += 8) {
          const value = f64x2.mul(v128.load(p), v128.load_splat<f64>(r));
          v128.store(p, value);
          sum = f64x2.sub(sum, value);
        }
        v128.store(own + (<usize>j << 3), sum);
        const column = log + <usize>j * row + (<usize>i << 3);
        store<f64>(column, f64x2.extract_lane(sum, 0));
        if (j + 1 < n) store<f64>(column + row, f64x2.extract_lane(sum, 1));
      }
    }
    let sum = constant;
    let p = rows + <usize>(i >> 1) * pair + (<usize>(i & 1) << 3);
    for (let k = 0; k < nodes; k++, p += 16) {
      store<f64>(p, at(diagonal, k));
      sum -= at(diagonal, k);
    }
    store<f64>(own + (<usize>i << 3), sum);
  }
}

// @ts-ignore: decorator
@inline
function at(p: usize, i: i32): f64 {
  return load<f64>(p + (<usize>i << 3));
}
