import { sketchSize } from '../fingerprints.ts';
import type { Trials } from '../types.ts';
import { allocate, allocateDoubles, kernels, scope, viewBytes } from '../kernels/index.ts';
import { cellsOf, mostRows } from './cells.ts';
import type { Cells, CellSize } from './cells.ts';
import { hashStart, mix, spread } from './hash.ts';

/** Wanted values of a matrix of products; with few rows, up to `mostJoined` neighbouring frequencies are joined. */
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
  const { trials, channels } = sent;
  const sketches = new Int8Array(trials * 2 * sketchSize);
  const width = levelCount(Math.min(mostRows, channels));
  const levels = new Float32Array(trials * width);
  scope(() => {
    const cells = cellsOf(sent);
    const sketch = sketcherOf(cells);
    for (let t = 0; t < trials; t += 1) {
      cells.read(t);
      writeLevels(cells.whiten(), cells, levels.subarray(t * width, (t + 1) * width));
      sketches.set(sketch(), t * 2 * sketchSize);
    }
  });
  return { sketches, levels };
}

/** Sketches of the whitened cells, and of those of the trial reversed in time, beside each other. */
function sketcherOf({ at, segments, rows, frequencies: { length: bins } }: Cells): () => Int8Array {
  const joined = Math.max(1, Math.min(bins, mostJoined, Math.floor(wantedValues / rows)));
  const places = Math.max(0, bins - joined + 1);
  const values = rows * joined;
  const slots = placeSlots(segments * places * values * values);
  const sums = allocateDoubles(4 * sketchSize);
  const out = allocate(2 * sketchSize);
  return () => {
    kernels().sketchCells(at, segments, bins, rows, places, values, slots, sums, sketchSize, oneDeviation, out);
    return new Int8Array(viewBytes(out, 2 * sketchSize));
  };
}

/** Address of the table of slots [products], u16 in bytes: the slot for a plus, `sketchSize` + slot for a minus. */
function placeSlots(count: number): number {
  const slots = new Uint16Array(count);
  for (let i = 0; i < count; i += 1) {
    const hash = spread(mix(hashStart, i + 1));
    const slot = (hash >>> 8) % sketchSize;
    slots[i] = Float64Array.BYTES_PER_ELEMENT * (hash & 1 ? slot : sketchSize + slot);
  }
  const at = allocate(slots.byteLength);
  viewBytes(at, slots.byteLength).set(new Uint8Array(slots.buffer));
  return at;
}

const levelCount = (rows: number): number => rows * (bandEdges.length + 1) + (rows * (rows - 1)) / 2;

/**
 * Log power of each row in each band, then the correlation of each pair of rows (Fisher's z). `covariances`: those of
 * each frequency.
 */
function writeLevels(covariances: Float64Array, { frequencies, rows }: CellSize, out: Float32Array): void {
  const bands = bandEdges.length + 1;
  const power = new Float64Array(rows * bands);
  const products = new Float64Array(rows * rows);
  for (let f = 0, from = 0; f < frequencies.length; f += 1, from += rows * rows) {
    const band = bandEdges.filter((edge) => frequencies[f] >= edge).length;
    for (let i = 0; i < rows; i += 1) power[i * bands + band] += covariances[from + i * rows + i];
    for (let k = 0; k < products.length; k += 1) products[k] += covariances[from + k];
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
