/**
 * Count sketches of one trial and of the trial reversed in time, `ml/signal/sketches.ts`. cells: whitened spectra
 * [segments × bins × rows × 2]; a place is `values` complex values that begin at a bin, and a segment has `places` of
 * them. slots: for each product the offset in bytes of its sum, u16 [segments × places × values²]: the first `size`
 * sums are added, the next `size` subtracted. sums: room for 4 × size values. deviation: one standard deviation of the
 * result, 8-bit numbers [2 × size].
 */
export function sketchCells(
  cells: usize,
  segments: i32,
  bins: i32,
  rows: i32,
  places: i32,
  values: i32,
  slots: usize,
  sums: usize,
  size: i32,
  deviation: f64,
  out: usize,
): void {
  const bytes = <usize>size << 4;
  const list = <usize>(values * values) << 1;
  memory.fill(sums, 0, 2 * bytes);
  for (let s = 0; s < segments; s++)
    for (let f = 0; f < places; f++)
      addPlace(
        cells + (<usize>((s * bins + f) * rows) << 4),
        values,
        slots + <usize>(s * places + f) * list,
        slots + <usize>((segments - 1 - s) * places + f) * list,
        sums,
        sums + bytes,
      );
  quantise(sums, size, deviation, out);
  quantise(sums + bytes, size, deviation, out + size);
}

/**
 * Adds the products x·conj(y) of all pairs of values, which are scaled to length 1 together, minus 1 / `values` on the
 * diagonal. Parts off the diagonal are multiplied by √2. `reversed`: sums for the trial reversed in time.
 */
// @ts-ignore: decorator
@inline
function addPlace(from: usize, values: i32, slots: usize, reversedSlots: usize, sums: usize, reversed: usize): void {
  let square = f64x2.splat(0);
  for (let i = 0; i < values; i++) {
    const value = v128.load(from + (<usize>i << 4));
    square = f64x2.relaxed_madd(value, value, square);
  }
  const norm = f64x2.extract_lane(square, 0) + f64x2.extract_lane(square, 1);
  if (!(norm > 0)) return;
  const pair = Math.SQRT2 / norm;
  const common = 1 / <f64>values;
  for (let i = 0; i < values; i++) {
    const a = load<f64>(from + (<usize>i << 4));
    const b = load<f64>(from + (<usize>i << 4), 8);
    for (let j = 0; j < i; j++, slots += 4, reversedSlots += 4) {
      const c = load<f64>(from + (<usize>j << 4));
      const d = load<f64>(from + (<usize>j << 4), 8);
      const re = pair * (a * c + b * d);
      const im = pair * (b * c - a * d);
      add(sums + load<u16>(slots), re);
      add(sums + load<u16>(slots, 2), im);
      add(reversed + load<u16>(reversedSlots), re);
      add(reversed + load<u16>(reversedSlots, 2), -im);
    }
    const own = (a * a + b * b) / norm - common;
    add(sums + load<u16>(slots), own);
    add(reversed + load<u16>(reversedSlots), own);
    slots += 2;
    reversedSlots += 2;
  }
}

// @ts-ignore: decorator
@inline
function add(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

/** The sums of each slot, less those with a minus, as 8-bit numbers. */
function quantise(sums: usize, size: i32, deviation: f64, out: usize): void {
  const minus = sums + (<usize>size << 3);
  let square: f64 = 0;
  for (let i = 0; i < size; i++) {
    const at = <usize>i << 3;
    const value = load<f64>(sums + at) - load<f64>(minus + at);
    store<f64>(sums + at, value);
    square += value * value;
  }
  const scale = square > 0 ? deviation / Math.sqrt(square / <f64>size) : 0;
  for (let i = 0; i < size; i++)
    store<i8>(out + i, <i8>Math.max(-127, Math.min(127, Math.floor(scale * load<f64>(sums + (<usize>i << 3)) + 0.5))));
}
