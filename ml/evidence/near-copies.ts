import { sketchSize } from '../fingerprints.ts';
import { withByteRows } from '../linalg/index.ts';
import type { SomeRows } from '../linalg/index.ts';
import { nthSmallest } from '../nth-smallest.ts';
import type { Steps } from '../steps.ts';
import type { Fingerprints } from '../types.ts';

/** Trials that are compared with all others at a time: this limits the memory. */
const block = 128;
/** Trials of a block that are compared with each of the others in turn. */
const group = 16;
/** Pairs from which the spread of unrelated trials is taken. */
const mostPairs = 40_000;
/**
 * Of more than `trials` trials, the first `size` values of the sketches are compared first. A pair is compared in full
 * if its similarity is at most `deviations` standard deviations below the least one of a link.
 */
const coarse = { trials: 1024, size: 128, deviations: 1.5 } as const;
/**
 * Fewer trials than this are not compared, because unrelated pairs are too few to judge a pair by: of 3 trials, a
 * quarter of the copies with 30 % noise would be missed. Measured with 4 to 7 trials of 11 real recordings: none of 440
 * draws of each number was linked. Of sets of pink noise, 0.4 to 0.8 % were, and 0.9 to 1.5 % with 8 to 12 trials.
 */
const fewest = 4;
/**
 * A pair is linked if its similarity exceeds the median of all pairs by the largest deviation that so many unrelated
 * pairs would show, plus `margin` and `few` divided by the trials (few pairs give the deviation only roughly), in
 * standard deviations, and is at least `similarity`. Measured on 11 real recordings (45 to 3,087 trials): the largest
 * deviation of unrelated trials was that of normal noise, within 0.3.
 */
const margin = 1;
const few = 12;
const similarity = 0.15;
/**
 * Copies of many trials are often sent in a regular order: each at a fixed distance from its original. If the mean
 * deviation of all pairs at one distance is at least `mean`, and `sum` times its standard error, the pairs at this
 * distance are linked from `pair` on. If more than `distances` qualify, the classes alternate, and none is used.
 */
const regular = { mean: 1, sum: 9, pair: 1.5, distances: 4 } as const;

/**
 * Pairs of trials of which one is likely an altered copy of the other: with the sign changed, reversed in time,
 * filtered, re-referenced, with noise added, slightly shifted or stretched, or mixed with another trial. The cosine of
 * two sketches, or of one and that of the other reversed, is judged against all pairs of the same recording. The time
 * grows with the square of the trials, of which a fit reads a bounded number: 0.02 s for 500, 1 s for 4,096, 14 s for
 * 16,384. Yields after each block of trials.
 */
export function* nearCopiesInSteps({
  sketches,
  first,
}: Pick<Fingerprints, 'sketches' | 'first'>): Steps<[number, number][]> {
  const trials = first.length - 1;
  if (trials < fewest) return [];
  const whole = comparedOn(sketches, trials, sketchSize);
  const unrelated = spreadOf(whole);
  const { centre, spread } = unrelated;
  const least = Math.max(
    similarity,
    centre + spread * (margin + few / trials + Math.sqrt(2 * Math.log(trials * (trials - 1)))),
  );
  yield;
  const isCoarse = trials > coarse.trials;
  const compared = isCoarse ? comparedOn(sketches, trials, coarse.size) : whole;
  const roughly = isCoarse ? spreadOf(compared) : unrelated;
  const roughLeast = isCoarse ? least - coarse.deviations * roughly.spread : least;
  yield;
  const pairs: [number, number][] = [];
  const sums = new Float64Array(trials);
  for (let from = 0; from < trials; from += block) {
    for (const pair of pairsOfBlock(compared, from, roughLeast, sums))
      if (!isCoarse || similarityOf(whole, ...pair) >= least) pairs.push(pair);
    yield;
  }
  return [...pairs, ...regularPairs(compared, sums, roughly)];
}

/** Sketches of trials of which the first `size` values are compared, and their lengths. */
interface Compared {
  /** [trials × directions × sketchSize]: as recorded, and reversed in time. */
  readonly sketches: Int8Array;
  readonly size: number;
  readonly trials: number;
  /** One over the length of each sketch, 0 for a sketch of zeros. [trials × directions] */
  readonly scales: Float64Array;
}

/** Sketches of a trial. */
const directions = 2;

function comparedOn(sketches: Int8Array, trials: number, size: number): Compared {
  const scales = new Float64Array(trials * directions);
  for (let row = 0; row < scales.length; row += 1) {
    const square = productOf(sketches, row, row, size);
    scales[row] = square > 0 ? 1 / Math.sqrt(square) : 0;
  }
  return { sketches, size, trials, scales };
}

/** Inner product of the first `size` values of two sketches. */
function productOf(sketches: Int8Array, row: number, other: number, size: number): number {
  let sum = 0;
  for (let i = row * sketchSize, end = i + size, j = other * sketchSize; i < end; i += 1, j += 1)
    sum += sketches[i] * sketches[j];
  return sum;
}

/**
 * Pairs of at least this similarity of the trials from `from` on, at most `block`, with later trials. Adds the
 * similarities of all their pairs to `sums`, by distance.
 */
function pairsOfBlock(
  { sketches, size, trials, scales }: Compared,
  from: number,
  least: number,
  sums: Float64Array,
): [number, number][] {
  const pairs: [number, number][] = [];
  const [same, turned] = [new Int32Array(group * trials), new Int32Array(group * trials)];
  withByteRows(sketches.subarray(from * directions * sketchSize), sketchSize, size, (rows) => {
    const to = Math.min(from + block, trials);
    for (let first = from; first < to; first += group) {
      const next = (first - from) * directions;
      const own = { from: next, step: directions, count: Math.min(group, to - first) };
      rows.products(own, { from: next, step: directions, count: trials - first }, same);
      rows.products(own, { from: next + 1, step: directions, count: trials - first }, turned);
      for (let i = 0; i < own.count; i += 1) addPairs(i, first, { same, turned, scales }, least, sums, pairs);
    }
  });
  return pairs;
}

/** Inner products of trials of a group with all trials from the first of them on. */
interface Products {
  readonly same: Int32Array;
  /** With the trials reversed in time. */
  readonly turned: Int32Array;
  readonly scales: Float64Array;
}

/** Adds the pairs of trial `first` + `i` and later trials. */
function addPairs(
  i: number,
  first: number,
  { same, turned, scales }: Products,
  least: number,
  sums: Float64Array,
  pairs: [number, number][],
): void {
  const rest = sums.length - first;
  const own = scales[(first + i) * directions];
  for (let j = i + 1, at = i * rest + j, row = (first + j) * directions; j < rest; j += 1, at += 1, row += directions) {
    const value = own * Math.max(same[at] * scales[row], turned[at] * scales[row + 1]);
    sums[j - i] += value;
    if (value >= least) pairs.push([first + i, first + j]);
  }
}

interface Unrelated {
  /** Similarity of unrelated trials: median, and standard deviation about it. */
  readonly centre: number;
  readonly spread: number;
}

function spreadOf(compared: Compared): Unrelated {
  const values = someSimilarities(compared);
  const middle = values.length >> 1;
  const centre = nthSmallest(values, middle);
  toDistances(values, centre);
  const distance = nthSmallest(values, middle);
  return { centre, spread: Math.max(1 / Math.sqrt(compared.size), 1.4826 * distance) };
}

function toDistances(values: Float64Array, from: number): void {
  for (let i = 0; i < values.length; i += 1) values[i] = Math.abs(values[i] - from);
}

/** Similarities of about `mostPairs` pairs, evenly spaced among all: of both as recorded, and of one reversed. */
function someSimilarities({ sketches, size, trials, scales }: Compared): Float64Array {
  const step = Math.max(1, Math.floor((trials * (trials - 1)) / 2 / mostPairs));
  const values = new Float64Array(2 * Math.ceil((trials * (trials - 1)) / 2 / step));
  const all = new Int32Array(trials);
  let count = 0;
  withByteRows(sketches, sketchSize, size, (rows) => {
    for (let i = 0, j = 1; i < trials - 1; i += 1, j += i + 1 - trials) {
      if (j >= trials) continue;
      const products = all.subarray(0, Math.ceil((trials - j) / step));
      for (const direction of [0, 1]) {
        const other = j * directions + direction;
        const others = { from: other, step: step * directions, count: products.length };
        rows.products({ from: i * directions, step: directions, count: 1 }, others, products);
        scaleProducts(products, scales, i * directions, others, values.subarray(count));
        count += products.length;
      }
      j += products.length * step;
    }
  });
  return values.subarray(0, count);
}

/** Writes the cosines of a sketch and some others to `out`. */
function scaleProducts(
  products: Int32Array,
  scales: Float64Array,
  own: number,
  { from, step }: SomeRows,
  out: Float64Array,
): void {
  for (let k = 0, row = from; k < products.length; k += 1, row += step)
    out[k] = products[k] * scales[own] * scales[row];
}

/** Similarity of a trial and another, or the other reversed in time. */
function similarityOf({ sketches, size, scales }: Compared, i: number, j: number): number {
  const [own, other] = [i * directions, j * directions];
  const cosineWith = (row: number): number => productOf(sketches, own, row, size) * scales[own] * scales[row];
  return Math.max(cosineWith(other), cosineWith(other + 1));
}

/** Mean of the larger of two normal deviates, and its standard deviation. */
const larger = { mean: 0.564, deviation: 0.826 } as const;

/** Pairs at distances at which trials are more similar than others. `sums`: similarities summed by distance. */
function regularPairs(compared: Compared, sums: Float64Array, { centre, spread }: Unrelated): [number, number][] {
  const { trials } = compared;
  const distances = Array.from(sums.keys()).filter((distance) => {
    const count = trials - distance;
    const mean = ((sums[distance] / count - centre) / spread - larger.mean) / larger.deviation;
    return distance > 0 && mean >= regular.mean && mean * Math.sqrt(count) >= regular.sum;
  });
  if (distances.length > regular.distances) return [];
  return distances.flatMap((distance) =>
    Array.from({ length: trials - distance }, (_, i): [number, number] => [i, i + distance]).filter(
      ([i, j]) => similarityOf(compared, i, j) >= centre + regular.pair * spread,
    ),
  );
}
