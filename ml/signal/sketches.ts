import { sketchSize } from '../fingerprints.ts';
import type { Trials } from '../types.ts';
import { cellsOf, whiten } from './cells.ts';
import type { CellSize } from './cells.ts';
import { hashStart, mix, spread } from './hash.ts';

/** Values of a cell: of few rows, those of neighbouring frequencies together. */
const wantedValues = 8;
const mostJoined = 4;
/** Bounds of the bands of `levels`, Hz. */
const bandEdges = [8, 16] as const;
/** Value of a sketch at one standard deviation, as an 8-bit number. */
const oneDeviation = 24;

type Sent = Pick<Trials, 'data' | 'trials' | 'channels' | 'samples' | 'rateHz' | 'channelNames'>;

/** What `takeSketches` computes of each trial; see `Fingerprints`. */
export interface Sketches {
  readonly sketches: Int8Array;
  readonly levels: Float32Array;
}

/**
 * Sketches by which altered copies of a trial are recognised. In each cell of the whitened short-time spectrum (see
 * `cellsOf`), the products of all pairs of values are invariant to the sign, to the scale and to a small shift of the
 * signal; each cell counts the same. Filters and another reference change them little. A count sketch (Charikar, Chen
 * & Farach-Colton 2004, Theor. Comput. Sci. 312) adds all products of a trial into `sketchSize` sums with hashed signs:
 * the cosine of two sketches estimates that of the products. The second sketch of each trial is that of the trial
 * reversed in time. The signal cannot be recovered from a sketch. Time is linear in trials × samples.
 */
export function takeSketches(sent: Sent): Sketches {
  const cells = cellsOf(sent);
  const { segments, rows, frequencies } = cells;
  const bins = frequencies.length;
  const joined = Math.max(1, Math.min(bins, mostJoined, Math.floor(wantedValues / rows)));
  const places = Math.max(0, bins - joined + 1);
  const values = rows * joined;
  const slots = slotsFor(segments * places * values * values);
  const sums = [new Float64Array(2 * sketchSize), new Float64Array(2 * sketchSize)] as const;
  const products = new Float64Array(values * values);
  const conjugated = new Float64Array(values * values);
  const sketches = new Int8Array(sent.trials * 2 * sketchSize);
  const width = levelCount(rows);
  const levels = new Float32Array(sent.trials * width);
  for (let t = 0; t < sent.trials; t += 1) {
    const spectra = cells.of(t);
    writeLevels(spectra, cells, levels.subarray(t * width, (t + 1) * width));
    whiten(spectra, cells);
    for (const each of sums) each.fill(0);
    for (let s = 0; s < segments; s += 1)
      for (let f = 0; f < places; f += 1) {
        if (!multiply(spectra, (s * bins + f) * rows * 2, values, products, conjugated)) continue;
        addInto(sums[0], products, slots, (s * places + f) * values * values);
        addInto(sums[1], conjugated, slots, ((segments - 1 - s) * places + f) * values * values);
      }
    sums.forEach((each, d) =>
      quantise(each, sketches.subarray((2 * t + d) * sketchSize, (2 * t + d + 1) * sketchSize)),
    );
  }
  return { sketches, levels };
}

/** Place of each product: a slot for a plus, `sketchSize` + slot for a minus. */
function slotsFor(count: number): Int16Array {
  const slots = new Int16Array(count);
  for (let i = 0; i < count; i += 1) {
    const hash = spread(mix(hashStart, i + 1));
    const slot = (hash >>> 8) % sketchSize;
    slots[i] = hash & 1 ? slot : sketchSize + slot;
  }
  return slots;
}

/**
 * Products of all pairs of `count` complex values that begin at `from`, of length 1 together, without what every such
 * matrix has in common. Real and imaginary parts of pairs count √2. `conjugated` gets the products of the conjugate
 * values. False if the values are zero.
 */
function multiply(
  cells: Float64Array,
  from: number,
  count: number,
  out: Float64Array,
  conjugated: Float64Array,
): boolean {
  let norm = 0;
  for (let at = from; at < from + 2 * count; at += 1) norm += cells[at] ** 2;
  if (!(norm > 0)) return false;
  const pair = Math.SQRT2 / norm;
  for (let i = 0, to = 0; i < count; i += 1) {
    const [a, b] = [cells[from + 2 * i], cells[from + 2 * i + 1]];
    for (let j = 0; j < i; j += 1, to += 2) {
      const [c, d] = [cells[from + 2 * j], cells[from + 2 * j + 1]];
      out[to] = conjugated[to] = pair * (a * c + b * d);
      out[to + 1] = pair * (b * c - a * d);
      conjugated[to + 1] = -out[to + 1];
    }
    out[to] = conjugated[to] = (a * a + b * b) / norm - 1 / count;
    to += 1;
  }
  return true;
}

/** Adds products to the sums at their places, which begin at `from`. */
function addInto(sums: Float64Array, products: Float64Array, places: Int16Array, from: number): void {
  for (let k = 0, at = from; k < products.length; k += 1, at += 1) sums[places[at]] += products[k];
}

/** The sums of each slot, less those with a minus, as 8-bit numbers. */
function quantise(sums: Float64Array, out: Int8Array): void {
  const size = out.length;
  let square = 0;
  for (let i = 0; i < size; i += 1) {
    sums[i] -= sums[size + i];
    square += sums[i] ** 2;
  }
  const scale = square > 0 ? oneDeviation / Math.sqrt(square / size) : 0;
  for (let i = 0; i < size; i += 1) out[i] = Math.max(-127, Math.min(127, Math.round(scale * sums[i])));
}

const levelCount = (rows: number): number => rows * (bandEdges.length + 1) + (rows * (rows - 1)) / 2;

/** Log power of each row in each band, then the correlation of each pair of rows (Fisher's z). */
function writeLevels(cells: Float64Array, { frequencies, rows }: CellSize, out: Float32Array): void {
  const bands = bandEdges.length + 1;
  const power = new Float64Array(rows * bands);
  const products = new Float64Array(rows * rows);
  const bandOf = frequencies.map((hz) => bandEdges.filter((edge) => hz >= edge).length);
  for (let cell = 0; cell * 2 * rows < cells.length; cell += 1) {
    const band = bandOf[cell % bandOf.length];
    const from = cell * 2 * rows;
    for (let i = 0; i < rows; i += 1) {
      const [a, b] = [cells[from + 2 * i], cells[from + 2 * i + 1]];
      power[i * bands + band] += a * a + b * b;
      for (let j = 0; j <= i; j += 1) products[i * rows + j] += a * cells[from + 2 * j] + b * cells[from + 2 * j + 1];
    }
  }
  const floor = 1e-12;
  for (let i = 0; i < power.length; i += 1) out[i] = Math.log(Math.max(power[i], floor));
  let to = power.length;
  for (let i = 0; i < rows; i += 1)
    for (let j = 0; j < i; j += 1) {
      const size = Math.sqrt(products[i * rows + i] * products[j * rows + j]);
      out[to++] = Math.atanh(0.99 * (size > 0 ? products[i * rows + j] / size : 0));
    }
}
