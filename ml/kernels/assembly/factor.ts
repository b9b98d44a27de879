import { clear } from './move';

/**
 * Cholesky factor of a [n × ld] in place (ld a multiple of 4). Leaves the lower triangle; the upper one is zero.
 * Returns 1, or 0 if a pivot is not positive.
 */
export function choleskyFactor(a: usize, n: i32, ld: i32): i32 {
  const row = <usize>ld << 3;
  for (let i = 0; i < n; i++) {
    const p = a + <usize>i * row;
    for (let j = 0; j <= i; j++) {
      const q = a + <usize>j * row;
      const value = load<f64>(p + (<usize>j << 3)) - partialDot(p, q, j);
      if (j < i) {
        store<f64>(p + (<usize>j << 3), value / load<f64>(q + (<usize>j << 3)));
      } else {
        if (!(value > 0)) return 0;
        store<f64>(p + (<usize>i << 3), sqrt(value));
      }
    }
    clear(p + (<usize>(i + 1) << 3), row - (<usize>(i + 1) << 3));
  }
  return 1;
}

/**
 * Solves L·X = B in place, or Lᵀ·X = B if `transposed`. l [n × n] has rows of ldl values, b has n rows of ldb values (a
 * multiple of 4).
 */
export function solveTriangular(l: usize, ldl: i32, b: usize, ldb: i32, n: i32, transposed: bool): void {
  const width = <usize>ldb << 3;
  for (let step = 0; step < n; step++) {
    const i = transposed ? n - 1 - step : step;
    const x = b + <usize>i * width;
    const from = transposed ? i + 1 : 0;
    const to = transposed ? n : i;
    for (let k = from; k < to; k++) {
      const factor = v128.load_splat<f64>(l + ((transposed ? <usize>k * ldl + i : <usize>i * ldl + k) << 3));
      const y = b + <usize>k * width;
      for (let c: usize = 0; c < width; c += 32) {
        v128.store(x + c, f64x2.relaxed_nmadd(factor, v128.load(y + c), v128.load(x + c)));
        v128.store(x + c, f64x2.relaxed_nmadd(factor, v128.load(y + c, 16), v128.load(x + c, 16)), 16);
      }
    }
    const inverse = f64x2.splat(1 / load<f64>(l + ((<usize>i * ldl + i) << 3)));
    for (let c: usize = 0; c < width; c += 16) v128.store(x + c, f64x2.mul(inverse, v128.load(x + c)));
  }
}

// @ts-ignore: decorator
@inline
function partialDot(a: usize, b: usize, count: i32): f64 {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let k: usize = 0;
  const end = <usize>count << 3;
  for (; k + 32 <= end; k += 32) {
    s0 = f64x2.relaxed_madd(v128.load(a + k), v128.load(b + k), s0);
    s1 = f64x2.relaxed_madd(v128.load(a + k, 16), v128.load(b + k, 16), s1);
  }
  s0 = f64x2.add(s0, s1);
  let sum = f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1);
  for (; k < end; k += 8) sum += load<f64>(a + k) * load<f64>(b + k);
  return sum;
}
