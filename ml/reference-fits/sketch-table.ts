import { movementCard } from '../encoders/movement/index.ts';
import type { MovementPeople } from '../encoders/movement/index.ts';
import type { ScaledRows } from '../encoders/movement/people.ts';

const bands = movementCard.bands.length;

/** Sketches of some electrodes [rows × bands × width]: of the callers, of the people, and directions within people. */
export interface SketchTable {
  readonly values: Float64Array;
  readonly callers: number;
  readonly people: number;
  readonly directions: number;
  readonly electrodes: number;
  /** Variance of recordings of one person beside the directions [bands × width]. */
  readonly variances: Float64Array;
}

/**
 * The sketches of some electrodes by these columns of a band: electrodes less the mean of all electrodes of the head,
 * pairs of electrodes, electrodes as recorded. The callers' reference is not known: their values are the same in both.
 * `callers`: sketches of the electrodes at `sites` of the card (ascending). `places`: those of them that are taken.
 */
export function sketchTable(
  { names, sketches, within, rest, width: storedWidth }: MovementPeople,
  { sites, places }: { readonly sites: readonly number[]; readonly places: readonly number[] },
  callers: readonly Float64Array[],
): SketchTable {
  const all = movementCard.sites.length;
  const electrodes = places.length;
  const own = columnsOf(places, sites.length);
  const stored = columnsOf(
    places.map((place) => sites[place]),
    all,
  );
  const columns = [
    Int32Array.of(...own.subarray(-electrodes), ...own),
    Int32Array.of(...stored.subarray(-electrodes).map((column) => column + all), ...stored),
  ];
  const size = bands * columns[0].length;
  const directions = within.scale.length / 2;
  const values = new Float64Array((callers.length + names.length + directions) * size);
  callers.forEach((row, i) => writeRow(row, row.length / bands, columns[0], values, i * size));
  writeRows(sketches, storedWidth, columns[1], values, callers.length * size);
  writeRows(within, storedWidth, columns[1], values, (callers.length + names.length) * size);
  const variances = new Float64Array(size);
  writeRow(rest, storedWidth, columns[1], variances, 0);
  return { values, callers: callers.length, people: names.length, directions, electrodes, variances };
}

/** Columns of some of `all` sites in a band of a sketch: their pairs, then each. */
const columnsOf = (some: readonly number[], all: number): Int32Array =>
  Int32Array.from([
    ...some.flatMap((a, i) => some.slice(i + 1).map((b) => (a * (2 * all - a - 1)) / 2 + b - a - 1)),
    ...some.map((site) => (all * (all - 1)) / 2 + site),
  ]);

/** Writes some columns of each band of a row into a table, from a place on. */
function writeRow(
  row: Float32Array | Float64Array,
  width: number,
  columns: Int32Array,
  out: Float64Array,
  from: number,
): void {
  for (let b = 0, to = from; b < bands; b += 1)
    for (let k = 0; k < columns.length; k += 1, to += 1) out[to] = row[b * width + columns[k]];
}

function writeRows(
  { steps, scale }: ScaledRows,
  width: number,
  columns: Int32Array,
  out: Float64Array,
  from: number,
): void {
  const size = bands * columns.length;
  for (let row = 0, at = from; row < scale.length / 2; row += 1, at += size) {
    writeRow(steps.subarray(row * bands * width, (row + 1) * bands * width), width, columns, out, at);
    for (let k = at; k < at + size; k += 1) out[k] = scale[2 * row] + scale[2 * row + 1] * out[k];
  }
}
