/**
 * Two symmetric eigenproblems side by side, one in each lane of every vector: Householder reduction and implicit QL (Golub & Van Loan, 8.3), each
 * lane with its own shifts and splits, so that a result does not depend on its neighbour. For small matrices, where the latency of one recurrence
 * would cost more than the arithmetic of two.
 */

/** Values that `work` holds beside two matrices: 2·n·n + 8·n float64. */
export function eigenPair(a: usize, b: usize, n: i32, ld: i32, za: usize, zb: usize, da: usize, db: usize, work: usize, vectors: bool): void {
  const z = work;
  const d = z + ((<usize>n * n) << 4);
  const e = d + (<usize>n << 4);
  const scales = e + (<usize>n << 4);
  const w = scales + (<usize>n << 4);
  interleave(a, b, n, z);
  reduce(z, n, d, e, scales, w);
  if (vectors) multiplyReflections(z, n, scales);
  iterate(z, n, d, e, vectors);
  for (let i = 0; i < n; i++) {
    store<f64>(da + (<usize>i << 3), load<f64>(d + (<usize>i << 4)));
    store<f64>(db + (<usize>i << 3), load<f64>(d + (<usize>i << 4), 8));
  }
  if (vectors) separate(z, n, ld, za, zb);
}

function interleave(a: usize, b: usize, n: i32, z: usize): void {
  const size = (<usize>n * n) << 3;
  for (let k: usize = 0; k < size; k += 8) v128.store(z + (k << 1), f64x2.replace_lane(v128.load64_splat(a + k), 1, load<f64>(b + k)));
}

function separate(z: usize, n: i32, ld: i32, za: usize, zb: usize): void {
  const rest = <usize>(ld - n) << 3;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++, z += 16, za += 8, zb += 8) {
      store<f64>(za, load<f64>(z));
      store<f64>(zb, load<f64>(z, 8));
    }
    if (rest) {
      memory.fill(za, 0, rest);
      memory.fill(zb, 0, rest);
    }
    za += rest;
    zb += rest;
  }
}

/** Tridiagonal form of z [n × n] (lower triangle): diagonal d, e[i] couples i and i + 1; row i keeps its reflection, scales[i] its factor. */
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
    for (let k: usize = 0; k < end; k += 16) v128.store(w + k, f64x2.relaxed_nmadd(half, v128.load(v + k), v128.load(w + k)));
    for (let j: usize = 0, a = z; j < end; j += 16, a += row) {
      const x = v128.load(v + j);
      const y = v128.load(w + j);
      for (let k: usize = 0; k <= j; k += 16) {
        v128.store(a + k, f64x2.relaxed_nmadd(y, v128.load(v + k), f64x2.relaxed_nmadd(x, v128.load(w + k), v128.load(a + k))));
      }
    }
  }
  v128.store(d, v128.load(z));
}

/** w = A·v for the leading block of `end` bytes a row, of which z holds the lower triangle. */
function timesSymmetric(z: usize, row: usize, end: usize, v: usize, w: usize): void {
  for (let j: usize = 0, a = z; j < end; j += 16, a += row) {
    const x = v128.load(v + j);
    let sum = f64x2.splat(0);
    for (let k: usize = 0; k < j; k += 16) {
      const entry = v128.load(a + k);
      sum = f64x2.relaxed_madd(entry, v128.load(v + k), sum);
      v128.store(w + k, f64x2.relaxed_madd(entry, x, v128.load(w + k)));
    }
    v128.store(w + j, f64x2.relaxed_madd(v128.load(a + j), x, sum));
  }
}

/** Overwrites the reflections by their transposed product: rows of z become an orthogonal basis. */
function multiplyReflections(z: usize, n: i32, scales: usize): void {
  const row = <usize>n << 4;
  for (let i = 0; i < n; i++) {
    const v = z + <usize>i * row;
    const end = <usize>i << 4;
    const beta = v128.load(scales + end);
    for (let a = z; a < v; a += row) {
      let s0 = f64x2.splat(0);
      let s1 = s0;
      let k: usize = 0;
      for (; k + 32 <= end; k += 32) {
        s0 = f64x2.relaxed_madd(v128.load(a + k), v128.load(v + k), s0);
        s1 = f64x2.relaxed_madd(v128.load(a + k, 16), v128.load(v + k, 16), s1);
      }
      if (k < end) s0 = f64x2.relaxed_madd(v128.load(a + k), v128.load(v + k), s0);
      const factor = f64x2.mul(beta, f64x2.add(s0, s1));
      for (k = 0; k < end; k += 16) v128.store(a + k, f64x2.relaxed_nmadd(factor, v128.load(v + k), v128.load(a + k)));
    }
    memory.fill(v, 0, row);
    v128.store(v + end, f64x2.splat(1));
  }
}

/** Implicit QL with Wilkinson shifts on both tridiagonal matrices, the rows of z rotated along. */
function iterate(z: usize, n: i32, d: usize, e: usize, vectors: bool): void {
  const row = <usize>n << 4;
  const one = f64x2.splat(1);
  const zero = f64x2.splat(0);
  for (let l = 0; l < n - 1; l++) {
    const dl = d + (<usize>l << 4);
    const el = e + (<usize>l << 4);
    for (let tries = 0; tries < 60; tries++) {
      const ma = blockEnd(d, e, l, n);
      const mb = blockEnd(d + 8, e + 8, l, n);
      if (ma == l && mb == l) break;
      const coupling = v128.load(el);
      const slope = f64x2.div(f64x2.sub(v128.load(dl, 16), v128.load(dl)), f64x2.add(coupling, coupling));
      const root = v128.or(f64x2.sqrt(f64x2.relaxed_madd(slope, slope, one)), v128.and(slope, f64x2.splat(-0.0)));
      const corner = f64x2.replace_lane(f64x2.splat(load<f64>(d + (<usize>ma << 4))), 1, load<f64>(d + (<usize>mb << 4), 8));
      let g = f64x2.add(f64x2.sub(corner, v128.load(dl)), f64x2.div(coupling, f64x2.add(slope, root)));
      let s = one;
      let c = one;
      let p = zero;
      for (let i = max(ma, mb) - 1; i >= l; i--) {
        const di = d + (<usize>i << 4);
        const ei = e + (<usize>i << 4);
        const coupled = v128.load(ei);
        const f = f64x2.mul(s, coupled);
        const b = f64x2.mul(c, coupled);
        const r = f64x2.sqrt(f64x2.relaxed_madd(g, g, f64x2.mul(f, f)));
        const some = f64x2.gt(r, zero);
        const inverse = f64x2.div(one, r);
        let sine = v128.and(f64x2.mul(f, inverse), some);
        let cosine = v128.bitselect(f64x2.mul(g, inverse), one, some);
        const next = v128.load(di, 16);
        const shifted = f64x2.sub(next, p);
        const turned = f64x2.relaxed_madd(f64x2.sub(v128.load(di), shifted), sine, f64x2.mul(f64x2.add(cosine, cosine), b));
        const moved = f64x2.mul(sine, turned);
        const ahead = f64x2.sub(f64x2.mul(cosine, turned), b);
        if (i < ma && i < mb) {
          v128.store(ei, r, 16);
          v128.store(di, f64x2.add(shifted, moved), 16);
          g = ahead;
          s = sine;
          c = cosine;
          p = moved;
        } else {
          const active = i64x2(i < ma ? -1 : 0, i < mb ? -1 : 0);
          v128.store(ei, v128.bitselect(r, v128.load(ei, 16), active), 16);
          v128.store(di, v128.bitselect(f64x2.add(shifted, moved), next, active), 16);
          g = v128.bitselect(ahead, g, active);
          s = v128.bitselect(sine, s, active);
          c = v128.bitselect(cosine, c, active);
          p = v128.bitselect(moved, p, active);
          sine = v128.and(sine, active);
          cosine = v128.bitselect(cosine, one, active);
        }
        if (vectors) rotate(z + <usize>i * row, row, cosine, sine);
      }
      const going = i64x2(ma > l ? -1 : 0, mb > l ? -1 : 0);
      v128.store(dl, f64x2.sub(v128.load(dl), p));
      v128.store(el, v128.bitselect(g, v128.load(el), going));
      if (ma > l) store<f64>(e + (<usize>ma << 4), 0);
      if (mb > l) store<f64>(e + (<usize>mb << 4), 0, 8);
    }
  }
}

/** Last row of the unreduced block that begins at l, in one lane. */
// @ts-ignore: decorator
@inline
function blockEnd(d: usize, e: usize, l: i32, n: i32): i32 {
  let m = l;
  while (m < n - 1) {
    const at = <usize>m << 4;
    if (!(abs(load<f64>(e + at)) > 1.2e-16 * (abs(load<f64>(d + at)) + abs(load<f64>(d + at, 16))))) break;
    m++;
  }
  return m;
}

/** Rows a and a + row turned into each other. */
// @ts-ignore: decorator
@inline
function rotate(a: usize, row: usize, c: v128, s: v128): void {
  const end = a + row;
  for (; a < end; a += 16) {
    const x = v128.load(a);
    const y = v128.load(a + row);
    v128.store(a + row, f64x2.relaxed_madd(s, x, f64x2.mul(c, y)));
    v128.store(a, f64x2.relaxed_nmadd(s, y, f64x2.mul(c, x)));
  }
}
