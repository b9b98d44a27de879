import { movementCard } from '../encoders/movement/index.ts';
import type { MovementPeople } from '../encoders/movement/index.ts';
import type { ScaledRows } from '../encoders/movement/people.ts';
import { matmulTransposed } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';

/**
 * A way to compare sketches. `reference`: pairs of electrodes alone, which no reference changes; or also each electrode,
 * as recorded or less the mean of all electrodes of the head. `level`: that of all bands together is taken out, or that
 * of each band by itself. `isFiltered`: only bands that lie within a filter of 8 to 30 Hz are compared.
 */
interface Reading {
  readonly reference: 'any' | 'recorded' | 'average';
  readonly level: 'all' | 'each';
  readonly isFiltered: boolean;
}

const readings: readonly Reading[] = [
  { reference: 'any', level: 'each', isFiltered: false },
  { reference: 'recorded', level: 'all', isFiltered: false },
  { reference: 'average', level: 'all', isFiltered: false },
  { reference: 'any', level: 'each', isFiltered: true },
  { reference: 'recorded', level: 'each', isFiltered: true },
  { reference: 'average', level: 'each', isFiltered: true },
];

const bands = [...movementCard.bands.keys()];
const withinFilter = bands.filter((band) => movementCard.bands[band][0] >= 9 && movementCard.bands[band][1] <= 29);

/** Fewest electrodes of a reading: differences of few pairs, or two powers within a filter, are alike in many people. */
const fewestOf = ({ reference, isFiltered }: Reading): number => {
  if (reference === 'any') return 5;
  return isFiltered ? 3 : 2;
};

/** Columns of a band of the callers' sketches, and of the stored rows. */
interface Columns {
  readonly own: Int32Array;
  readonly stored: Int32Array;
}

/** Weighted products of rows over some columns, and the sums that a level is taken out by. */
interface Products {
  /** [rows × rows] */
  readonly products: Float64Array;
  /** Sum of each row, and of each row times the weights. */
  readonly sums: Float64Array;
  readonly weighted: Float64Array;
  /** Sum of the weights, and their number. */
  readonly weight: number;
  readonly count: number;
}

/**
 * For each reading the products [rows × rows] of the rows without their level, each column divided by its variance: the
 * callers' sketches, the people's, and the directions within people. `sites`: indices of the callers' electrodes among
 * those of the card, ascending; `live`: places of those among them that carry a signal.
 */
export function* sketchProducts(
  people: MovementPeople,
  { sites, live }: { readonly sites: readonly number[]; readonly live: readonly number[] },
  callers: readonly Float64Array[],
): Generator<Float64Array> {
  const all = movementCard.sites.length;
  const known = live.map((i) => sites[i]);
  const own = levelColumns(live, sites.length);
  const columns: Record<Reading['reference'], Columns> = {
    any: { own: pairColumns(live, sites.length), stored: pairColumns(known, all) },
    recorded: { own, stored: levelColumns(known, all) },
    average: { own, stored: levelColumns(known, all).map((column) => column + all) },
  };
  const made = new Map<Reading['reference'], Products[]>();
  const of = (part: Reading['reference']): Products[] => {
    const before = made.get(part) ?? bands.map((band) => productsOf(band, columns[part]));
    made.set(part, before);
    return before;
  };
  const productsOf = (band: number, { own, stored }: Columns): Products => {
    const { sketches, within, width, names } = people;
    const rows = callers.length + names.length + within.scale.length / 2;
    const table = new Float64Array(rows * stored.length);
    callers.forEach((row, i) => {
      const from = (band * row.length) / bands.length;
      for (let k = 0; k < own.length; k += 1) table[i * own.length + k] = row[from + own[k]];
    });
    writeRows(sketches, band * width, stored, table, callers.length);
    writeRows(within, band * width, stored, table, callers.length + names.length);
    const weights = Float64Array.from(stored, (column) => 1 / people.rest[band * width + column]);
    return weightedProducts(table, weights);
  };
  for (const reading of readings) {
    if (live.length < fewestOf(reading)) continue;
    const { reference, level, isFiltered } = reading;
    const parts = reference === 'any' ? [of('any')] : [of('any'), of(reference)];
    const groups = (isFiltered ? withinFilter : bands).map((band) => parts.map((part) => part[band]));
    const out = new Float64Array(groups[0][0].products.length);
    for (const group of level === 'each' ? groups : [groups.flat()]) addWithoutLevel(group, out);
    yield out;
  }
}

/** Columns of the pairs of some sites in a sketch of `all` sites, and of the sites by themselves. */
const pairColumns = (some: readonly number[], all: number): Int32Array =>
  Int32Array.from(some.flatMap((a, i) => some.slice(i + 1).map((b) => (a * (2 * all - a - 1)) / 2 + b - a - 1)));
const levelColumns = (some: readonly number[], all: number): Int32Array =>
  Int32Array.from(some, (site) => (all * (all - 1)) / 2 + site);

/** Writes some columns of stored rows into a table, from a row on. */
function writeRows(
  { steps, scale }: ScaledRows,
  from: number,
  columns: Int32Array,
  table: Float64Array,
  first: number,
): void {
  const rows = scale.length / 2;
  const width = steps.length / rows;
  for (let row = 0, to = first * columns.length; row < rows; row += 1)
    for (let k = 0; k < columns.length; k += 1, to += 1)
      table[to] = scale[2 * row] + scale[2 * row + 1] * steps[row * width + from + columns[k]];
}

/** Changes the table. */
function weightedProducts(table: Float64Array, weights: Float64Array): Products {
  const { length: count } = weights;
  const rows = table.length / count;
  const sums = new Float64Array(rows);
  const weighted = new Float64Array(rows);
  const roots = weights.map(Math.sqrt);
  for (let i = 0, at = 0; i < rows; i += 1)
    for (let k = 0; k < count; k += 1, at += 1) {
      sums[i] += table[at];
      weighted[i] += table[at] * weights[k];
      table[at] *= roots[k];
    }
  const matrix = matrixOf(table, count, rows);
  let weight = 0;
  for (const value of weights) weight += value;
  return { products: matmulTransposed(matrix, matrix).data, sums, weighted, weight, count };
}

/** Adds the products over all columns of a group, without the mean of each row over the group. */
function addWithoutLevel(group: readonly Products[], out: Float64Array): void {
  const rows = group[0].sums.length;
  const level = new Float64Array(rows);
  const weighted = new Float64Array(rows);
  let [weight, count] = [0, 0];
  for (const part of group) {
    weight += part.weight;
    count += part.count;
    for (let i = 0; i < rows; i += 1) {
      level[i] += part.sums[i];
      weighted[i] += part.weighted[i];
    }
    for (let k = 0; k < out.length; k += 1) out[k] += part.products[k];
  }
  for (let i = 0; i < rows; i += 1) level[i] /= count;
  for (let i = 0, at = 0; i < rows; i += 1)
    for (let j = 0; j < rows; j += 1, at += 1)
      out[at] += level[i] * level[j] * weight - level[i] * weighted[j] - level[j] * weighted[i];
}
