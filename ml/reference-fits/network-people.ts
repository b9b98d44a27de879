import { usedSites } from '../encoders/movement/index.ts';
import type { MovementPeople } from '../encoders/movement/index.ts';
import { cholesky, matmulTransposed, solveLower, transpose } from '../linalg/index.ts';
import { matrixOf, squareOf } from '../matrix.ts';
import { bankOf } from '../methods/movement/centres.ts';
import { bankIn } from '../methods/movement/reader.ts';
import { sketchOf } from '../methods/movement/sketch.ts';
import type { TrainingData } from '../train/types.ts';
import { comparedParts } from './compared-parts.ts';
import { sketchProducts } from './sketch-products.ts';

/**
 * A person is recognised if the median distance, divided by the person's, exceeds this many times the largest such ratio
 * among the training people.
 */
const margin = 1.25;

/**
 * Names of the training people of the networks whose recordings are among the trials; none if the trials were not read
 * for the network. Electrodes without a signal are left out. The distance is that of Mahalanobis by the covariance of
 * recordings of one person (probabilistic linear discriminant analysis, Ioffe 2006).
 */
export function peopleOfNetworks(data: TrainingData, people: MovementPeople): string[] {
  const { features } = data;
  const set = bankIn(features);
  const parts = comparedParts(data);
  if (set === undefined || parts.length === 0) return [];
  const bank = bankOf(features, set);
  const { channels, sites } = usedSites(features.shape);
  const { channelNames, silent = [] } = features.shape;
  const live = [...sites.keys()].filter((i) => !silent.includes(channelNames[channels[i]]));
  const sketches = parts.map((rows) => sketchOf(bank, rows));
  const found = new Set<number>();
  for (const products of sketchProducts(people, { sites, live }, sketches))
    for (const p of recognisedBy(products, sketches.length, people.names.length)) found.add(p);
  return [...found].sort((a, b) => a - b).map((p) => people.names[p]);
}

/** Places of the people whom the callers' sketches resemble, from the products of all rows; see `sketchProducts`. */
function recognisedBy(products: Float64Array, callers: number, people: number): Set<number> {
  const rows = callers + people;
  const inner = withoutDirections(products, rows);
  const distances = (i: number): Float64Array => {
    const out = new Float64Array(people);
    for (let p = 0, j = callers; p < people; p += 1, j += 1)
      out[p] = Math.max(0, inner[i * rows + i] + inner[j * rows + j] - 2 * inner[i * rows + j]);
    return out;
  };
  let most = 0;
  for (let p = 0; p < people; p += 1) {
    const others = distances(callers + p).filter((_, other) => other !== p);
    most = Math.max(most, nearestOf(others).likeness);
  }
  const found = new Set<number>();
  for (let i = 0; i < callers; i += 1) {
    const { place, likeness } = nearestOf(distances(i));
    if (likeness > margin * most) found.add(place);
  }
  return found;
}

/** The nearest person, and the median distance divided by the smallest. */
function nearestOf(distances: Float64Array): { readonly place: number; readonly likeness: number } {
  const sorted = distances.slice().sort();
  return { place: distances.indexOf(sorted[0]), likeness: sorted[sorted.length >> 1] / Math.max(sorted[0], 1e-9) };
}

/**
 * Products of the first `rows` rows [rows × rows] under the inverse of a covariance: the identity plus the outer
 * products of the rows behind them. The part along those is subtracted (Woodbury).
 */
function withoutDirections(products: Float64Array, rows: number): Float64Array {
  const all = Math.sqrt(products.length);
  const n = all - rows;
  const own = new Float64Array(n * n);
  const along = new Float64Array(n * rows);
  const out = new Float64Array(rows * rows);
  for (let i = 0; i < rows; i += 1) out.set(products.subarray(i * all, i * all + rows), i * rows);
  for (let k = 0; k < n; k += 1) {
    const from = (rows + k) * all;
    along.set(products.subarray(from, from + rows), k * rows);
    own.set(products.subarray(from + rows, from + all), k * n);
    own[k * n + k] += 1;
  }
  const solved = transpose(solveLower(cholesky(squareOf(own, n))!, matrixOf(along, rows, n)));
  const { data } = matmulTransposed(solved, solved);
  for (let k = 0; k < out.length; k += 1) out[k] -= data[k];
  return out;
}
