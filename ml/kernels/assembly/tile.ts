/**
 * C[4 × 4] (+)= AᵀB over `count` steps: four lanes at `a` and four at `b`, which advance by sa and sb bytes. Rows of C
 * are sc bytes apart.
 */
export function tile(a: usize, sa: usize, b: usize, sb: usize, count: i32, c: usize, sc: usize, add: bool): void {
  let c00 = f64x2.splat(0);
  let c01 = c00;
  let c10 = c00;
  let c11 = c00;
  let c20 = c00;
  let c21 = c00;
  let c30 = c00;
  let c31 = c00;
  for (let k = 0; k < count; k++) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let lane = v128.load_splat<f64>(a);
    c00 = f64x2.relaxed_madd(lane, b0, c00);
    c01 = f64x2.relaxed_madd(lane, b1, c01);
    lane = v128.load_splat<f64>(a, 8);
    c10 = f64x2.relaxed_madd(lane, b0, c10);
    c11 = f64x2.relaxed_madd(lane, b1, c11);
    lane = v128.load_splat<f64>(a, 16);
    c20 = f64x2.relaxed_madd(lane, b0, c20);
    c21 = f64x2.relaxed_madd(lane, b1, c21);
    lane = v128.load_splat<f64>(a, 24);
    c30 = f64x2.relaxed_madd(lane, b0, c30);
    c31 = f64x2.relaxed_madd(lane, b1, c31);
    a += sa;
    b += sb;
  }
  put(c, c00, c01, add);
  put(c + sc, c10, c11, add);
  put(c + 2 * sc, c20, c21, add);
  put(c + 3 * sc, c30, c31, add);
}

/**
 * C[8 × 8] (+)= products of the lanes of a group at `a` with the lanes of one at `b` over `count` steps. upper: without
 * the tile below the diagonal.
 */
export function tileGroups(a: usize, b: usize, count: i32, c: usize, sc: usize, upper: bool, add: bool): void {
  tile(a, 64, b, 64, count, c, sc, add);
  tile(a, 64, b + 32, 64, count, c + 32, sc, add);
  if (!upper) tile(a + 32, 64, b, 64, count, c + (sc << 2), sc, add);
  tile(a + 32, 64, b + 32, 64, count, c + (sc << 2) + 32, sc, add);
}

// @ts-ignore: decorator
@inline
function put(c: usize, low: v128, high: v128, add: bool): void {
  if (add) {
    low = f64x2.add(low, v128.load(c));
    high = f64x2.add(high, v128.load(c, 16));
  }
  v128.store(c, low);
  v128.store(c, high, 16);
}

/**
 * C [m × n] = AᵀB for A [k × m] and B [k × n]. Rows have lda, ldb and ldc values (multiples of 4, padded with zeros).
 * upper: only tiles on and above the diagonal.
 */
export function multiplyTN(
  a: usize,
  lda: i32,
  b: usize,
  ldb: i32,
  c: usize,
  ldc: i32,
  m: i32,
  k: i32,
  n: i32,
  upper: bool,
  add: bool,
): void {
  const sa = <usize>lda << 3;
  const sb = <usize>ldb << 3;
  const sc = <usize>ldc << 3;
  for (let i = 0; i < m; i += 4) {
    for (let j = upper ? i : 0; j < n; j += 4) {
      tile(a + (<usize>i << 3), sa, b + (<usize>j << 3), sb, k, c + <usize>i * sc + (<usize>j << 3), sc, add);
    }
  }
}
