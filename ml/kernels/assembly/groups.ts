import { tileGroups } from './tile';

/**
 * Layout 'groups': rows in groups of eight lanes, [group][step][8] float64; lanes after the last row are zero. Each
 * step of a recursion, transform or product by rows is then four vector instructions wide.
 */

/** Converts rows [rows × steps] of float32 (wide = false) or float64 to groups. */
export function toGroups(from: usize, wide: bool, rows: i32, steps: i32, to: usize): void {
  const length = <usize>steps << (wide ? 3 : 2);
  for (let row = 0; row < ((rows + 7) & ~7); row += 2) {
    const base = to + ((<usize>(row >> 3) * steps) << 6) + (<usize>(row & 7) << 3);
    const a = from + <usize>row * length;
    if (row + 1 < rows) {
      if (wide) interleaveDoubles(a, a + length, steps, base);
      else interleaveFloats(a, a + length, steps, base);
    } else if (row < rows) {
      single(a, wide, steps, base);
    } else {
      for (let s = 0, at = base; s < steps; s++, at += 64) v128.store(at, f64x2.splat(0));
    }
  }
}

function interleaveFloats(a: usize, b: usize, steps: i32, to: usize): void {
  let s = 0;
  for (; s + 4 <= steps; s += 4, a += 16, b += 16, to += 256) {
    const x = v128.load(a);
    const y = v128.load(b);
    const low = v128.shuffle<f32>(x, y, 0, 4, 1, 5);
    const high = v128.shuffle<f32>(x, y, 2, 6, 3, 7);
    v128.store(to, f64x2.promote_low_f32x4(low));
    v128.store(to, f64x2.promote_low_f32x4(v128.shuffle<f64>(low, low, 1, 1)), 64);
    v128.store(to, f64x2.promote_low_f32x4(high), 128);
    v128.store(to, f64x2.promote_low_f32x4(v128.shuffle<f64>(high, high, 1, 1)), 192);
  }
  for (; s < steps; s++, a += 4, b += 4, to += 64) {
    store<f64>(to, <f64>load<f32>(a));
    store<f64>(to, <f64>load<f32>(b), 8);
  }
}

function interleaveDoubles(a: usize, b: usize, steps: i32, to: usize): void {
  let s = 0;
  for (; s + 2 <= steps; s += 2, a += 16, b += 16, to += 128) {
    const x = v128.load(a);
    const y = v128.load(b);
    v128.store(to, v128.shuffle<f64>(x, y, 0, 2));
    v128.store(to, v128.shuffle<f64>(x, y, 1, 3), 64);
  }
  if (s < steps) {
    store<f64>(to, load<f64>(a));
    store<f64>(to, load<f64>(b), 8);
  }
}

function single(a: usize, wide: bool, steps: i32, to: usize): void {
  for (let s = 0; s < steps; s++, to += 64, a += wide ? 8 : 4) {
    store<f64>(to, wide ? load<f64>(a) : <f64>load<f32>(a));
    store<f64>(to, 0, 8);
  }
}

/** Converts every `stride`-th step of groups to rows [rows × ceil(steps / stride)] of float64. */
export function fromGroups(from: usize, rows: i32, steps: i32, stride: i32, to: usize): void {
  for (let row = 0; row < rows; row++) {
    let at = from + ((<usize>(row >> 3) * steps) << 6) + (<usize>(row & 7) << 3);
    for (let s = 0; s < steps; s += stride, at += <usize>stride << 6, to += 8) store<f64>(to, load<f64>(at));
  }
}

/** Converts a row-major table [steps × columns] of float64 to groups, one lane for each column. */
export function columnsToGroups(from: usize, steps: i32, columns: i32, to: usize): void {
  const groups = (columns + 7) >> 3;
  for (let g = 0; g < groups; g++) {
    const width = min(8, columns - g * 8);
    for (let s = 0; s < steps; s++, to += 64) {
      const source = from + ((<usize>s * columns + g * 8) << 3);
      for (let lane = 0; lane < 8; lane++)
        store<f64>(to + (<usize>lane << 3), lane < width ? load<f64>(source + (<usize>lane << 3)) : 0);
    }
  }
}

/** Means [rows × count] of each row over the windows edges[w] … edges[w + 1] − 1 (i32). */
export function windowMeans(at: usize, rows: i32, steps: i32, edges: usize, count: i32, out: usize): void {
  for (let row = 0; row < rows; row += 2) {
    const base = at + ((<usize>(row >> 3) * steps) << 6) + (<usize>(row & 7) << 3);
    for (let w = 0; w < count; w++) {
      const from = load<i32>(edges + (<usize>w << 2));
      const to = load<i32>(edges + (<usize>w << 2), 4);
      let sum = f64x2.splat(0);
      for (let s = from, p = base + (<usize>from << 6); s < to; s++, p += 64) sum = f64x2.add(sum, v128.load(p));
      const mean = f64x2.mul(sum, f64x2.splat(1 / <f64>(to - from)));
      const first = out + ((<usize>row * count + w) << 3);
      store<f64>(first, f64x2.extract_lane(mean, 0));
      if (row + 1 < rows) store<f64>(first + (<usize>count << 3), f64x2.extract_lane(mean, 1));
    }
  }
}

/** Subtracts the mean (line = false) or the least-squares line from each lane, in place. */
export function detrendGroups(at: usize, groups: i32, steps: i32, line: bool): void {
  const middle = <f64>(steps - 1) / 2;
  const spread = (<f64>steps * (<f64>steps * <f64>steps - 1)) / 12;
  const inverse = f64x2.splat(1 / <f64>steps);
  const factor = f64x2.splat(line && spread > 0 ? 1 / spread : 0);
  for (let half = 0; half < 2 * groups; half++) {
    const base = at + ((<usize>(half >> 1) * steps) << 6) + (<usize>(half & 1) << 5);
    let sum0 = f64x2.splat(0);
    let sum1 = sum0;
    let moment0 = sum0;
    let moment1 = sum0;
    let p = base;
    for (let s = 0; s < steps; s++, p += 64) {
      const place = f64x2.splat(<f64>s - middle);
      const x0 = v128.load(p);
      const x1 = v128.load(p, 16);
      sum0 = f64x2.add(sum0, x0);
      sum1 = f64x2.add(sum1, x1);
      moment0 = f64x2.relaxed_madd(x0, place, moment0);
      moment1 = f64x2.relaxed_madd(x1, place, moment1);
    }
    sum0 = f64x2.mul(sum0, inverse);
    sum1 = f64x2.mul(sum1, inverse);
    moment0 = f64x2.mul(moment0, factor);
    moment1 = f64x2.mul(moment1, factor);
    p = base;
    for (let s = 0; s < steps; s++, p += 64) {
      const place = f64x2.splat(<f64>s - middle);
      v128.store(p, f64x2.sub(v128.load(p), f64x2.relaxed_madd(moment0, place, sum0)));
      v128.store(p, f64x2.sub(v128.load(p, 16), f64x2.relaxed_madd(moment1, place, sum1)), 16);
    }
  }
}

/** Means [8·count] of the lanes of a list of groups (pointers, u32) over `steps`. */
export function groupMeans(list: usize, count: i32, steps: i32, to: usize): void {
  const inverse = f64x2.splat(1 / <f64>steps);
  for (let g = 0; g < count; g++, to += 64) {
    let at = <usize>load<u32>(list + (<usize>g << 2));
    let s0 = f64x2.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    for (let s = 0; s < steps; s++, at += 64) {
      s0 = f64x2.add(s0, v128.load(at));
      s1 = f64x2.add(s1, v128.load(at, 16));
      s2 = f64x2.add(s2, v128.load(at, 32));
      s3 = f64x2.add(s3, v128.load(at, 48));
    }
    v128.store(to, f64x2.mul(s0, inverse));
    v128.store(to, f64x2.mul(s1, inverse), 16);
    v128.store(to, f64x2.mul(s2, inverse), 32);
    v128.store(to, f64x2.mul(s3, inverse), 48);
  }
}

/**
 * Inner products over `steps` of all lanes of two lists of groups (pointers, u32): C [8·countA × 8·countB], row-major.
 * symmetric: both lists are the same, and only 8 × 8 blocks on and above the diagonal are written.
 */
export function groupProducts(
  listA: usize,
  countA: i32,
  listB: usize,
  countB: i32,
  steps: i32,
  c: usize,
  symmetric: bool,
): void {
  const sc = <usize>countB << 6;
  for (let from = 0; from < steps; from += 256) {
    const length = min(256, steps - from);
    const add = from > 0;
    for (let ga = 0; ga < countA; ga++) {
      const a = <usize>load<u32>(listA + (<usize>ga << 2)) + (<usize>from << 6);
      for (let gb = symmetric ? ga : 0; gb < countB; gb++) {
        const b = <usize>load<u32>(listB + (<usize>gb << 2)) + (<usize>from << 6);
        tileGroups(a, b, length, c + ((<usize>ga * sc) << 3) + (<usize>gb << 6), sc, symmetric && ga == gb, add);
      }
    }
  }
}
