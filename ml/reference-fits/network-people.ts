import { movementCard, usedSites } from '../encoders/movement/index.ts';
import type { MovementPeople } from '../encoders/movement/index.ts';
import { cholesky, matmulTransposed, solveLower } from '../linalg/index.ts';
import { matrixOf, squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { bankOf } from '../methods/movement/centres.ts';
import { bankIn } from '../methods/movement/reader.ts';
import { sketchOf } from '../methods/movement/sketch.ts';
import type { TrainingData } from '../train/types.ts';
import { comparedParts } from './compared-parts.ts';

/**
 * A person is recognised if the median distance of the other people is so many times the person's distance as it is for
 * the most similar two training people, times this.
 */
const margin = 1.15;

/**
 * A way to compare sketches. `reference`: pairs of electrodes alone, which no reference changes; or also each electrode,
 * as recorded or less the mean of all electrodes of the head. `gain`: levels are taken out of all bands together, or of
 * each band by itself, as after a filter.
 */
interface Reading {
  readonly reference: 'any' | 'recorded' | 'average';
  readonly gain: 'one' | 'bands';
}

const readings: readonly Reading[] = [
  { reference: 'any', gain: 'bands' },
  { reference: 'recorded', gain: 'one' },
  { reference: 'average', gain: 'one' },
  { reference: 'recorded', gain: 'bands' },
  { reference: 'average', gain: 'bands' },
];

/** Fewest sites of a reading: with two, a pair is no more than a level. */
const fewestSites = { any: 3, recorded: 2, average: 2 } as const;

/**
 * Names of the training people of the networks whose recordings are among the trials; none if the trials were not read
 * for the network. Electrodes without a signal are left out.
 */
export function peopleOfNetworks(data: TrainingData, people: MovementPeople): string[] {
  const { features } = data;
  const set = bankIn(features);
  if (set === undefined) return [];
  const bank = bankOf(features, set);
  const { channels, sites } = usedSites(features.shape);
  const { channelNames, silent = [] } = features.shape;
  const live = [...sites.keys()].filter((i) => !silent.includes(channelNames[channels[i]]));
  return namesIn(
    people,
    { sites, live },
    comparedParts(data).map((rows) => sketchOf(bank, rows)),
  );
}

/**
 * Names of the people whose recordings the sketches of some trials look like (see `sketchOf`). `sites`: indices of the
 * sketched electrodes among those of the card, ascending; `live`: places of those among them that carry a signal. The
 * distance is that of Mahalanobis by the covariance of recordings of one person (probabilistic linear discriminant
 * analysis, Ioffe 2006).
 */
function namesIn(
  people: MovementPeople,
  { sites, live }: { readonly sites: readonly number[]; readonly live: readonly number[] },
  sketches: readonly Float64Array[],
): string[] {
  const found = new Set<number>();
  for (const reading of readings) {
    if (live.length < fewestSites[reading.reference] || sketches.length === 0) continue;
    const bands = movementCard.bands.length;
    const every = (table: ArrayLike<number>, width: number, at: readonly number[]): Matrix =>
      centred(chosen(table, width, at), at.length, reading.gain === 'bands' ? 1 : bands);
    const own = every(joined(sketches), sketches[0].length / bands, columnsOf(reading, sites.length, live));
    const columns = columnsOf(
      reading,
      movementCard.sites.length,
      live.map((i) => sites[i]),
      reading.reference === 'average' ? movementCard.sites.length : 0,
    );
    const known = every(people.sketches, people.width, columns);
    const within = every(people.within, people.width, columns);
    const roots = chosen(people.rest, people.width, columns).map((value) => 1 / Math.sqrt(value));
    for (const table of [own, known, within]) scaleColumns(table, roots);
    for (const p of nearestOf(own, known, within)) found.add(p);
  }
  return [...found].sort((a, b) => a - b).map((p) => people.names[p]);
}

/** Places of the people whose distance to a row of `own` is unusually small. */
function nearestOf(own: Matrix, known: Matrix, within: Matrix): number[] {
  const product = matmulTransposed(within, within);
  for (let i = 0; i < product.rows; i += 1) product.data[i * product.rows + i] += 1;
  const directions = solveLower(cholesky(squareOf(product.data, product.rows))!, within);
  const alongOf = (table: Matrix): Matrix => matmulTransposed(table, directions);
  const distances = (a: Matrix, b: Matrix): Matrix => {
    const along = squaredDistances(alongOf(a), alongOf(b)).data;
    const all = squaredDistances(a, b);
    return matrixOf(
      all.data.map((value, i) => Math.max(0, value - along[i])),
      all.columns,
    );
  };
  const limit = margin * mostAlike(distances(known, known));
  const each = distances(own, known);
  return Array.from({ length: each.rows }, (_, i) =>
    each.data.subarray(i * each.columns, (i + 1) * each.columns),
  ).flatMap((row) => {
    const nearest = row.indexOf(Math.min(...row));
    return likeness(row, nearest) > limit ? [nearest] : [];
  });
}

/** Greatest likeness of a person to another one. */
function mostAlike({ data, rows, columns }: Matrix): number {
  let most = 0;
  for (let p = 0; p < rows; p += 1) {
    const others = data.slice(p * columns, (p + 1) * columns).filter((_, i) => i !== p);
    most = Math.max(most, likeness(others, others.indexOf(Math.min(...others))));
  }
  return most;
}

/** Median of the distances, as a multiple of that to one of them. */
const likeness = (distances: Float64Array, at: number): number =>
  distances.slice().sort()[distances.length >> 1] / Math.max(distances[at], 1e-9);

/** Columns of a band of a sketch of `all` sites: pairs of some, and their levels, `skipped` columns after the pairs. */
function columnsOf({ reference }: Reading, all: number, some: readonly number[], skipped = 0): number[] {
  const pairs = some.flatMap((a, i) => some.slice(i + 1).map((b) => (a * (2 * all - a - 1)) / 2 + b - a - 1));
  if (reference === 'any') return pairs;
  return [...pairs, ...some.map((site) => (all * (all - 1)) / 2 + skipped + site)];
}

/** Some columns of each band of a table [… × bands × width]. */
function chosen(table: ArrayLike<number>, width: number, columns: readonly number[]): Float64Array {
  const out = new Float64Array((table.length / width) * columns.length);
  for (let from = 0, to = 0; from < table.length; from += width)
    for (let k = 0; k < columns.length; k += 1, to += 1) out[to] = table[from + columns[k]];
  return out;
}

/** Rows of all bands, without the mean of each group of `bands` bands. */
function centred(values: Float64Array, width: number, bands: number): Matrix {
  const size = width * bands;
  for (let from = 0; from < values.length; from += size) {
    let sum = 0;
    for (let k = from; k < from + size; k += 1) sum += values[k];
    for (let k = from; k < from + size; k += 1) values[k] -= sum / size;
  }
  return matrixOf(values, width * movementCard.bands.length);
}

function scaleColumns({ data }: Matrix, by: Float64Array): void {
  for (let from = 0; from < data.length; from += by.length)
    for (let k = 0; k < by.length; k += 1) data[from + k] *= by[k];
}

function joined(rows: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(rows.length * rows[0].length);
  rows.forEach((row, i) => out.set(row, i * row.length));
  return out;
}

/** Squared Euclidean distances of rows [rows of a × rows of b]. */
function squaredDistances(a: Matrix, b: Matrix): Matrix {
  const out = matmulTransposed(a, b);
  const squares = [a, b].map(squaresOf);
  for (let i = 0; i < a.rows; i += 1)
    for (let j = 0; j < b.rows; j += 1)
      out.data[i * b.rows + j] = squares[0][i] + squares[1][j] - 2 * out.data[i * b.rows + j];
  return out;
}

function squaresOf({ data, rows, columns }: Matrix): Float64Array {
  const out = new Float64Array(rows);
  for (let i = 0; i < data.length; i += 1) out[Math.floor(i / columns)] += data[i] ** 2;
  return out;
}
