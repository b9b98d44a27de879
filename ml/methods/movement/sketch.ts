import { packedAt, packedSize } from '../../geometry/index.ts';
import type { Bank } from './centres.ts';

/** Least power, µV²: a pair of bridged electrodes has none. Signals in volts have a power of about 1e-10. */
const floor = 1e-30;
/** Powers that are multiplied before a logarithm is taken; the product stays within a double. */
const most = 8;

/**
 * Sketch of some trials by some electrodes [bands × width]: the log power of the difference of each pair of electrodes,
 * which no reference changes, then of each electrode. The mean over trials makes loud trials count like others.
 */
export function sketchOf(bank: Bank, rows: Int32Array, electrodes: readonly number[]): Float64Array {
  const { p, bands } = bank;
  const count = electrodes.length;
  const width = packedSize(count);
  const out = new Float64Array(bands * width);
  const products = new Float64Array(bands * width).fill(1);
  const packed = Int32Array.from(electrodes.flatMap((a, i) => electrodes.slice(i).map((b) => packedAt(a, b, p))));
  const moments = new Float64Array(packed.length);
  for (let i = 0; i < rows.length; i += 1) {
    for (let b = 0; b < bands; b += 1) {
      sumWindows(bank, rows[i] * bands + b, packed, moments);
      multiplyPowers(moments, count, products, b * width);
    }
    if (i % most === most - 1 || i === rows.length - 1) addLogarithms(products, 1 / rows.length, out);
  }
  return out;
}

/** Electrodes that have a signal in each of some trials. */
export function electrodesWithSignal({ values, p, bands, windows }: Bank, rows: Int32Array): number[] {
  const size = packedSize(p);
  const isSilent = (electrode: number, row: number): boolean => {
    const from = row * bands * windows * size + packedAt(electrode, electrode, p);
    for (let at = from, w = 0; w < bands * windows; w += 1, at += size) if (values[at] > floor) return false;
    return true;
  };
  return Array.from({ length: p }, (_, i) => i).filter((i) => !rows.some((row) => isSilent(i, row)));
}

/** Mean second moments of one band of one trial, over its windows. */
function sumWindows({ values, windows, p }: Bank, at: number, packed: Int32Array, out: Float64Array): void {
  const size = packedSize(p);
  out.fill(0);
  for (let from = at * windows * size, w = 0; w < windows; w += 1, from += size)
    for (let k = 0; k < out.length; k += 1) out[k] += values[from + packed[k]] / windows;
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
