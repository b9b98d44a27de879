/**
 * Inner products of a row of 8-bit numbers with `count` others, each `stride` bytes after the one before, exact in i32
 * [count]. columns: values that are read of each row, a multiple of 16, fewer than 2^17.
 */
export function byteProducts(row: usize, other: usize, stride: i32, count: i32, columns: i32, out: usize): void {
  for (let i = 0; i < count; i++, other += stride, out += 4) {
    let even = i32x4.splat(0);
    let odd = even;
    for (let at: usize = 0; at < <usize>columns; at += 16) {
      even = i32x4.add(even, i32x4.dot_i16x8_s(v128.load8x8_s(row + at), v128.load8x8_s(other + at)));
      odd = i32x4.add(odd, i32x4.dot_i16x8_s(v128.load8x8_s(row + at, 8), v128.load8x8_s(other + at, 8)));
    }
    even = i32x4.add(even, odd);
    store<i32>(
      out,
      i32x4.extract_lane(even, 0) + i32x4.extract_lane(even, 1) + i32x4.extract_lane(even, 2) + i32x4.extract_lane(even, 3),
    );
  }
}
