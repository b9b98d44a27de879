import { movementCard } from '../encoders/movement/index.ts';
import type { MovementPeople } from '../encoders/movement/index.ts';
import { sketchTable } from './sketch-table.ts';
import type { SketchTable } from './sketch-table.ts';
import { standardisedSketches } from './standardised-sketches.ts';

const bands = [...movementCard.bands.keys()];
const withinFilter = bands.filter((band) => movementCard.bands[band][0] >= 9 && movementCard.bands[band][1] <= 29);

/**
 * Numbers of electrodes. `pairs`: fewest that are compared by their differences alone, as few differences are alike in
 * many people. `filtered`: fewest that are compared in the bands within a filter, as recorded, and with a gain for
 * each. `halves`: fewest of which every other one is compared by itself. `whole`: most that are compared together with
 * a gain for each, and by differences in all bands.
 */
const limits = { pairs: 5, filtered: { recorded: 3, standardised: 5 }, halves: 8, whole: 11 } as const;

/**
 * Rows [rows × columns] without their level, each column divided by its standard deviation: callers, people,
 * directions.
 */
export interface Reading {
  readonly values: Float64Array;
  readonly columns: number;
}

/** Columns of each band that are compared, from the first to before the last. */
type Columns = readonly [from: number, to: number];

/**
 * Ways to compare the callers' electrodes at some sites of the card with the people:
 *
 * - the differences of pairs alone, which no reference changes;
 * - pairs and electrodes, as recorded and less the mean of all electrodes, with a gain for each electrode (see
 *   `standardisedSketches`): all together if they are few, else every other one, so that one that is noisy or
 *   interpolated spoils one half;
 * - of few electrodes also with the gains of the recording.
 *
 * All but halves are also read in the bands that lie within a filter of 8 to 30 Hz; the differences of many pairs in
 * these alone, which are enough.
 */
export function* sketchReadings(
  people: MovementPeople,
  sites: readonly number[],
  callers: readonly Float64Array[],
): Generator<Reading> {
  const count = sites.length;
  const pairs = (count * (count - 1)) / 2;
  const places = [...sites.keys()];
  const table = sketchTable(people, { sites, places }, callers);
  const differences = [count, count + pairs] as const;
  if (count > limits.whole) yield readingOf(table, differences, withinFilter, 'each');
  else if (count >= limits.pairs) yield* inBands(table, differences, 'each', true);
  if (count < limits.halves)
    for (const first of [0, count])
      yield* inBands(table, [first, first + count + pairs], 'all', count >= limits.filtered.recorded);
  if (count <= limits.whole) yield* withGains(table, count >= limits.filtered.standardised);
  if (count < limits.halves) return;
  for (const half of [0, 1]) {
    const some = places.filter((place) => place % 2 === half);
    yield* withGains(sketchTable(people, { sites, places: some }, callers), false);
  }
}

/** Readings with a gain for each electrode: less the mean of all electrodes, and as recorded. */
function* withGains(table: SketchTable, isFiltered: boolean): Generator<Reading> {
  const standardised = standardisedSketches(table, bands.length);
  const half = standardised.variances.length / bands.length / 2;
  yield* inBands(standardised, [0, half], 'all', isFiltered);
  yield* inBands(standardised, [half, 2 * half], 'all', isFiltered);
}

/** Readings of some columns in all bands, and in those within the filter, where the level of each is taken out. */
function* inBands(
  table: SketchTable,
  columns: Columns,
  level: 'each' | 'all',
  isFiltered: boolean,
): Generator<Reading> {
  yield readingOf(table, columns, bands, level);
  if (isFiltered) yield readingOf(table, columns, withinFilter, 'each');
}

function readingOf(
  { values: all, variances }: SketchTable,
  [from, to]: Columns,
  some: readonly number[],
  level: 'each' | 'all',
): Reading {
  const width = variances.length / bands.length;
  const at = Int32Array.from(
    some.flatMap((band) => Array.from({ length: to - from }, (_, k) => band * width + from + k)),
  );
  const rows = all.length / variances.length;
  const group = level === 'each' ? at.length / some.length : at.length;
  const roots = Float64Array.from(at, (column) => 1 / Math.sqrt(variances[column]));
  const values = new Float64Array(rows * at.length);
  for (let row = 0; row < rows; row += 1)
    writeReading(all, row * variances.length, at, roots, group, values, row * at.length);
  return { values, columns: at.length };
}

/** Writes one row: the mean of each group of columns is taken out. */
function writeReading(
  row: Float64Array,
  from: number,
  at: Int32Array,
  roots: Float64Array,
  group: number,
  out: Float64Array,
  to: number,
): void {
  for (let first = 0; first < at.length; first += group) {
    let mean = 0;
    for (let k = first; k < first + group; k += 1) mean += row[from + at[k]] / group;
    for (let k = first; k < first + group; k += 1) out[to + k] = (row[from + at[k]] - mean) * roots[k];
  }
}
