/**
 * Zero-phase second-order sections (forward, backward) on groups: `src` to `dst`, both [groups][steps][8]. `sos` [sections × 6],
 * `steady` [sections × 2], odd extension of `pad` steps; `work` holds (steps + 2·pad) · 64 + 64 bytes.
 */
export function filterGroups(src: usize, dst: usize, groups: i32, steps: i32, pad: i32, sos: usize, sections: i32, steady: usize, work: usize): void {
  const length = steps + 2 * pad;
  const edge = work + (<usize>length << 6);
  const end = work + (<usize>(length - 1) << 6);
  for (let g = 0; g < groups; g++) {
    const x = src + ((<usize>g * steps) << 6);
    extend(x, steps, pad, work);
    memory.copy(edge, work, 64);
    for (let s = 0; s < sections; s++) pass(work, length, 64, sos + s * 48, steady + (s << 4), edge);
    memory.copy(edge, end, 64);
    for (let s = 0; s < sections; s++) pass(end, length, -64, sos + s * 48, steady + (s << 4), edge);
    memory.copy(dst + ((<usize>g * steps) << 6), work + (<usize>pad << 6), <usize>steps << 6);
  }
}

/** Odd extension of one group [steps][8] by `pad` steps at each end, to `work` [steps + 2·pad][8]. */
function extend(x: usize, steps: i32, pad: i32, work: usize): void {
  const body = work + (<usize>pad << 6);
  const last = <usize>(steps - 1) << 6;
  memory.copy(body, x, <usize>steps << 6);
  for (let lane: usize = 0; lane < 64; lane += 16) {
    const left = f64x2.mul(v128.load(x + lane), f64x2.splat(2));
    const right = f64x2.mul(v128.load(x + last + lane), f64x2.splat(2));
    for (let i: usize = 1; i <= <usize>pad; i++) {
      v128.store(body - (i << 6) + lane, f64x2.sub(left, v128.load(x + (i << 6) + lane)));
      v128.store(body + last + (i << 6) + lane, f64x2.sub(right, v128.load(x + last - (i << 6) + lane)));
    }
  }
}

function pass(at: usize, length: i32, step: isize, coefficients: usize, steady: usize, edge: usize): void {
  const b0 = v128.load_splat<f64>(coefficients);
  const b1 = v128.load_splat<f64>(coefficients, 8);
  const b2 = v128.load_splat<f64>(coefficients, 16);
  const a1 = v128.load_splat<f64>(coefficients, 32);
  const a2 = v128.load_splat<f64>(coefficients, 40);
  const first = v128.load_splat<f64>(steady);
  const second = v128.load_splat<f64>(steady, 8);
  let p0 = f64x2.mul(first, v128.load(edge));
  let p1 = f64x2.mul(first, v128.load(edge, 16));
  let p2 = f64x2.mul(first, v128.load(edge, 32));
  let p3 = f64x2.mul(first, v128.load(edge, 48));
  let q0 = f64x2.mul(second, v128.load(edge));
  let q1 = f64x2.mul(second, v128.load(edge, 16));
  let q2 = f64x2.mul(second, v128.load(edge, 32));
  let q3 = f64x2.mul(second, v128.load(edge, 48));
  for (let i = 0; i < length; i++, at += step) {
    const x0 = v128.load(at);
    const y0 = f64x2.relaxed_madd(b0, x0, p0);
    p0 = f64x2.relaxed_nmadd(a1, y0, f64x2.relaxed_madd(b1, x0, q0));
    q0 = f64x2.relaxed_nmadd(a2, y0, f64x2.mul(b2, x0));
    v128.store(at, y0);
    const x1 = v128.load(at, 16);
    const y1 = f64x2.relaxed_madd(b0, x1, p1);
    p1 = f64x2.relaxed_nmadd(a1, y1, f64x2.relaxed_madd(b1, x1, q1));
    q1 = f64x2.relaxed_nmadd(a2, y1, f64x2.mul(b2, x1));
    v128.store(at, y1, 16);
    const x2 = v128.load(at, 32);
    const y2 = f64x2.relaxed_madd(b0, x2, p2);
    p2 = f64x2.relaxed_nmadd(a1, y2, f64x2.relaxed_madd(b1, x2, q2));
    q2 = f64x2.relaxed_nmadd(a2, y2, f64x2.mul(b2, x2));
    v128.store(at, y2, 32);
    const x3 = v128.load(at, 48);
    const y3 = f64x2.relaxed_madd(b0, x3, p3);
    p3 = f64x2.relaxed_nmadd(a1, y3, f64x2.relaxed_madd(b1, x3, q3));
    q3 = f64x2.relaxed_nmadd(a2, y3, f64x2.mul(b2, x3));
    v128.store(at, y3, 48);
  }
}
