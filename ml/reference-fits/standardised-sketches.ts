import type { SketchTable } from './sketch-table.ts';

/**
 * Least power of the difference of two electrodes, as a share of the sum of their powers. The means of logarithms, from
 * which the difference is computed, may give less than nothing for electrodes that are alike.
 */
const floor = 0.02;

/**
 * A row of a table [bands × (electrodes + pairs + electrodes)], the powers behind its logarithms, and the level of each
 * electrode.
 */
interface Row {
  readonly logs: Float64Array;
  readonly powers: Float64Array;
  /** Mean log power over the bands, of the electrodes less the mean of all, then as recorded. */
  readonly levels: Float64Array;
  /** Factors of amplitude that make the levels 0. */
  readonly gains: Float64Array;
}

/** Numbers of bands, electrodes and their pairs. */
interface Shape {
  readonly bands: number;
  readonly electrodes: number;
  readonly pairs: number;
}

/**
 * The sketches as if a gain had been set for each electrode so that the mean of its log power over the bands is 0. This
 * takes out all gains of channels. Columns of a band: pairs of electrodes and electrodes less the mean of all, then
 * pairs of electrodes and electrodes as recorded. A direction is the change of the mean of the people along it.
 */
export function standardisedSketches(table: SketchTable, bands: number): SketchTable {
  const { values, callers, people, directions, electrodes, variances } = table;
  const size = variances.length;
  const shape = { bands, electrodes, pairs: (electrodes * (electrodes - 1)) / 2 };
  const known = callers + people;
  const outSize = 2 * bands * (shape.pairs + electrodes);
  const out = new Float64Array((known + directions) * outSize);
  const mean = new Float64Array(size);
  for (let row = 0; row < known; row += 1) {
    const logs = values.subarray(row * size, (row + 1) * size);
    if (row >= callers) for (let k = 0; k < size; k += 1) mean[k] += logs[k] / people;
    writeStandardised(rowOf(logs, shape), shape, out, row * outSize);
  }
  const at = rowOf(mean, shape);
  for (let row = known; row < known + directions; row += 1)
    writeChange(at, values.subarray(row * size, (row + 1) * size), shape, out, row * outSize);
  return { ...table, values: out, variances: twice(variances, shape) };
}

function rowOf(logs: Float64Array, shape: Shape): Row {
  const levels = levelsOf(logs, shape);
  return { logs, powers: exponentials(logs, 1), levels, gains: exponentials(levels, -0.5) };
}

function exponentials(values: Float64Array, by: number): Float64Array {
  const out = new Float64Array(values.length);
  for (let k = 0; k < out.length; k += 1) out[k] = Math.exp(by * values[k]);
  return out;
}

function levelsOf(logs: Float64Array, { bands, electrodes, pairs }: Shape): Float64Array {
  const levels = new Float64Array(2 * electrodes);
  const size = pairs + 2 * electrodes;
  for (let at = 0; at < logs.length; at += size)
    for (let i = 0; i < electrodes; i += 1) {
      levels[i] += logs[at + i] / bands;
      levels[electrodes + i] += logs[at + electrodes + pairs + i] / bands;
    }
  return levels;
}

/** The covariance of two electrodes is half of the sum of their powers less the power of their difference. */
function writeStandardised(row: Row, { bands, electrodes, pairs }: Shape, out: Float64Array, to: number): void {
  const { logs, powers, levels, gains } = row;
  for (let b = 0, at = 0; b < bands; b += 1, at += pairs + 2 * electrodes)
    for (let first = 0; first < 2 * electrodes; first += electrodes) {
      const own = first === 0 ? at : at + electrodes + pairs;
      for (let i = 0, k = at + electrodes; i < electrodes; i += 1)
        for (let j = i + 1; j < electrodes; j += 1, k += 1, to += 1) {
          const [own1, own2] = [gains[first + i], gains[first + j]];
          const [a, c, gain] = [powers[own + i] * own1 * own1, powers[own + j] * own2 * own2, own1 * own2];
          const twice = (powers[own + i] + powers[own + j] - powers[k]) * gain;
          out[to] = Math.log(Math.max(floor * (a + c), a + c - twice));
        }
      for (let i = 0; i < electrodes; i += 1, to += 1) out[to] = logs[own + i] - levels[first + i];
    }
}

/** Change of the standardised row where the row changes along a direction: the derivative of `writeStandardised`. */
function writeChange(
  { powers, gains }: Row,
  direction: Float64Array,
  shape: Shape,
  out: Float64Array,
  to: number,
): void {
  const { bands, electrodes, pairs } = shape;
  const levels = levelsOf(direction, shape);
  for (let b = 0, at = 0; b < bands; b += 1, at += pairs + 2 * electrodes)
    for (let first = 0; first < 2 * electrodes; first += electrodes) {
      const own = first === 0 ? at : at + electrodes + pairs;
      for (let i = 0, k = at + electrodes; i < electrodes; i += 1)
        for (let j = i + 1; j < electrodes; j += 1, k += 1, to += 1) {
          const [own1, own2] = [gains[first + i], gains[first + j]];
          const [a, c, gain] = [powers[own + i] * own1 * own1, powers[own + j] * own2 * own2, own1 * own2];
          const shared = ((powers[own + i] + powers[own + j] - powers[k]) * gain) / 2;
          const change =
            (a - powers[own + i] * gain) * direction[own + i] +
            (c - powers[own + j] * gain) * direction[own + j] +
            powers[k] * gain * direction[k] -
            (a - shared) * levels[first + i] -
            (c - shared) * levels[first + j];
          out[to] = change / Math.max(floor * (a + c), a + c - 2 * shared);
        }
      for (let i = 0; i < electrodes; i += 1, to += 1) out[to] = direction[own + i] - levels[first + i];
    }
}

/** The variances of pairs and electrodes in the order of the standardised columns. */
function twice(variances: Float64Array, { bands, electrodes, pairs }: Shape): Float64Array {
  const half = pairs + electrodes;
  const out = new Float64Array(2 * bands * half);
  for (let b = 0, at = 0, to = 0; b < bands; b += 1, at += half + electrodes, to += 2 * half) {
    out.set(variances.subarray(at + electrodes, at + half), to);
    out.set(variances.subarray(at, at + electrodes), to + pairs);
    out.set(variances.subarray(at + electrodes, at + half + electrodes), to + half);
  }
  return out;
}
