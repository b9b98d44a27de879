/**
 * Power |X_k|² of windowed segments, summed over the segments: [groups][bins][8] at `out`, bins = size / 2 + 1. `size`
 * is a power of two, at least 2. twiddles [size / 2 × 2] (cos, −sin), order [size] i32 (bit reversal), window [size].
 * One complex transform takes lanes 0–3 as its real parts and lanes 4–7 as its imaginary parts. `work`: size · 64
 * bytes.
 */
export function powerOfSegments(
  src: usize,
  groups: i32,
  steps: i32,
  size: i32,
  hop: i32,
  segments: i32,
  window: usize,
  centre: bool,
  twiddles: usize,
  order: usize,
  work: usize,
  out: usize,
): void {
  for (let g = 0; g < groups; g++) {
    for (let s = 0; s < segments; s++) {
      const x = src + ((<usize>g * steps + s * hop) << 6);
      gather(x, size, window, centre, order, work);
      transform(work, size, twiddles);
      power(work, size, out, s > 0);
    }
    out += <usize>(size / 2 + 1) << 6;
  }
}

/** Keeps four sums at once, because each addition waits for the one before. */
function gather(x: usize, size: i32, window: usize, centre: bool, order: usize, work: usize): void {
  let a = f64x2.splat(0);
  let b = a;
  let c = a;
  let d = a;
  if (centre) {
    for (let at = x, end = x + (<usize>size << 6); at < end; at += 64) {
      a = f64x2.add(a, v128.load(at));
      b = f64x2.add(b, v128.load(at, 16));
      c = f64x2.add(c, v128.load(at, 32));
      d = f64x2.add(d, v128.load(at, 48));
    }
    const share = f64x2.splat(1 / <f64>size);
    a = f64x2.mul(a, share);
    b = f64x2.mul(b, share);
    c = f64x2.mul(c, share);
    d = f64x2.mul(d, share);
  }
  for (let i = 0; i < size; i++, x += 64) {
    const to = work + (<usize>load<i32>(order + (<usize>i << 2)) << 6);
    const weight = v128.load_splat<f64>(window + (<usize>i << 3));
    v128.store(to, f64x2.mul(f64x2.sub(v128.load(x), a), weight));
    v128.store(to, f64x2.mul(f64x2.sub(v128.load(x, 16), b), weight), 16);
    v128.store(to, f64x2.mul(f64x2.sub(v128.load(x, 32), c), weight), 32);
    v128.store(to, f64x2.mul(f64x2.sub(v128.load(x, 48), d), weight), 48);
  }
}

/** Decimation in time on bit-reversed input, two stages at a time. */
function transform(z: usize, size: i32, twiddles: usize): void {
  let half = 1;
  if (ctz(size) & 1) {
    for (let a = z, end = z + (<usize>size << 6); a < end; a += 128) {
      sumAndDifference(a);
      sumAndDifference(a + 16);
    }
    half = 2;
  } else {
    for (let a = z, end = z + (<usize>size << 6); a < end; a += 256) {
      firstButterfly4(a);
      firstButterfly4(a + 16);
    }
    half = 4;
  }
  for (; half < size; half <<= 2) {
    const inner = <usize>(size / (2 * half)) << 4;
    const outer = inner >> 1;
    const distance = <usize>half << 6;
    for (let start = 0; start < size; start += 4 * half) {
      let a = z + (<usize>start << 6);
      let t = twiddles;
      let u = twiddles;
      for (let k = 0; k < half; k++, a += 64, t += inner, u += outer) {
        butterfly4(a, distance, t, u);
        butterfly4(a + 16, distance, t, u);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function sumAndDifference(a: usize): void {
  for (let part: usize = 0; part < 64; part += 32) {
    const x = v128.load(a + part);
    const y = v128.load(a + part, 64);
    v128.store(a + part, f64x2.add(x, y));
    v128.store(a + part, f64x2.sub(x, y), 64);
  }
}

/** `butterfly4` of four neighbours whose factors are 1. */
// @ts-ignore: decorator
@inline
function firstButterfly4(p: usize): void {
  let x = v128.load(p);
  let y = v128.load(p, 64);
  const ar = f64x2.add(x, y);
  const br = f64x2.sub(x, y);
  x = v128.load(p, 32);
  y = v128.load(p, 96);
  const ai = f64x2.add(x, y);
  const bi = f64x2.sub(x, y);
  x = v128.load(p, 128);
  y = v128.load(p, 192);
  const cr = f64x2.add(x, y);
  const dr = f64x2.sub(x, y);
  x = v128.load(p, 160);
  y = v128.load(p, 224);
  const ci = f64x2.add(x, y);
  const di = f64x2.sub(x, y);
  v128.store(p, f64x2.add(ar, cr));
  v128.store(p, f64x2.add(ai, ci), 32);
  v128.store(p, f64x2.add(br, di), 64);
  v128.store(p, f64x2.sub(bi, dr), 96);
  v128.store(p, f64x2.sub(ar, cr), 128);
  v128.store(p, f64x2.sub(ai, ci), 160);
  v128.store(p, f64x2.sub(br, di), 192);
  v128.store(p, f64x2.add(bi, dr), 224);
}

// @ts-ignore: decorator
@inline
function butterfly4(p: usize, distance: usize, t: usize, u: usize): void {
  const q = p + distance;
  const r = q + distance;
  const s = r + distance;
  const c1 = v128.load_splat<f64>(t);
  const s1 = v128.load_splat<f64>(t, 8);
  let xr = v128.load(q);
  let xi = v128.load(q, 32);
  let tr = f64x2.relaxed_nmadd(xi, s1, f64x2.mul(xr, c1));
  let ti = f64x2.relaxed_madd(xr, s1, f64x2.mul(xi, c1));
  xr = v128.load(p);
  xi = v128.load(p, 32);
  const ar = f64x2.add(xr, tr);
  const ai = f64x2.add(xi, ti);
  const br = f64x2.sub(xr, tr);
  const bi = f64x2.sub(xi, ti);
  xr = v128.load(s);
  xi = v128.load(s, 32);
  tr = f64x2.relaxed_nmadd(xi, s1, f64x2.mul(xr, c1));
  ti = f64x2.relaxed_madd(xr, s1, f64x2.mul(xi, c1));
  xr = v128.load(r);
  xi = v128.load(r, 32);
  const cr = f64x2.add(xr, tr);
  const ci = f64x2.add(xi, ti);
  const dr = f64x2.sub(xr, tr);
  const di = f64x2.sub(xi, ti);
  const c2 = v128.load_splat<f64>(u);
  const s2 = v128.load_splat<f64>(u, 8);
  tr = f64x2.relaxed_nmadd(ci, s2, f64x2.mul(cr, c2));
  ti = f64x2.relaxed_madd(cr, s2, f64x2.mul(ci, c2));
  v128.store(p, f64x2.add(ar, tr));
  v128.store(p, f64x2.add(ai, ti), 32);
  v128.store(r, f64x2.sub(ar, tr));
  v128.store(r, f64x2.sub(ai, ti), 32);
  tr = f64x2.relaxed_nmadd(di, s2, f64x2.mul(dr, c2));
  ti = f64x2.relaxed_madd(dr, s2, f64x2.mul(di, c2));
  v128.store(q, f64x2.add(br, ti));
  v128.store(q, f64x2.sub(bi, tr), 32);
  v128.store(s, f64x2.sub(br, ti));
  v128.store(s, f64x2.add(bi, tr), 32);
}

/**
 * Separates the two real signals of each complex lane: |X|² comes from half sums and half differences with the mirrored
 * bin.
 */
function power(z: usize, size: i32, out: usize, add: bool): void {
  const half = f64x2.splat(0.25);
  for (let k = 0; 2 * k <= size; k++, out += 64) {
    const a = z + (<usize>k << 6);
    const b = z + (<usize>((size - k) & (size - 1)) << 6);
    for (let lane: usize = 0; lane < 32; lane += 16) {
      const ar = v128.load(a + lane);
      const ai = v128.load(a + lane, 32);
      const br = v128.load(b + lane);
      const bi = v128.load(b + lane, 32);
      const sr = f64x2.add(ar, br);
      const di = f64x2.sub(ai, bi);
      const si = f64x2.add(ai, bi);
      const dr = f64x2.sub(ar, br);
      let first = f64x2.mul(half, f64x2.relaxed_madd(di, di, f64x2.mul(sr, sr)));
      let second = f64x2.mul(half, f64x2.relaxed_madd(dr, dr, f64x2.mul(si, si)));
      if (add) {
        first = f64x2.add(first, v128.load(out + lane));
        second = f64x2.add(second, v128.load(out + lane, 32));
      }
      v128.store(out + lane, first);
      v128.store(out + lane, second, 32);
    }
  }
}
