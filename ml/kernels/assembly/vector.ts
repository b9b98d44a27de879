/** y = A·x for rows a [rows × ld], ld a multiple of 4, x [ld] zero beyond the columns. */
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

/** y = Aᵀ·s [ld] for the same a and s [rows]. */
export function transposedTimesVector(a: usize, rows: i32, ld: i32, s: usize, y: usize): void {
  const row = <usize>ld << 3;
  memory.fill(y, 0, row);
  let i = 0;
  for (; i + 2 <= rows; i += 2, a += 2 * row) {
    const first = v128.load_splat<f64>(s + (<usize>i << 3));
    const second = v128.load_splat<f64>(s + (<usize>i << 3), 8);
    const b = a + row;
    for (let k: usize = 0; k < row; k += 32) {
      v128.store(y + k, f64x2.relaxed_madd(second, v128.load(b + k), f64x2.relaxed_madd(first, v128.load(a + k), v128.load(y + k))));
      v128.store(y + k, f64x2.relaxed_madd(second, v128.load(b + k, 16), f64x2.relaxed_madd(first, v128.load(a + k, 16), v128.load(y + k, 16))), 16);
    }
  }
  if (i < rows) {
    const last = v128.load_splat<f64>(s + (<usize>i << 3));
    for (let k: usize = 0; k < row; k += 16) v128.store(y + k, f64x2.relaxed_madd(last, v128.load(a + k), v128.load(y + k)));
  }
}
