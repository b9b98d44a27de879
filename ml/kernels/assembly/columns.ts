/** Operations on the columns of rows [rows × n]. Every value equals that of plain float64 steps in this order. */

/**
 * Multiplies each column by its scale and appends the value `last` to each row. Writes rows of ld values, zero after
 * `last`.
 */
export function spreadScaled(from: usize, rows: i32, n: i32, scale: usize, last: f64, to: usize, ld: i32): void {
  const rest = <usize>(ld - n - 1) << 3;
  for (let row = 0; row < rows; row++, to += 8 + rest) {
    let s = scale;
    let k = n;
    for (; k >= 2; k -= 2, from += 16, s += 16, to += 16) v128.store(to, f64x2.mul(v128.load(from), v128.load(s)));
    for (; k > 0; k--, from += 8, s += 8, to += 8) store<f64>(to, load<f64>(from) * load<f64>(s));
    store<f64>(to, last);
    memory.fill(to + 8, 0, rest);
  }
}

/** sum [n] += (x − mean)² · by / over for every row x. */
export function addSquares(from: usize, rows: i32, n: i32, mean: usize, by: f64, over: f64, sum: usize): void {
  const factor = f64x2.splat(by);
  const divisor = f64x2.splat(over);
  for (let row = 0; row < rows; row++) {
    let m = mean;
    let to = sum;
    let k = n;
    for (; k >= 2; k -= 2, from += 16, m += 16, to += 16) {
      const away = f64x2.sub(v128.load(from), v128.load(m));
      v128.store(to, f64x2.add(v128.load(to), f64x2.div(f64x2.mul(f64x2.mul(away, away), factor), divisor)));
    }
    for (; k > 0; k--, from += 8, m += 8, to += 8) {
      const away = load<f64>(from) - load<f64>(m);
      store<f64>(to, load<f64>(to) + (away * away * by) / over);
    }
  }
}

/** sum [n] += x · by for every row x. */
export function addRows(from: usize, rows: i32, n: i32, by: f64, sum: usize): void {
  const factor = f64x2.splat(by);
  for (let row = 0; row < rows; row++) {
    let to = sum;
    let k = n;
    for (; k >= 2; k -= 2, from += 16, to += 16)
      v128.store(to, f64x2.add(v128.load(to), f64x2.mul(v128.load(from), factor)));
    for (; k > 0; k--, from += 8, to += 8) store<f64>(to, load<f64>(to) + load<f64>(from) * by);
  }
}

/** (x − mean) / scale by column, in place. */
export function standardise(at: usize, rows: i32, n: i32, mean: usize, scale: usize): void {
  for (let row = 0; row < rows; row++) {
    let m = mean;
    let s = scale;
    let k = n;
    for (; k >= 2; k -= 2, at += 16, m += 16, s += 16)
      v128.store(at, f64x2.div(f64x2.sub(v128.load(at), v128.load(m)), v128.load(s)));
    for (; k > 0; k--, at += 8, m += 8, s += 8) store<f64>(at, (load<f64>(at) - load<f64>(m)) / load<f64>(s));
  }
}

/** by · x · scale by column, in place. */
export function scaleColumns(at: usize, rows: i32, n: i32, by: f64, scale: usize): void {
  const factor = f64x2.splat(by);
  for (let row = 0; row < rows; row++) {
    let s = scale;
    let k = n;
    for (; k >= 2; k -= 2, at += 16, s += 16) v128.store(at, f64x2.mul(f64x2.mul(factor, v128.load(at)), v128.load(s)));
    for (; k > 0; k--, at += 8, s += 8) store<f64>(at, by * load<f64>(at) * load<f64>(s));
  }
}
