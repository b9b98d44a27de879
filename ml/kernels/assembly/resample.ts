/**
 * Polyphase resampling of `rows` rows: output m = Σ taps[phase][k]·x[first + k], float32. x [rows × length] is float64
 * and already extended by `pad` at each end. Taps are stored by phase, reversed and padded to `width` (even). starts
 * [count] and phases [count] are i32.
 */
export function resampleRows(
  x: usize,
  rows: i32,
  length: i32,
  taps: usize,
  width: i32,
  starts: usize,
  phases: usize,
  count: i32,
  out: usize,
): void {
  for (let row = 0; row < rows; row++, x += <usize>length << 3) {
    for (let m = 0; m < count; m++, out += 4) {
      let a = x + (<usize>load<i32>(starts + (<usize>m << 2)) << 3);
      let t = taps + ((<usize>load<i32>(phases + (<usize>m << 2)) * width) << 3);
      let s0 = f64x2.splat(0);
      let s1 = s0;
      let k = 0;
      for (; k + 4 <= width; k += 4, a += 32, t += 32) {
        s0 = f64x2.relaxed_madd(v128.load(a), v128.load(t), s0);
        s1 = f64x2.relaxed_madd(v128.load(a, 16), v128.load(t, 16), s1);
      }
      if (k < width) s0 = f64x2.relaxed_madd(v128.load(a), v128.load(t), s0);
      s0 = f64x2.add(s0, s1);
      store<f32>(out, <f32>(f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1)));
    }
  }
}
