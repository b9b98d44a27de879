import { clear } from './move';

/**
 * Reduces one symmetric z [n × ld] to tridiagonal form and writes it to the first lane of de [n][d and e of eight
 * lanes]. Reads the lower triangle; ld is a multiple of 4. With vectors = true the rows of z become the orthogonal
 * basis. work: 5·ld values.
 */
export function reduceOne(z: usize, n: i32, ld: i32, de: usize, work: usize, vectors: bool): void {
  const row = <usize>ld << 3;
  const e = work + row;
  const scales = e + row;
  tridiagonalise(z, n, ld, work, e, scales, scales + row);
  if (vectors) accumulate(z, n, ld, scales);
  for (let k: usize = 0; k < <usize>n; k++) {
    store<f64>(de + (k << 7), load<f64>(work + (k << 3)));
    store<f64>(de + (k << 7), load<f64>(e + (k << 3)), 64);
  }
}

/**
 * Householder reduction of the symmetric z [n × ld] (lower triangle) to tridiagonal form: diagonal d, sub-diagonal e
 * (e[i] couples i and i + 1, e[n − 1] = 0). Row i of z becomes the reflection vector, scales[i] its factor. w: 2·ld
 * values. The diagonal and the upper triangle of z stay zero, so that loops may run over whole vectors.
 */
export function tridiagonalise(z: usize, n: i32, ld: i32, d: usize, e: usize, scales: usize, w: usize): void {
  const row = <usize>ld << 3;
  const u = w + row;
  for (let i = 0; i < n; i++) {
    const p = z + <usize>i * row;
    store<f64>(d + (<usize>i << 3), load<f64>(p + (<usize>i << 3)));
    clear(p + (<usize>i << 3), row - (<usize>i << 3));
  }
  clear(scales, row);
  store<f64>(e + (<usize>(n - 1) << 3), 0);
  for (let i = n - 1; i >= 1; i--) {
    const v = z + <usize>i * row;
    const norm2 = dot(v, v, i);
    const lastAt = v + (<usize>(i - 1) << 3);
    const last = load<f64>(lastAt);
    if (i == 1 || !(norm2 - last * last > 1e-300)) {
      store<f64>(e + (<usize>(i - 1) << 3), last);
      continue;
    }
    const alpha = -copysign(sqrt(norm2), last);
    store<f64>(e + (<usize>(i - 1) << 3), alpha);
    store<f64>(lastAt, last - alpha);
    const beta = 1 / (norm2 - last * alpha);
    store<f64>(scales + (<usize>i << 3), beta);
    clear(w, row);
    symmetricTimes(z, row, i, v, d, w, u);
    finishProduct(v, i, w, u, beta);
    subtractRankTwo(z, row, i, v, d, w);
  }
}

/** w + u = A·v for the leading i × i block. z holds the rows below the diagonal, d the diagonal. */
function symmetricTimes(z: usize, row: usize, i: i32, v: usize, d: usize, w: usize, u: usize): void {
  let j = 0;
  for (; j + 4 <= i; j += 4) {
    let a = z + <usize>j * row;
    let b = a + row;
    let c = b + row;
    let f = c + row;
    const vj = v + (<usize>j << 3);
    const v0 = v128.load_splat<f64>(vj);
    const v1 = v128.load_splat<f64>(vj, 8);
    const v2 = v128.load_splat<f64>(vj, 16);
    const v3 = v128.load_splat<f64>(vj, 24);
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    let q = w;
    for (let k = v; k < vj + 32; k += 16) {
      const x = v128.load(k);
      const r0 = v128.load(a);
      const r1 = v128.load(b);
      const r2 = v128.load(c);
      const r3 = v128.load(f);
      s0 = f64x2.relaxed_madd(r0, x, s0);
      s1 = f64x2.relaxed_madd(r1, x, s1);
      s2 = f64x2.relaxed_madd(r2, x, s2);
      s3 = f64x2.relaxed_madd(r3, x, s3);
      const low = f64x2.relaxed_madd(r1, v1, f64x2.relaxed_madd(r0, v0, v128.load(q)));
      v128.store(q, f64x2.relaxed_madd(r3, v3, f64x2.relaxed_madd(r2, v2, low)));
      a += 16;
      b += 16;
      c += 16;
      f += 16;
      q += 16;
    }
    const uj = u + (<usize>j << 3);
    const dj = d + (<usize>j << 3);
    store<f64>(uj, total(s0) + load<f64>(dj) * load<f64>(vj));
    store<f64>(uj, total(s1) + load<f64>(dj, 8) * load<f64>(vj, 8), 8);
    store<f64>(uj, total(s2) + load<f64>(dj, 16) * load<f64>(vj, 16), 16);
    store<f64>(uj, total(s3) + load<f64>(dj, 24) * load<f64>(vj, 24), 24);
  }
  for (; j < i; j++) {
    const a = z + <usize>j * row;
    const vj = v128.load_splat<f64>(v + (<usize>j << 3));
    const value = dot(a, v, j) + load<f64>(d + (<usize>j << 3)) * load<f64>(v + (<usize>j << 3));
    for (let k: usize = 0; k < <usize>j << 3; k += 16) {
      v128.store(w + k, f64x2.relaxed_madd(vj, v128.load(a + k), v128.load(w + k)));
    }
    store<f64>(u + (<usize>j << 3), value);
  }
}

/** w = β·(w + u) − (β/2)(vᵀ·β·(w + u))·v, zero from i on. */
function finishProduct(v: usize, i: i32, w: usize, u: usize, beta: f64): void {
  for (let k: usize = 0; k < <usize>i << 3; k += 8) store<f64>(w + k, beta * (load<f64>(w + k) + load<f64>(u + k)));
  for (let k: usize = <usize>i << 3; k < (<usize>(i + 3) & ~3) << 3; k += 8) store<f64>(w + k, 0);
  const projection = (beta / 2) * dot(w, v, i);
  for (let k: usize = 0; k < <usize>i << 3; k += 8) store<f64>(w + k, load<f64>(w + k) - projection * load<f64>(v + k));
}

/** A −= v·wᵀ + w·vᵀ on the leading i × i block. */
function subtractRankTwo(z: usize, row: usize, i: i32, v: usize, d: usize, w: usize): void {
  for (let k: usize = 0; k < <usize>i << 3; k += 8)
    store<f64>(d + k, load<f64>(d + k) - 2 * load<f64>(v + k) * load<f64>(w + k));
  let j = 0;
  for (; j + 4 <= i; j += 4) {
    const offset = <usize>j << 3;
    let a = z + <usize>j * row;
    const v0 = v128.load_splat<f64>(v + offset);
    const v1 = v128.load_splat<f64>(v + offset, 8);
    const v2 = v128.load_splat<f64>(v + offset, 16);
    const v3 = v128.load_splat<f64>(v + offset, 24);
    const w0 = v128.load_splat<f64>(w + offset);
    const w1 = v128.load_splat<f64>(w + offset, 8);
    const w2 = v128.load_splat<f64>(w + offset, 16);
    const w3 = v128.load_splat<f64>(w + offset, 24);
    for (let k: usize = 0; k < offset + 32; k += 16, a += 16) {
      const x = v128.load(v + k);
      const y = v128.load(w + k);
      v128.store(a, f64x2.relaxed_nmadd(w0, x, f64x2.relaxed_nmadd(v0, y, v128.load(a))));
      v128.store(a + row, f64x2.relaxed_nmadd(w1, x, f64x2.relaxed_nmadd(v1, y, v128.load(a + row))));
      v128.store(a + 2 * row, f64x2.relaxed_nmadd(w2, x, f64x2.relaxed_nmadd(v2, y, v128.load(a + 2 * row))));
      v128.store(a + 3 * row, f64x2.relaxed_nmadd(w3, x, f64x2.relaxed_nmadd(v3, y, v128.load(a + 3 * row))));
    }
    a = z + <usize>j * row + offset;
    clear(a, 32);
    clear(a + row + 8, 24);
    clear(a + 2 * row + 16, 16);
    store<f64>(a + 3 * row, 0, 24);
  }
  for (; j < i; j++) {
    const a = z + <usize>j * row;
    const vj = v128.load_splat<f64>(v + (<usize>j << 3));
    const wj = v128.load_splat<f64>(w + (<usize>j << 3));
    for (let k: usize = 0; k < <usize>j << 3; k += 16) {
      const rest = f64x2.relaxed_nmadd(vj, v128.load(w + k), v128.load(a + k));
      v128.store(a + k, f64x2.relaxed_nmadd(wj, v128.load(v + k), rest));
    }
    store<f64>(a + (<usize>j << 3), 0);
  }
}

/**
 * Overwrites the reflection vectors by the transposed product of the reflections, two at a time: the rows of z become
 * an orthogonal basis.
 */
export function accumulate(z: usize, n: i32, ld: i32, scales: usize): void {
  const row = <usize>ld << 3;
  let i = n & 1;
  if (i) {
    clear(z, row);
    store<f64>(z, 1);
  }
  for (; i < n; i += 2) {
    const v = z + <usize>i * row;
    const u = v + row;
    const first = load<f64>(scales + (<usize>i << 3));
    const second = load<f64>(scales + (<usize>i << 3), 8);
    const between = dot(v, u, i);
    let j = 0;
    for (; j + 4 <= i; j += 4) reflectFour(z + <usize>j * row, row, v, u, i + 1, first, second, between);
    for (; j < i; j++) reflect(z + <usize>j * row, v, u, i + 1, first, second, between);
    const factor = f64x2.splat(-second * load<f64>(u + (<usize>i << 3)));
    for (let k: usize = 0; k < row; k += 16) v128.store(v + k, f64x2.mul(factor, v128.load(u + k)));
    store<f64>(v + (<usize>i << 3), 1 + load<f64>(v + (<usize>i << 3)));
    clear(u, row);
    store<f64>(u + (<usize>i << 3), 1, 8);
  }
}

/** Reflects four rows along v, then along u. `between` is the inner product of v and u. */
function reflectFour(a: usize, row: usize, v: usize, u: usize, i: i32, first: f64, second: f64, between: f64): void {
  const b = a + row;
  const c = b + row;
  const d = c + row;
  const end = <usize>i << 3;
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let t0 = s0;
  let t1 = s0;
  let t2 = s0;
  let t3 = s0;
  for (let k: usize = 0; k < end; k += 16) {
    const x = v128.load(v + k);
    const y = v128.load(u + k);
    let r = v128.load(a + k);
    s0 = f64x2.relaxed_madd(r, x, s0);
    t0 = f64x2.relaxed_madd(r, y, t0);
    r = v128.load(b + k);
    s1 = f64x2.relaxed_madd(r, x, s1);
    t1 = f64x2.relaxed_madd(r, y, t1);
    r = v128.load(c + k);
    s2 = f64x2.relaxed_madd(r, x, s2);
    t2 = f64x2.relaxed_madd(r, y, t2);
    r = v128.load(d + k);
    s3 = f64x2.relaxed_madd(r, x, s3);
    t3 = f64x2.relaxed_madd(r, y, t3);
  }
  s0 = f64x2.splat(first * total(s0));
  s1 = f64x2.splat(first * total(s1));
  s2 = f64x2.splat(first * total(s2));
  s3 = f64x2.splat(first * total(s3));
  t0 = f64x2.splat(second * (total(t0) - between * f64x2.extract_lane(s0, 0)));
  t1 = f64x2.splat(second * (total(t1) - between * f64x2.extract_lane(s1, 0)));
  t2 = f64x2.splat(second * (total(t2) - between * f64x2.extract_lane(s2, 0)));
  t3 = f64x2.splat(second * (total(t3) - between * f64x2.extract_lane(s3, 0)));
  for (let k: usize = 0; k < end; k += 16) {
    const x = v128.load(v + k);
    const y = v128.load(u + k);
    v128.store(a + k, f64x2.relaxed_nmadd(t0, y, f64x2.relaxed_nmadd(s0, x, v128.load(a + k))));
    v128.store(b + k, f64x2.relaxed_nmadd(t1, y, f64x2.relaxed_nmadd(s1, x, v128.load(b + k))));
    v128.store(c + k, f64x2.relaxed_nmadd(t2, y, f64x2.relaxed_nmadd(s2, x, v128.load(c + k))));
    v128.store(d + k, f64x2.relaxed_nmadd(t3, y, f64x2.relaxed_nmadd(s3, x, v128.load(d + k))));
  }
}

// @ts-ignore: decorator
@inline
function reflect(a: usize, v: usize, u: usize, i: i32, first: f64, second: f64, between: f64): void {
  const s = first * dot(a, v, i);
  const t = second * (dot(a, u, i) - between * s);
  const x = f64x2.splat(s);
  const y = f64x2.splat(t);
  for (let k: usize = 0; k < <usize>i << 3; k += 16) {
    v128.store(
      a + k,
      f64x2.relaxed_nmadd(y, v128.load(u + k), f64x2.relaxed_nmadd(x, v128.load(v + k), v128.load(a + k))),
    );
  }
}

/** a·b over i values, rounded up to whole vectors. One of the two is zero after i. */
// @ts-ignore: decorator
@inline
function dot(a: usize, b: usize, i: i32): f64 {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  const end = (<usize>i << 3) & ~31;
  let k: usize = 0;
  for (; k < end; k += 32) {
    s0 = f64x2.relaxed_madd(v128.load(a + k), v128.load(b + k), s0);
    s1 = f64x2.relaxed_madd(v128.load(a + k, 16), v128.load(b + k, 16), s1);
  }
  for (; k < <usize>i << 3; k += 16) s0 = f64x2.relaxed_madd(v128.load(a + k), v128.load(b + k), s0);
  return total(f64x2.add(s0, s1));
}

// @ts-ignore: decorator
@inline
function total(s: v128): f64 {
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}
