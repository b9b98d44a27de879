/**
 * Inner products of `rows` rows of 8-bit numbers, `rowStride` bytes apart, with `count` others, `stride` bytes apart,
 * exact in i32 [rows × count]. columns: values that are read of each row, a multiple of 16, fewer than 2^17. Each of
 * the others meets all rows in turn, which therefore stay in the cache if they are few.
 */
export function byteProducts(
  first: usize,
  rowStride: i32,
  rows: i32,
  other: usize,
  stride: i32,
  count: i32,
  columns: i32,
  out: usize,
): void {
  for (let i = 0; i < count; i++, other += stride, out += 4) {
    let row = first;
    for (let r = 0; r < rows; r++, row += rowStride) store<i32>(out + (<usize>(r * count) << 2), product(row, other, columns));
  }
}

// @ts-ignore: decorator
@inline
function product(row: usize, other: usize, columns: i32): i32 {
  let even = i32x4.splat(0);
  let odd = even;
  for (let at: usize = 0; at < <usize>columns; at += 16) {
    even = i32x4.add(even, i32x4.dot_i16x8_s(v128.load8x8_s(row + at), v128.load8x8_s(other + at)));
    odd = i32x4.add(odd, i32x4.dot_i16x8_s(v128.load8x8_s(row + at, 8), v128.load8x8_s(other + at, 8)));
  }
  even = i32x4.add(even, odd);
  even = i32x4.add(even, i8x16.shuffle(even, even, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return i32x4.extract_lane(even, 0) + i32x4.extract_lane(even, 1);
}
