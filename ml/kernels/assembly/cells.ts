/**
 * Short-time spectra of one trial, `ml/signal/cells.ts`. signal: float32 [channels × samples]. Whole groups of `factor`
 * samples from `before` on are averaged (`length` of them), and the line through them is removed. mixing: float64
 * [channels × 8], the weight of each channel in each row; rows beyond the last have weight 0. waves: for each bin
 * cosine and negative sine, beside each other [bins × segment × 2]. starts: i32 [segments]. low: room for `length`,
 * read: for `length` × 8 values. out: [segments × bins × rows × 2 (real, imaginary)].
 */
export function cellsOfTrial(
  signal: usize,
  channels: i32,
  samples: i32,
  factor: i32,
  before: i32,
  length: i32,
  mixing: usize,
  waves: usize,
  bins: i32,
  segment: i32,
  starts: usize,
  segments: i32,
  rows: i32,
  low: usize,
  read: usize,
  out: usize,
): void {
  memory.fill(read, 0, <usize>length << 6);
  for (let c = 0; c < channels; c++) {
    averageSamples(signal + (<usize>(c * samples + before) << 2), factor, length, low);
    removeLine(low, length);
    addMixed(low, length, mixing + (<usize>c << 6), read);
  }
  for (let s = 0; s < segments; s++) {
    const from = read + (<usize>load<i32>(starts + (<usize>s << 2)) << 6);
    for (let f = 0; f < bins; f++) {
      oneCell(from, waves + ((<usize>f * segment) << 4), segment, rows, out);
      out += <usize>rows << 4;
    }
  }
}

// @ts-ignore: decorator
@inline
function averageSamples(from: usize, factor: i32, length: i32, out: usize): void {
  const by: f64 = factor;
  for (let i = 0; i < length; i++, out += 8) {
    let sum: f64 = 0;
    for (let k = 0; k < factor; k++, from += 4) sum += <f64>load<f32>(from);
    store<f64>(out, sum / by);
  }
}

// @ts-ignore: decorator
@inline
function removeLine(x: usize, length: i32): void {
  const middle: f64 = (<f64>length - 1) / 2;
  let sum: f64 = 0;
  let slope: f64 = 0;
  let square: f64 = 0;
  for (let i = 0; i < length; i++) {
    const value = load<f64>(x + (<usize>i << 3));
    const at = <f64>i - middle;
    sum += value;
    slope += at * value;
    square += at * at;
  }
  const mean = sum / <f64>length;
  const rise = square > 0 ? slope / square : 0;
  for (let i = 0; i < length; i++, x += 8) store<f64>(x, load<f64>(x) - (mean + rise * (<f64>i - middle)));
}

/** Adds one channel times its weights to the eight rows. */
// @ts-ignore: decorator
@inline
function addMixed(x: usize, length: i32, weights: usize, read: usize): void {
  const w0 = v128.load(weights);
  const w1 = v128.load(weights, 16);
  const w2 = v128.load(weights, 32);
  const w3 = v128.load(weights, 48);
  for (let i = 0; i < length; i++, x += 8, read += 64) {
    const value = v128.load_splat<f64>(x);
    v128.store(read, f64x2.relaxed_madd(value, w0, v128.load(read)));
    v128.store(read, f64x2.relaxed_madd(value, w1, v128.load(read, 16)), 16);
    v128.store(read, f64x2.relaxed_madd(value, w2, v128.load(read, 32)), 32);
    v128.store(read, f64x2.relaxed_madd(value, w3, v128.load(read, 48)), 48);
  }
}

/** One bin of one segment of all rows. */
// @ts-ignore: decorator
@inline
function oneCell(from: usize, wave: usize, segment: i32, rows: i32, out: usize): void {
  let a0 = f64x2.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  let b0 = a0;
  let b1 = a0;
  let b2 = a0;
  let b3 = a0;
  for (let i = 0; i < segment; i++, from += 64, wave += 16) {
    const re = v128.load_splat<f64>(wave);
    const im = v128.load_splat<f64>(wave, 8);
    const x0 = v128.load(from);
    const x1 = v128.load(from, 16);
    const x2 = v128.load(from, 32);
    const x3 = v128.load(from, 48);
    a0 = f64x2.relaxed_madd(re, x0, a0);
    a1 = f64x2.relaxed_madd(re, x1, a1);
    a2 = f64x2.relaxed_madd(re, x2, a2);
    a3 = f64x2.relaxed_madd(re, x3, a3);
    b0 = f64x2.relaxed_madd(im, x0, b0);
    b1 = f64x2.relaxed_madd(im, x1, b1);
    b2 = f64x2.relaxed_madd(im, x2, b2);
    b3 = f64x2.relaxed_madd(im, x3, b3);
  }
  putPair(out, 0, rows, a0, b0);
  putPair(out, 2, rows, a1, b1);
  putPair(out, 4, rows, a2, b2);
  putPair(out, 6, rows, a3, b3);
}

/** Writes rows `row` and `row` + 1 of a cell, if it has them. */
// @ts-ignore: decorator
@inline
function putPair(out: usize, row: i32, rows: i32, re: v128, im: v128): void {
  const at = out + (<usize>row << 4);
  if (row < rows) v128.store(at, v128.shuffle<f64>(re, im, 0, 2));
  if (row + 1 < rows) v128.store(at, v128.shuffle<f64>(re, im, 1, 3), 16);
}

/**
 * Sums of products of the rows of each bin over the segments: covariances [bins × rows × rows], lower triangle, the
 * real part of x·conj(y). Then gives all bins of the cells the same power (its sum over the rows becomes 1), and all
 * directions of the rows the same: the cells are multiplied by the inverse of the Cholesky factor of their covariance,
 * which is shrunk towards its mean variance by `shrinkage`. In place. factor: room for rows × rows values. Cells
 * without power stay 0.
 */
export function whitenCells(
  cells: usize,
  segments: i32,
  bins: i32,
  rows: i32,
  shrinkage: f64,
  covariances: usize,
  factor: usize,
): void {
  const size = <usize>(rows * rows) << 3;
  const cell = <usize>rows << 4;
  memory.fill(factor, 0, size);
  for (let f = 0; f < bins; f++) {
    const own = covariances + <usize>f * size;
    memory.fill(own, 0, size);
    for (let s = 0; s < segments; s++) addProducts(cells + <usize>(s * bins + f) * cell, rows, own);
    let power: f64 = 0;
    for (let i = 0; i < rows; i++) power += load<f64>(own + (<usize>(i * rows + i) << 3));
    const scale = power > 0 ? 1 / Math.sqrt(power) : 0;
    for (let s = 0; s < segments; s++) scaleCell(cells + <usize>(s * bins + f) * cell, cell, scale);
    for (let k: usize = 0; k < size; k += 8)
      store<f64>(factor + k, load<f64>(factor + k) + scale * scale * load<f64>(own + k));
  }
  if (factorise(factor, rows, shrinkage))
    for (let c = 0; c < segments * bins; c++) solveCell(cells + <usize>c * cell, rows, factor);
}

// @ts-ignore: decorator
@inline
function addProducts(cell: usize, rows: i32, out: usize): void {
  for (let i = 0; i < rows; i++, out += <usize>rows << 3) {
    const own = v128.load(cell + (<usize>i << 4));
    for (let j = 0; j <= i; j++) {
      const both = f64x2.mul(own, v128.load(cell + (<usize>j << 4)));
      const at = out + (<usize>j << 3);
      store<f64>(at, load<f64>(at) + f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1));
    }
  }
}

// @ts-ignore: decorator
@inline
function scaleCell(at: usize, bytes: usize, by: f64): void {
  const scale = f64x2.splat(by);
  for (const end = at + bytes; at < end; at += 16) v128.store(at, f64x2.mul(scale, v128.load(at)));
}

/** Cholesky factor of a shrunk covariance in place, its diagonal inverted; false if the rows carry nothing. */
function factorise(a: usize, rows: i32, shrinkage: f64): bool {
  const row = <usize>rows << 3;
  let trace: f64 = 0;
  for (let i = 0; i < rows; i++) trace += load<f64>(a + <usize>i * (row + 8));
  if (!(trace > 0)) return false;
  for (let i = 0; i < rows; i++) {
    const own = a + <usize>i * row;
    for (let j = 0; j <= i; j++) {
      const other = a + <usize>j * row;
      const at = own + (<usize>j << 3);
      let sum = (1 - shrinkage) * load<f64>(at);
      if (i == j) sum += (shrinkage * trace) / <f64>rows;
      for (let k = 0; k < j; k++) sum -= load<f64>(own + (<usize>k << 3)) * load<f64>(other + (<usize>k << 3));
      store<f64>(at, i == j ? 1 / Math.sqrt(sum) : sum * load<f64>(other + (<usize>j << 3)));
    }
  }
  return true;
}

/** Solves the lower triangular system of a cell in place. */
// @ts-ignore: decorator
@inline
function solveCell(cell: usize, rows: i32, factor: usize): void {
  for (let i = 0; i < rows; i++, factor += <usize>rows << 3) {
    const at = cell + (<usize>i << 4);
    let sum = v128.load(at);
    for (let k = 0; k < i; k++)
      sum = f64x2.relaxed_nmadd(v128.load_splat<f64>(factor + (<usize>k << 3)), v128.load(cell + (<usize>k << 4)), sum);
    v128.store(at, f64x2.mul(sum, v128.load_splat<f64>(factor + (<usize>i << 3))));
  }
}
