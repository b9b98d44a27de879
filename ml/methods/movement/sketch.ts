import type { Bank } from './centres.ts';

/** Least power, µV²: a pair of bridged electrodes has none. Signals in volts have a power of about 1e-10. */
const floor = 1e-30;
/** Powers that are multiplied before a logarithm is taken; the product stays within a double. */
const most = 8;

/**
 * Sketch of some trials [bands × pairs + p]: the log power of the difference of each pair of electrodes, which no
 * reference changes, then of each electrode. The mean over trials makes loud trials count like others.
 */
export function sketchOf(bank: Bank, rows: Int32Array): Float64Array {
  const { p, bands } = bank;
  const width = (p * (p - 1)) / 2 + p;
  const out = new Float64Array(bands * width);
  const products = new Float64Array(bands * width).fill(1);
  const moments = new Float64Array((p * (p + 1)) / 2);
  for (let i = 0; i < rows.length; i += 1) {
    for (let b = 0; b < bands; b += 1) {
      sumWindows(bank, rows[i] * bands + b, moments);
      multiplyPowers(moments, p, products, b * width);
    }
    if (i % most === most - 1 || i === rows.length - 1) addLogarithms(products, 1 / rows.length, out);
  }
  return out;
}

/** Mean second moments of one band of one trial, over its windows. */
function sumWindows({ values, windows }: Bank, at: number, out: Float64Array): void {
  const size = out.length;
  out.fill(0);
  for (let from = at * windows * size, w = 0; w < windows; w += 1, from += size)
    for (let k = 0; k < size; k += 1) out[k] += values[from + k] / windows;
}

function multiplyPowers(moments: Float64Array, p: number, out: Float64Array, from: number): void {
  let to = from;
  for (let i = 0, row = 0; i < p; row += p - i, i += 1)
    for (let j = i + 1, own = row + p - i; j < p; own += p - j, j += 1, to += 1)
      out[to] *= Math.max(floor, moments[row] + moments[own] - 2 * moments[row + j - i]);
  for (let i = 0, row = 0; i < p; row += p - i, i += 1, to += 1) out[to] *= Math.max(floor, moments[row]);
}

function addLogarithms(products: Float64Array, by: number, out: Float64Array): void {
  for (let k = 0; k < out.length; k += 1) {
    out[k] += by * Math.log(products[k]);
    products[k] = 1;
  }
}
