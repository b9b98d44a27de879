import { copy } from './move';

/**
 * Zero-phase filter of second-order sections (forward, then backward) on groups, from `src` to `dst`, both
 * [groups][steps][8]. `sections` [count × 5] gives b1 b2 a1 a2 of each section (b0 is 1) and its output for a constant
 * input of 1. `gain` is the gain of all sections in one direction. The signal is extended by `pad` steps with odd
 * symmetry at each end. `work`: 2 · (steps + 2·pad + 4) · 64 + 64 bytes.
 */
export function filterGroups(
  src: usize,
  dst: usize,
  groups: i32,
  steps: i32,
  pad: i32,
  sections: usize,
  count: i32,
  gain: f64,
  work: usize,
): void {
  const length = steps + 2 * pad;
  // Two extra steps at each end store the values before the first sample, for both directions.
  const room = (<usize>length + 4) << 6;
  const edge = work + 2 * room;
  const last = <usize>(length - 1) << 6;
  const end = sections + <usize>count * 40;
  const both = f64x2.splat(gain * gain);
  for (let g = 0; g < groups; g++) {
    let from = work + 128;
    let to = from + room;
    extend(src + ((<usize>g * steps) << 6), steps, pad, both, from);
    for (let way = 0; way < 2; way++) {
      const at = way ? last : 0;
      const step: isize = way ? -64 : 64;
      copy(from + at, edge, 64);
      copy(edge, from + at - step, 64);
      copy(edge, from + at - 2 * step, 64);
      for (let section = sections; section < end; section += 40) {
        if (section + 40 < end && isBetween(section) && isBetween(section + 40)) {
          settle(to + at, step, section + 40, edge);
          passBetween(from + at, to + at, length, step, section, edge);
          passBetween(from + at + 32, to + at + 32, length, step, section, edge + 32);
          section += 40;
        } else {
          settle(to + at, step, section, edge);
          pass(from + at, to + at, length, step, section);
        }
        const filtered = to;
        to = from;
        from = filtered;
      }
    }
    memory.copy(dst + ((<usize>g * steps) << 6), from + (<usize>pad << 6), <usize>steps << 6);
  }
}

/** Odd extension of one group [steps][8] by `pad` steps at each end, times `gain`, to `work` [steps + 2·pad][8]. */
function extend(x: usize, steps: i32, pad: i32, gain: v128, work: usize): void {
  const body = work + (<usize>pad << 6);
  const last = <usize>(steps - 1) << 6;
  for (let from = x, to = body; from < x + (<usize>steps << 6); from += 64, to += 64) {
    v128.store(to, f64x2.mul(gain, v128.load(from)));
    v128.store(to, f64x2.mul(gain, v128.load(from, 16)), 16);
    v128.store(to, f64x2.mul(gain, v128.load(from, 32)), 32);
    v128.store(to, f64x2.mul(gain, v128.load(from, 48)), 48);
  }
  for (let lane: usize = 0; lane < 64; lane += 16) {
    const left = f64x2.mul(v128.load(body + lane), f64x2.splat(2));
    const right = f64x2.mul(v128.load(body + last + lane), f64x2.splat(2));
    for (let i: usize = 1; i <= <usize>pad; i++) {
      v128.store(body - (i << 6) + lane, f64x2.sub(left, v128.load(body + (i << 6) + lane)));
      v128.store(body + last + (i << 6) + lane, f64x2.sub(right, v128.load(body + last - (i << 6) + lane)));
    }
  }
}

/** Sets the two outputs before the first one at `to`, as if the input had always had its value at the edge. */
function settle(to: usize, step: isize, section: usize, edge: usize): void {
  const level = v128.load_splat<f64>(section, 32);
  for (let lane: usize = 0; lane < 64; lane += 16) {
    const value = f64x2.mul(level, v128.load(edge + lane));
    v128.store(to + lane - step, value);
    v128.store(to + lane - 2 * step, value);
  }
}

// @ts-ignore: decorator
@inline
function isBetween(section: usize): bool {
  return load<f64>(section) == 0 && load<f64>(section, 8) == -1;
}

/**
 * Two sections of a band-pass, both with b = (1, 0, −1), on four lanes in direct form I. Only one product lies between
 * an output and the next, and the output of the first section stays in registers.
 */
function passBetween(from: usize, to: usize, length: i32, step: isize, section: usize, edge: usize): void {
  const a1 = v128.load_splat<f64>(section, 16);
  const a2 = v128.load_splat<f64>(section, 24);
  const level = v128.load_splat<f64>(section, 32);
  const c1 = v128.load_splat<f64>(section, 56);
  const c2 = v128.load_splat<f64>(section, 64);
  let p0 = f64x2.mul(level, v128.load(edge));
  let p1 = f64x2.mul(level, v128.load(edge, 16));
  let q0 = p0;
  let q1 = p1;
  let r0 = v128.load(to - step);
  let r1 = v128.load(to - step, 16);
  let s0 = r0;
  let s1 = r1;
  let early = from - 2 * step;
  // One extra step if their number is odd. It lies beyond the end and is discarded.
  for (let i = 0; i < length; i += 2) {
    let y0 = recur(a1, p0, a2, q0, f64x2.sub(v128.load(from), v128.load(early)));
    let y1 = recur(a1, p1, a2, q1, f64x2.sub(v128.load(from, 16), v128.load(early, 16)));
    s0 = recur(c1, r0, c2, s0, f64x2.sub(y0, q0));
    s1 = recur(c1, r1, c2, s1, f64x2.sub(y1, q1));
    q0 = y0;
    q1 = y1;
    v128.store(to, s0);
    v128.store(to, s1, 16);
    from += step;
    early += step;
    to += step;
    y0 = recur(a1, q0, a2, p0, f64x2.sub(v128.load(from), v128.load(early)));
    y1 = recur(a1, q1, a2, p1, f64x2.sub(v128.load(from, 16), v128.load(early, 16)));
    r0 = recur(c1, s0, c2, r0, f64x2.sub(y0, p0));
    r1 = recur(c1, s1, c2, r1, f64x2.sub(y1, p1));
    p0 = y0;
    p1 = y1;
    v128.store(to, r0);
    v128.store(to, r1, 16);
    from += step;
    early += step;
    to += step;
  }
}

/** One section of any kind, in direct form I. */
function pass(from: usize, to: usize, length: i32, step: isize, section: usize): void {
  const b1 = v128.load_splat<f64>(section);
  const b2 = v128.load_splat<f64>(section, 8);
  const a1 = v128.load_splat<f64>(section, 16);
  const a2 = v128.load_splat<f64>(section, 24);
  let p0 = v128.load(to - step);
  let p1 = v128.load(to - step, 16);
  let p2 = v128.load(to - step, 32);
  let p3 = v128.load(to - step, 48);
  let q0 = p0;
  let q1 = p1;
  let q2 = p2;
  let q3 = p3;
  let early = from - 2 * step;
  let late = from - step;
  for (let i = 0; i < length; i++) {
    q0 = recur(a1, p0, a2, q0, weigh(b2, v128.load(early), b1, v128.load(late), v128.load(from)));
    q1 = recur(a1, p1, a2, q1, weigh(b2, v128.load(early, 16), b1, v128.load(late, 16), v128.load(from, 16)));
    q2 = recur(a1, p2, a2, q2, weigh(b2, v128.load(early, 32), b1, v128.load(late, 32), v128.load(from, 32)));
    q3 = recur(a1, p3, a2, q3, weigh(b2, v128.load(early, 48), b1, v128.load(late, 48), v128.load(from, 48)));
    putStep(to, q0, q1, q2, q3);
    let y = p0;
    p0 = q0;
    q0 = y;
    y = p1;
    p1 = q1;
    q1 = y;
    y = p2;
    p2 = q2;
    q2 = y;
    y = p3;
    p3 = q3;
    q3 = y;
    early = late;
    late = from;
    from += step;
    to += step;
  }
}

/** x − a₂·y₂ − a₁·y₁. The last output enters last, because the computation waits for it. */
// @ts-ignore: decorator
@inline
function recur(a1: v128, y1: v128, a2: v128, y2: v128, x: v128): v128 {
  return f64x2.relaxed_nmadd(a1, y1, f64x2.relaxed_nmadd(a2, y2, x));
}

// @ts-ignore: decorator
@inline
function weigh(b2: v128, x2: v128, b1: v128, x1: v128, x0: v128): v128 {
  return f64x2.relaxed_madd(b2, x2, f64x2.relaxed_madd(b1, x1, x0));
}

// @ts-ignore: decorator
@inline
function putStep(to: usize, y0: v128, y1: v128, y2: v128, y3: v128): void {
  v128.store(to, y0);
  v128.store(to, y1, 16);
  v128.store(to, y2, 32);
  v128.store(to, y3, 48);
}
