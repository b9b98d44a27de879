/**
 * One band of the movement network: powers of spatial filters, their logarithms, and the share of the band in the
 * hidden layers. In float32: the error is far below that of the signal, and the work takes half the time.
 *
 * covariances: packed matrices of `side` rows [trials · windows × p], off-diagonal entries once. filters: float64
 * [groups · 2 × side × 4], four filters side by side; a group is 8 filters. dense: for each window and filter its
 * weights [windows × groups · 8 × hidden]. `each`: filters of one network and side of the head, a multiple of 4; their
 * hidden values are one row of `out` [trials × sides × hidden], to which the band is added. hidden is a multiple of 4.
 * squares: room for p × groups · 8 values. logs: room for 5 × groups · 8 values. Five rows are read at a time: the
 * windows of a trial. Rows beyond the last are read as the last one.
 */
export function quadraticReadings(
  covariances: usize,
  trials: i32,
  windows: i32,
  side: i32,
  filters: usize,
  groups: i32,
  eps: f32,
  dense: usize,
  each: i32,
  hidden: i32,
  out: usize,
  squares: usize,
  logs: usize,
): void {
  const rows = trials * windows;
  const columns = groups << 3;
  const p = (side * (side + 1)) >> 1;
  const width = <usize>p << 2;
  const sides = columns / each;
  for (let four = 0; four < 2 * groups; four++)
    writeSquares(filters + <usize>four * side * 32, side, squares + <usize>four * p * 16);
  for (let row = 0; row < rows; row += 5) {
    const a = covariances + row * width;
    const b = row + 1 < rows ? a + width : a;
    const c = row + 2 < rows ? b + width : b;
    const d = row + 3 < rows ? c + width : c;
    const e = row + 4 < rows ? d + width : d;
    for (let group = 0; group < groups; group++)
      powersOfEight(
        a,
        b,
        c,
        d,
        e,
        p,
        squares + <usize>group * 2 * p * 16,
        logs + (<usize>group << 5),
        <usize>columns << 2,
        eps,
      );
    const last = min(5, rows - row);
    for (let i = 0; i < last; i++) {
      const t = (row + i) / windows;
      const w = (row + i) % windows;
      addHidden(
        logs + ((<usize>i * columns) << 2),
        dense + ((<usize>w * columns * hidden) << 2),
        each,
        sides,
        hidden,
        out + ((<usize>t * sides * hidden) << 2),
      );
    }
  }
}

/** Packed squares v·vᵀ of four filters side by side in float32, entries off the diagonal twice. */
// @ts-ignore: decorator
@inline
function writeSquares(v: usize, side: i32, out: usize): void {
  const end = v + (<usize>side << 5);
  for (; v < end; v += 32, out += 16) {
    const own0 = v128.load(v);
    const own1 = v128.load(v, 16);
    v128.store(out, narrowed(f64x2.mul(own0, own0), f64x2.mul(own1, own1)));
    const twice0 = f64x2.add(own0, own0);
    const twice1 = f64x2.add(own1, own1);
    for (let w = v + 32; w < end; w += 32) {
      out += 16;
      v128.store(out, narrowed(f64x2.mul(twice0, v128.load(w)), f64x2.mul(twice1, v128.load(w, 16))));
    }
  }
}

/** Four float64 as float32. */
// @ts-ignore: decorator
@inline
function narrowed(low: v128, high: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

/** log(power + eps) of eight filters for five covariances, in rows `sc` bytes apart. */
// @ts-ignore: decorator
@inline
function powersOfEight(
  a: usize,
  b: usize,
  c: usize,
  d: usize,
  e: usize,
  p: i32,
  f: usize,
  to: usize,
  sc: usize,
  eps: f32,
): void {
  let a0 = f32x4.splat(0);
  let a1 = a0;
  let b0 = a0;
  let b1 = a0;
  let c0 = a0;
  let c1 = a0;
  let d0 = a0;
  let d1 = a0;
  let e0 = a0;
  let e1 = a0;
  const second = <usize>p << 4;
  for (let k = 0; k < p; k++) {
    const f0 = v128.load(f);
    const f1 = v128.load(f + second);
    let lane = v128.load_splat<f32>(a);
    a0 = f32x4.relaxed_madd(lane, f0, a0);
    a1 = f32x4.relaxed_madd(lane, f1, a1);
    lane = v128.load_splat<f32>(b);
    b0 = f32x4.relaxed_madd(lane, f0, b0);
    b1 = f32x4.relaxed_madd(lane, f1, b1);
    lane = v128.load_splat<f32>(c);
    c0 = f32x4.relaxed_madd(lane, f0, c0);
    c1 = f32x4.relaxed_madd(lane, f1, c1);
    lane = v128.load_splat<f32>(d);
    d0 = f32x4.relaxed_madd(lane, f0, d0);
    d1 = f32x4.relaxed_madd(lane, f1, d1);
    lane = v128.load_splat<f32>(e);
    e0 = f32x4.relaxed_madd(lane, f0, e0);
    e1 = f32x4.relaxed_madd(lane, f1, e1);
    f += 16;
    a += 4;
    b += 4;
    c += 4;
    d += 4;
    e += 4;
  }
  const least = f32x4.splat(eps);
  putLogs(to, a0, a1, least);
  putLogs(to + sc, b0, b1, least);
  putLogs(to + 2 * sc, c0, c1, least);
  putLogs(to + 3 * sc, d0, d1, least);
  putLogs(to + 4 * sc, e0, e1, least);
}

// @ts-ignore: decorator
@inline
function putLogs(to: usize, x0: v128, x1: v128, eps: v128): void {
  const zero = f32x4.splat(0);
  v128.store(to, logarithmOfFour(f32x4.add(f32x4.max(x0, zero), eps)));
  v128.store(to, logarithmOfFour(f32x4.add(f32x4.max(x1, zero), eps)), 16);
}

/**
 * Natural logarithm of four positive normal numbers: the mantissa m between √½ and √2 by the series of
 * artanh((m − 1) / (m + 1)), whose first term left out is below 1e-8.
 */
// @ts-ignore: decorator
@inline
function logarithmOfFour(x: v128): v128 {
  const moved = i32x4.sub(x, i32x4.splat(0x3f3504f3));
  const exponent = f32x4.convert_i32x4_s(i32x4.shr_s(moved, 23));
  const m = i32x4.add(v128.and(moved, i32x4.splat(0x7fffff)), i32x4.splat(0x3f3504f3));
  const one = f32x4.splat(1);
  const s = f32x4.div(f32x4.sub(m, one), f32x4.add(m, one));
  const q = f32x4.mul(s, s);
  let sum = f32x4.relaxed_madd(q, f32x4.splat(0.11111111), f32x4.splat(0.14285715));
  sum = f32x4.relaxed_madd(q, sum, f32x4.splat(0.2));
  sum = f32x4.relaxed_madd(q, sum, f32x4.splat(0.33333334));
  sum = f32x4.relaxed_madd(q, sum, one);
  return f32x4.relaxed_madd(exponent, f32x4.splat(0.6931472), f32x4.mul(f32x4.add(s, s), sum));
}

/** Adds logarithms times their dense weights to the hidden values of each side. */
// @ts-ignore: decorator
@inline
function addHidden(logs: usize, dense: usize, each: i32, sides: i32, hidden: i32, out: usize): void {
  const bytes = <usize>hidden << 2;
  for (let side = 0; side < sides; side++) {
    let h: usize = 0;
    for (; h + 64 <= bytes; h += 64) addSixteen(logs, dense + h, each, bytes, out + h);
    for (; h < bytes; h += 16) {
      let sum = v128.load(out + h);
      for (let f = 0, at = dense + h; f < each; f++, at += bytes)
        sum = f32x4.relaxed_madd(v128.load_splat<f32>(logs + (<usize>f << 2)), v128.load(at), sum);
      v128.store(out + h, sum);
    }
    logs += <usize>each << 2;
    dense += <usize>each * bytes;
    out += bytes;
  }
}

// @ts-ignore: decorator
@inline
function addSixteen(logs: usize, dense: usize, each: i32, bytes: usize, out: usize): void {
  let s0 = v128.load(out);
  let s1 = v128.load(out, 16);
  let s2 = v128.load(out, 32);
  let s3 = v128.load(out, 48);
  for (let f = 0; f < each; f++) {
    const log = v128.load_splat<f32>(logs + (<usize>f << 2));
    s0 = f32x4.relaxed_madd(log, v128.load(dense), s0);
    s1 = f32x4.relaxed_madd(log, v128.load(dense, 16), s1);
    s2 = f32x4.relaxed_madd(log, v128.load(dense, 32), s2);
    s3 = f32x4.relaxed_madd(log, v128.load(dense, 48), s3);
    dense += bytes;
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
}
