/** y = A·x for rows a [rows × ld], ld a multiple of 4. x [ld] is zero after the last column. */
export function timesVector(a: usize, rows: i32, ld: i32, x: usize, y: usize): void {
  const row = <usize>ld << 3;
  for (let i = 0; i < rows; i++, a += row) {
    let s0 = f64x2.splat(0);
    let s1 = s0;
    for (let k: usize = 0; k < row; k += 32) {
      s0 = f64x2.relaxed_madd(v128.load(a + k), v128.load(x + k), s0);
      s1 = f64x2.relaxed_madd(v128.load(a + k, 16), v128.load(x + k, 16), s1);
    }
    s0 = f64x2.add(s0, s1);
    store<f64>(y + (<usize>i << 3), f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1));
  }
}

/** y = Aᵀ·s [ld] for the same a, and s [rows]. */
export function transposedTimesVector(a: usize, rows: i32, ld: i32, s: usize, y: usize): void {
  const row = <usize>ld << 3;
  memory.fill(y, 0, row);
  let i = 0;
  for (; i + 2 <= rows; i += 2, a += 2 * row) {
    const first = v128.load_splat<f64>(s + (<usize>i << 3));
    const second = v128.load_splat<f64>(s + (<usize>i << 3), 8);
    const b = a + row;
    for (let k: usize = 0; k < row; k += 32) {
      v128.store(
        y + k,
        f64x2.relaxed_madd(second, v128.load(b + k), f64x2.relaxed_madd(first, v128.load(a + k), v128.load(y + k))),
      );
      v128.store(
        y + k,
        f64x2.relaxed_madd(
          second,
          v128.load(b + k, 16),
          f64x2.relaxed_madd(first, v128.load(a + k, 16), v128.load(y + k, 16)),
        ),
        16,
      );
    }
  }
  if (i < rows) {
    const last = v128.load_splat<f64>(s + (<usize>i << 3));
    for (let k: usize = 0; k < row; k += 16)
      v128.store(y + k, f64x2.relaxed_madd(last, v128.load(a + k), v128.load(y + k)));
  }
}

/** Inner product of two vectors. Keeps four sums, so that an addition does not wait for the one before. */
export function dot(a: usize, b: usize, n: i32): f64 {
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let k = n;
  for (; k >= 4; k -= 4, a += 32, b += 32) {
    s0 = f64x2.add(s0, f64x2.mul(v128.load(a), v128.load(b)));
    s1 = f64x2.add(s1, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
  }
  let first = f64x2.extract_lane(s0, 0);
  for (; k > 0; k--, a += 8, b += 8) first += load<f64>(a) * load<f64>(b);
  return first + f64x2.extract_lane(s0, 1) + (f64x2.extract_lane(s1, 0) + f64x2.extract_lane(s1, 1));
}

/** q ← q + by · a, and returns the inner product of q and b, in one pass. */
export function addThenDot(q: usize, by: f64, a: usize, b: usize, n: i32): f64 {
  const factor = f64x2.splat(by);
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let k = n;
  for (; k >= 4; k -= 4, q += 32, a += 32, b += 32) {
    const low = f64x2.add(v128.load(q), f64x2.mul(factor, v128.load(a)));
    const high = f64x2.add(v128.load(q, 16), f64x2.mul(factor, v128.load(a, 16)));
    v128.store(q, low);
    v128.store(q, high, 16);
    s0 = f64x2.add(s0, f64x2.mul(low, v128.load(b)));
    s1 = f64x2.add(s1, f64x2.mul(high, v128.load(b, 16)));
  }
  let first = f64x2.extract_lane(s0, 0);
  for (; k > 0; k--, q += 8, a += 8, b += 8) {
    const sum = load<f64>(q) + by * load<f64>(a);
    store<f64>(q, sum);
    first += sum * load<f64>(b);
  }
  return first + f64x2.extract_lane(s0, 1) + (f64x2.extract_lane(s1, 0) + f64x2.extract_lane(s1, 1));
}
