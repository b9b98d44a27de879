import { clear } from './move';

/**
 * Householder reduction (Golub & Van Loan, 8.3) of two symmetric matrices a and b [n × n] to tridiagonal form, side by
 * side in the two lanes of a vector. Writes two lanes of de [n][d and e of eight lanes]. With vectors = true the rows
 * of za and zb [n × ld] become the orthogonal bases. For small matrices, where the latency of one matrix costs more
 * than the arithmetic of two. work: 2·n·n + 8·n values.
 */
export function reducePair(
  a: usize,
  b: usize,
  n: i32,
  ld: i32,
  za: usize,
  zb: usize,
  de: usize,
  work: usize,
  vectors: bool,
): void {
  const z = work;
  const d = z + ((<usize>n * n) << 4);
  const e = d + (<usize>n << 4);
  const scales = e + (<usize>n << 4);
  const w = scales + (<usize>n << 4);
  interleave(a, b, n, z);
  reduce(z, n, d, e, scales, w);
  if (vectors) multiplyReflections(z, n, scales);
  for (let k: usize = 0; k < <usize>n; k++) {
    v128.store(de + (k << 7), v128.load(d + (k << 4)));
    v128.store(de + (k << 7), v128.load(e + (k << 4)), 64);
  }
  if (vectors) separate(z, n, ld, za, zb);
}

function interleave(a: usize, b: usize, n: i32, z: usize): void {
  const size = (<usize>n * n) << 3;
  for (let k: usize = 0; k < size; k += 8)
    v128.store(z + (k << 1), f64x2.replace_lane(v128.load64_splat(a + k), 1, load<f64>(b + k)));
}

function separate(z: usize, n: i32, ld: i32, za: usize, zb: usize): void {
  const rest = <usize>(ld - n) << 3;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++, z += 16, za += 8, zb += 8) {
      store<f64>(za, load<f64>(z));
      store<f64>(zb, load<f64>(z, 8));
    }
    if (rest) {
      clear(za, rest);
      clear(zb, rest);
    }
    za += rest;
    zb += rest;
  }
}

/**
 * Reduces z [n × n] (lower triangle) to tridiagonal form: diagonal d; e[i] couples i and i + 1. Row i keeps its
 * reflection vector, scales[i] its factor.
 */
function reduce(z: usize, n: i32, d: usize, e: usize, scales: usize, w: usize): void {
  const row = <usize>n << 4;
  const zero = f64x2.splat(0);
  v128.store(e + row - 16, zero);
  v128.store(scales, zero);
  for (let i = n - 1; i >= 1; i--) {
    const v = z + <usize>i * row;
    const end = <usize>i << 4;
    v128.store(d + end, v128.load(v + end));
    const last = v128.load(v + end - 16);
    if (i == 1) {
      v128.store(e, last);
      v128.store(scales + 16, zero);
      break;
    }
    let tail = zero;
    for (let k: usize = 0; k < end - 16; k += 16) {
      const x = v128.load(v + k);
      tail = f64x2.relaxed_madd(x, x, tail);
    }
    const reflected = f64x2.gt(tail, f64x2.splat(1e-300));
    const norm2 = f64x2.relaxed_madd(last, last, tail);
    const sign = v128.and(last, f64x2.splat(-0.0));
    const alpha = f64x2.neg(v128.or(f64x2.sqrt(norm2), sign));
    v128.store(e + end - 16, v128.bitselect(alpha, last, reflected));
    v128.store(v + end - 16, v128.bitselect(f64x2.sub(last, alpha), last, reflected));
    const beta = v128.and(f64x2.div(f64x2.splat(1), f64x2.relaxed_nmadd(last, alpha, norm2)), reflected);
    v128.store(scales + end, beta);
    timesSymmetric(z, row, end, v, w);
    let inner = zero;
    for (let k: usize = 0; k < end; k += 16) {
      const x = f64x2.mul(beta, v128.load(w + k));
      v128.store(w + k, x);
      inner = f64x2.relaxed_madd(x, v128.load(v + k), inner);
    }
    const half = f64x2.mul(f64x2.mul(beta, inner), f64x2.splat(0.5));
    for (let k: usize = 0; k < end; k += 16)
      v128.store(w + k, f64x2.relaxed_nmadd(half, v128.load(v + k), v128.load(w + k)));
    for (let j: usize = 0, a = z; j < end; j += 16, a += row) {
      const x = v128.load(v + j);
      const y = v128.load(w + j);
      for (let k: usize = 0; k <= j; k += 16) {
        v128.store(
          a + k,
          f64x2.relaxed_nmadd(y, v128.load(v + k), f64x2.relaxed_nmadd(x, v128.load(w + k), v128.load(a + k))),
        );
      }
    }
  }
  v128.store(d, v128.load(z));
}

/** w = A·v for the leading block with rows of `end` bytes. z holds its lower triangle. */
function timesSymmetric(z: usize, row: usize, end: usize, v: usize, w: usize): void {
  let j: usize = 0;
  let a = z;
  for (; j + 16 < end; j += 32, a += 2 * row) {
    const b = a + row;
    const x = v128.load(v + j);
    const y = v128.load(v + j, 16);
    let s = f64x2.splat(0);
    let t = s;
    for (let k: usize = 0; k < j; k += 16) {
      const entry = v128.load(a + k);
      const other = v128.load(b + k);
      const own = v128.load(v + k);
      s = f64x2.relaxed_madd(entry, own, s);
      t = f64x2.relaxed_madd(other, own, t);
      v128.store(w + k, f64x2.relaxed_madd(other, y, f64x2.relaxed_madd(entry, x, v128.load(w + k))));
    }
    const between = v128.load(b + j);
    v128.store(w + j, f64x2.relaxed_madd(between, y, f64x2.relaxed_madd(v128.load(a + j), x, s)));
    v128.store(w + j, f64x2.relaxed_madd(v128.load(b + j, 16), y, f64x2.relaxed_madd(between, x, t)), 16);
  }
  if (j == end) return;
  const x = v128.load(v + j);
  let s = f64x2.splat(0);
  for (let k: usize = 0; k < j; k += 16) {
    const entry = v128.load(a + k);
    s = f64x2.relaxed_madd(entry, v128.load(v + k), s);
    v128.store(w + k, f64x2.relaxed_madd(entry, x, v128.load(w + k)));
  }
  v128.store(w + j, f64x2.relaxed_madd(v128.load(a + j), x, s));
}

/**
 * Overwrites the reflection vectors by the transposed product of the reflections: the rows of z become an orthogonal
 * basis.
 */
function multiplyReflections(z: usize, n: i32, scales: usize): void {
  const row = <usize>n << 4;
  for (let i = 0; i < n; i++) {
    const v = z + <usize>i * row;
    const end = <usize>i << 4;
    const beta = v128.load(scales + end);
    // Two rows at a time. If their number is odd, the last row is paired with v itself, which is overwritten
    // afterwards.
    for (let a = z; a < v; a += 2 * row) {
      const b = a + row;
      let s0 = f64x2.splat(0);
      let s1 = s0;
      let t0 = s0;
      let t1 = s0;
      let k: usize = 0;
      for (; k + 32 <= end; k += 32) {
        const x = v128.load(v + k);
        const y = v128.load(v + k, 16);
        s0 = f64x2.relaxed_madd(v128.load(a + k), x, s0);
        t0 = f64x2.relaxed_madd(v128.load(b + k), x, t0);
        s1 = f64x2.relaxed_madd(v128.load(a + k, 16), y, s1);
        t1 = f64x2.relaxed_madd(v128.load(b + k, 16), y, t1);
      }
      if (k < end) {
        const x = v128.load(v + k);
        s0 = f64x2.relaxed_madd(v128.load(a + k), x, s0);
        t0 = f64x2.relaxed_madd(v128.load(b + k), x, t0);
      }
      s0 = f64x2.mul(beta, f64x2.add(s0, s1));
      t0 = f64x2.mul(beta, f64x2.add(t0, t1));
      for (k = 0; k < end; k += 16) {
        const x = v128.load(v + k);
        v128.store(a + k, f64x2.relaxed_nmadd(s0, x, v128.load(a + k)));
        v128.store(b + k, f64x2.relaxed_nmadd(t0, x, v128.load(b + k)));
      }
    }
    clear(v, row);
    v128.store(v + end, f64x2.splat(1));
  }
}
