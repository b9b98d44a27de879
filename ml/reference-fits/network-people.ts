import { usedSites } from '../encoders/movement/index.ts';
import type { MovementPeople } from '../encoders/movement/index.ts';
import { cholesky, gram, matmulTransposed, solveLower, transpose } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { bankOf } from '../methods/movement/centres.ts';
import type { Bank } from '../methods/movement/centres.ts';
import { bankIn } from '../methods/movement/reader.ts';
import { electrodesWithSignal, sketchOf } from '../methods/movement/sketch.ts';
import type { TrainingData } from '../train/types.ts';
import { comparedParts } from './compared-parts.ts';
import { sketchReadings } from './sketch-readings.ts';
import type { Reading } from './sketch-readings.ts';

/**
 * A person is recognised if the median distance, divided by the person's, exceeds this many times the largest such
 * ratio among the training people.
 */
const margin = 1.3;
/** Fewest electrodes that are compared. */
const fewest = 2;
/** Sets of electrodes that are compared at most, which bounds the time. */
const mostGroups = 4;

/**
 * Names of the training people of the networks whose recordings are among the trials; none if the trials were not read
 * for the network. The distance is that of Mahalanobis by the covariance of recordings of one person (probabilistic
 * linear discriminant analysis, Ioffe 2006).
 */
export function peopleOfNetworks(data: TrainingData, people: MovementPeople): string[] {
  const { features } = data;
  const set = bankIn(features);
  if (set === undefined) return [];
  const bank = bankOf(features, set);
  const { sites } = usedSites(features.shape);
  const found = new Set<number>();
  for (const some of withSameElectrodes(bank, comparedParts(data))) {
    const live = electrodesWithSignal(bank, Int32Array.from(some.flatMap((rows) => [...rows])));
    if (live.length < fewest) continue;
    const sketches = some.map((rows) => sketchOf(bank, rows, live));
    const at = live.map((electrode) => sites[electrode]);
    for (const reading of sketchReadings(people, at, sketches))
      for (const p of recognisedBy(reading, some.length, people.names.length)) found.add(p);
  }
  return [...found].sort((a, b) => a - b).map((p) => people.names[p]);
}

/**
 * Parts in which the same electrodes have a signal, as one may be dead in some batches only. At most `mostGroups`: the
 * last has all parts that are left, which are compared by the electrodes that have a signal in each of them.
 */
function withSameElectrodes(bank: Bank, parts: readonly Int32Array[]): (readonly Int32Array[])[] {
  const groups = [...Map.groupBy(parts, (rows) => electrodesWithSignal(bank, rows).join(' ')).values()].sort(
    (a, b) => b.length - a.length,
  );
  return [...groups.slice(0, mostGroups - 1), groups.slice(mostGroups - 1).flat()].filter(({ length }) => length > 0);
}

/** Places of the people whom the callers' sketches resemble. */
function recognisedBy(reading: Reading, callers: number, people: number): Set<number> {
  const spread = spreadOf(reading, callers + people);
  const [some, all] = [[0, callers] as const, [callers, callers + people] as const];
  const toPeople = distancesOf(spread, some, all);
  const near = Array.from({ length: callers }, (_, row) => nearestOf(toPeople, row));
  const most = Math.max(...near.map(({ likeness }) => likeness));
  const found = new Set<number>();
  // The ratios among people are at least 1: often they need not be known.
  if (most <= margin) return found;
  const among = distancesOf(spread, all, all);
  let limit = 0;
  for (let p = 0; p < people; p += 1) {
    among.data[p * people + p] = Number.POSITIVE_INFINITY;
    limit = Math.max(limit, margin * nearestOf(among, p).likeness);
    if (limit >= most) return found;
  }
  for (const { place, likeness } of near) if (likeness > limit) found.add(place);
  return found;
}

/** The nearest person in a row of distances, and the median distance divided by the smallest. */
function nearestOf({ data, columns }: Matrix, row: number): { readonly place: number; readonly likeness: number } {
  const distances = data.subarray(row * columns, (row + 1) * columns);
  const sorted = distances.slice().sort();
  return { place: distances.indexOf(sorted[0]), likeness: sorted[(columns - 1) >> 1] / Math.max(sorted[0], 1e-9) };
}

/** Rows under a covariance: the identity plus the outer products of directions. */
interface Spread {
  readonly rows: Matrix;
  /** The part of each row along the directions, which is subtracted from products (Woodbury). */
  readonly along: Matrix;
  /** Product of each row with itself, without that part. */
  readonly squares: Float64Array;
}

/** The first `count` rows of a reading under the covariance of the directions behind them. */
function spreadOf({ values, columns }: Reading, count: number): Spread {
  const rows = matrixOf(values, columns, count);
  const directions = matrixOf(values.subarray(count * columns), columns);
  const covariance = gram(directions);
  for (let k = 0; k < directions.rows; k += 1) covariance.data[k * directions.rows + k] += 1;
  const along = transpose(solveLower(cholesky(covariance)!, matmulTransposed(directions, rows)));
  const squares = new Float64Array(count);
  addSquares(rows, 1, squares);
  addSquares(along, -1, squares);
  return { rows, along, squares };
}

function addSquares({ data, rows, columns }: Matrix, by: number, out: Float64Array): void {
  for (let i = 0, at = 0; i < rows; i += 1) {
    let sum = 0;
    for (let k = 0; k < columns; k += 1, at += 1) sum += data[at] * data[at];
    out[i] += by * sum;
  }
}

type Rows = readonly [from: number, to: number];

/** Squared distances [some × others]. */
function distancesOf({ rows, along, squares }: Spread, some: Rows, others: Rows): Matrix {
  const out = matmulTransposed(rowsAt(rows, some), rowsAt(rows, others));
  const inside = matmulTransposed(rowsAt(along, some), rowsAt(along, others));
  for (let i = some[0], at = 0; i < some[1]; i += 1)
    for (let j = others[0]; j < others[1]; j += 1, at += 1)
      out.data[at] = Math.max(0, squares[i] + squares[j] - 2 * (out.data[at] - inside.data[at]));
  return out;
}

const rowsAt = ({ data, columns }: Matrix, [from, to]: Rows): Matrix =>
  matrixOf(data.subarray(from * columns, to * columns), columns, to - from);
