import { accumulate, tridiagonalise } from './tridiagonal';

/**
 * Symmetric eigenproblem of one matrix z [n × ld] (lower triangle read, ld a multiple of 4): values ascending in d [n], row j of z
 * the vector of d[j] (vectors = true). `work` holds 6·ld + 8 values.
 */
export function eigen(z: usize, n: i32, ld: i32, d: usize, work: usize, vectors: bool): void {
  const row = <usize>ld << 3;
  const e = work;
  const scales = e + row;
  const rotations = scales + 3 * row;
  tridiagonalise(z, n, ld, d, e, scales, scales + row);
  if (vectors) accumulate(z, n, ld, scales);
  implicitQl(z, n, ld, d, e, rotations, vectors);
  sortAscending(z, n, ld, d, vectors);
}

/** Implicit QL with Wilkinson shifts (Golub & Van Loan, 8.3); e[i] couples i and i + 1. */
function implicitQl(z: usize, n: i32, ld: i32, d: usize, e: usize, rotations: usize, vectors: bool): void {
  for (let l = 0; l < n; l++) {
    for (let tries = 0; tries < 60; tries++) {
      let m = l;
      while (m < n - 1 && abs(at(e, m)) > 1.2e-16 * (abs(at(d, m)) + abs(at(d, m + 1)))) m++;
      if (m == l) break;
      sweep(d, e, l, m, rotations);
      if (vectors) applyRotations(z, ld, l, m, rotations);
    }
  }
}

/**
 * One sweep on the tridiagonal block l … m in the root-free form (Pal, Walker & Kahan; Parlett 1998, 8.15): squares of cosines and sines carry
 * the recurrence, so that no square root lies on its critical path. Leaves (c, s) of rotation i at rotations[2i]. The signs follow from
 * g = γ·sin/cos of the rotation before.
 */
function sweep(d: usize, e: usize, l: i32, m: i32, rotations: usize): void {
  const slope = (at(d, l + 1) - at(d, l)) / (2 * at(e, l));
  const sigma = at(d, l) - at(e, l) / (slope + copysign(sqrt(slope * slope + 1), slope));
  let gamma = at(d, m) - sigma;
  let p = gamma * gamma;
  let sign = gamma;
  let c2: f64 = 1;
  let s2: f64 = 0;
  let cosine: f64 = 1;
  let sineSign: f64 = 1;
  for (let i = m - 1; i >= l; i--) {
    const ei = at(e, i);
    const bb = ei * ei;
    const r = p + bb;
    if (i < m - 1) set(e, i + 1, sqrt(s2 * r));
    const before = c2;
    const inverse = r / p;
    c2 = r > 0 ? p / r : 1;
    s2 = r > 0 ? bb / r : 0;
    const alpha = at(d, i);
    const old = gamma;
    gamma = c2 * (alpha - sigma) - s2 * old;
    set(d, i + 1, old + (alpha - gamma));
    sineSign = copysign(sineSign, sineSign * ei);
    const roots = f64x2.sqrt(f64x2.replace_lane(f64x2.splat(c2), 1, s2));
    const previous = cosine;
    cosine = copysign(f64x2.extract_lane(roots, 0), sign);
    store<f64>(rotations + (<usize>i << 4), cosine);
    store<f64>(rotations + (<usize>i << 4), copysign(f64x2.extract_lane(roots, 1), sineSign), 8);
    if (c2 > 0) {
      p = gamma * gamma * inverse;
      sign = gamma * sineSign * copysign(1, cosine);
    } else {
      p = before * bb;
      sign = -previous * ei;
    }
  }
  set(d, l, sigma + gamma);
  set(e, l, copysign(sqrt(s2 * p), sign));
  set(e, m, 0);
}

/** Rotates rows i and i + 1 for i = m − 1 … l, eight columns at a time so that the row in between stays in registers. */
function applyRotations(z: usize, ld: i32, l: i32, m: i32, rotations: usize): void {
  const row = <usize>ld << 3;
  let column: usize = 0;
  for (; column + 64 <= row; column += 64) {
    let p = z + <usize>m * row + column;
    let r = rotations + (<usize>(m - 1) << 4);
    let h0 = v128.load(p);
    let h1 = v128.load(p, 16);
    let h2 = v128.load(p, 32);
    let h3 = v128.load(p, 48);
    for (let i = m - 1; i >= l; i--) {
      const c = v128.load_splat<f64>(r);
      const s = v128.load_splat<f64>(r, 8);
      const q = p - row;
      const x0 = v128.load(q);
      const x1 = v128.load(q, 16);
      const x2 = v128.load(q, 32);
      const x3 = v128.load(q, 48);
      v128.store(p, f64x2.relaxed_madd(s, x0, f64x2.mul(c, h0)));
      v128.store(p, f64x2.relaxed_madd(s, x1, f64x2.mul(c, h1)), 16);
      v128.store(p, f64x2.relaxed_madd(s, x2, f64x2.mul(c, h2)), 32);
      v128.store(p, f64x2.relaxed_madd(s, x3, f64x2.mul(c, h3)), 48);
      h0 = f64x2.relaxed_nmadd(s, h0, f64x2.mul(c, x0));
      h1 = f64x2.relaxed_nmadd(s, h1, f64x2.mul(c, x1));
      h2 = f64x2.relaxed_nmadd(s, h2, f64x2.mul(c, x2));
      h3 = f64x2.relaxed_nmadd(s, h3, f64x2.mul(c, x3));
      p = q;
      r -= 16;
    }
    v128.store(p, h0);
    v128.store(p, h1, 16);
    v128.store(p, h2, 32);
    v128.store(p, h3, 48);
  }
  for (; column < row; column += 32) {
    let p = z + <usize>m * row + column;
    let r = rotations + (<usize>(m - 1) << 4);
    let h0 = v128.load(p);
    let h1 = v128.load(p, 16);
    for (let i = m - 1; i >= l; i--) {
      const c = v128.load_splat<f64>(r);
      const s = v128.load_splat<f64>(r, 8);
      const q = p - row;
      const x0 = v128.load(q);
      const x1 = v128.load(q, 16);
      v128.store(p, f64x2.relaxed_madd(s, x0, f64x2.mul(c, h0)));
      v128.store(p, f64x2.relaxed_madd(s, x1, f64x2.mul(c, h1)), 16);
      h0 = f64x2.relaxed_nmadd(s, h0, f64x2.mul(c, x0));
      h1 = f64x2.relaxed_nmadd(s, h1, f64x2.mul(c, x1));
      p = q;
      r -= 16;
    }
    v128.store(p, h0);
    v128.store(p, h1, 16);
  }
}

/** Values ascending, their rows with them. */
export function sortAscending(z: usize, n: i32, ld: i32, d: usize, vectors: bool): void {
  for (let i = 0; i < n - 1; i++) {
    let least = i;
    for (let j = i + 1; j < n; j++) if (at(d, j) < at(d, least)) least = j;
    if (least == i) continue;
    const value = at(d, i);
    set(d, i, at(d, least));
    set(d, least, value);
    if (!vectors) continue;
    const a = z + ((<usize>i * ld) << 3);
    const b = z + ((<usize>least * ld) << 3);
    for (let k: usize = 0; k < <usize>ld << 3; k += 16) {
      const x = v128.load(a + k);
      v128.store(a + k, v128.load(b + k));
      v128.store(b + k, x);
    }
  }
}

// @ts-ignore: decorator
@inline
function at(p: usize, i: i32): f64 {
  return load<f64>(p + (<usize>i << 3));
}

// @ts-ignore: decorator
@inline
function set(p: usize, i: i32, value: f64): void {
  store<f64>(p + (<usize>i << 3), value);
}
