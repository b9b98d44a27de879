import { sketchSize } from '../fingerprints.ts';
import { matmulTransposed } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import type { Steps } from '../steps.ts';
import type { Fingerprints } from '../types.ts';

/** Trials that are compared with all others at a time: this limits the memory. */
const block = 128;
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
 * grows with the square of the trials, of which a fit reads a bounded number: 0.1 s for 500, 1 s for 4,096, 20 s for
 * 16,384. Yields after each block of trials.
 */
export function* nearCopiesInSteps({
  sketches,
  first,
}: Pick<Fingerprints, 'sketches' | 'first'>): Steps<[number, number][]> {
  const trials = first.length - 1;
  if (trials < fewest) return [];
  const whole = directionsOf(sketches, trials, sketchSize);
  const unrelated = spreadOf(whole);
  const { centre, spread } = unrelated;
  const least = Math.max(
    similarity,
    centre + spread * (margin + few / trials + Math.sqrt(2 * Math.log(trials * (trials - 1)))),
  );
  yield;
  const isCoarse = trials > coarse.trials;
  const compared = isCoarse ? directionsOf(sketches, trials, coarse.size) : whole;
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

/** Sketches of trials [trials × size], each of length 1: as recorded, and reversed in time. */
interface Directions {
  readonly forward: Matrix;
  readonly reversed: Matrix;
}

const directionsOf = (sketches: Int8Array, trials: number, size: number): Directions => ({
  forward: unitRows(sketches, 0, trials, size),
  reversed: unitRows(sketches, 1, trials, size),
});

/**
 * Pairs of at least this similarity of the trials from `from` on, at most `block`, with later trials. Adds the
 * similarities of all their pairs to `sums`, by distance.
 */
function pairsOfBlock(
  { forward, reversed }: Directions,
  from: number,
  least: number,
  sums: Float64Array,
): [number, number][] {
  const { columns } = forward;
  const rest = forward.rows - from;
  const count = Math.min(block, rest);
  const rowsOf = ({ data }: Matrix, rows: number): Matrix =>
    matrixOf(data.subarray(from * columns, (from + rows) * columns), columns, rows);
  const own = rowsOf(forward, count);
  const same = matmulTransposed(own, rowsOf(forward, rest)).data;
  const turned = matmulTransposed(own, rowsOf(reversed, rest)).data;
  const pairs: [number, number][] = [];
  for (let i = 0; i < count; i += 1)
    for (let j = i + 1; j < rest; j += 1) {
      const value = Math.max(same[i * rest + j], turned[i * rest + j]);
      sums[j - i] += value;
      if (value >= least) pairs.push([from + i, from + j]);
    }
  return pairs;
}

/** The first `size` values of the sketches of one direction, each of length 1. */
function unitRows(sketches: Int8Array, direction: number, trials: number, size: number): Matrix {
  const data = new Float64Array(trials * size);
  for (let t = 0; t < trials; t += 1) {
    const from = (2 * t + direction) * sketchSize;
    let square = 0;
    for (let i = 0; i < size; i += 1) square += sketches[from + i] ** 2;
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let i = 0; i < size; i += 1) data[t * size + i] = scale * sketches[from + i];
  }
  return matrixOf(data, size);
}

interface Unrelated {
  /** Similarity of unrelated trials: median, and standard deviation about it. */
  readonly centre: number;
  readonly spread: number;
}

function spreadOf({ forward, reversed }: Directions): Unrelated {
  const { rows } = forward;
  const step = Math.max(1, Math.floor((rows * (rows - 1)) / 2 / mostPairs));
  const values = new Float64Array(2 * Math.ceil((rows * (rows - 1)) / 2 / step));
  let count = 0;
  for (let i = 0, j = 1; i < rows - 1; j += step) {
    for (; j >= rows && i < rows - 1; i += 1) j += i + 2 - rows;
    if (i === rows - 1) break;
    values[count++] = cosine(forward, i, forward, j);
    values[count++] = cosine(forward, i, reversed, j);
  }
  const sorted = values.subarray(0, count).sort();
  const centre = sorted[count >> 1];
  return { centre, spread: Math.max(1 / Math.sqrt(forward.columns), 1.4826 * middleDistance(sorted, centre)) };
}

/** Median distance of ascending values from one of them, the upper one of two. */
function middleDistance(sorted: Float64Array, centre: number): number {
  let below = (sorted.length >> 1) - 1;
  let above = below + 1;
  let distance = 0;
  for (let nearer = 0; nearer <= sorted.length >> 1; nearer += 1) {
    const down = below < 0 ? Infinity : centre - sorted[below];
    const up = above === sorted.length ? Infinity : sorted[above] - centre;
    if (up <= down) above += 1;
    else below -= 1;
    distance = Math.min(up, down);
  }
  return distance;
}

/**
 * Inner product of two rows, in four sums, so that an addition does not wait for the one before. `columns`: a multiple
 * of 4.
 */
function cosine({ data: a, columns }: Matrix, i: number, { data: b }: Matrix, j: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let at = i * columns, end = at + columns, to = j * columns; at < end; at += 4, to += 4) {
    s0 += a[at] * b[to];
    s1 += a[at + 1] * b[to + 1];
    s2 += a[at + 2] * b[to + 2];
    s3 += a[at + 3] * b[to + 3];
  }
  return s0 + s1 + (s2 + s3);
}

/** Similarity of a trial and another, or the other reversed in time. */
const similarityOf = ({ forward, reversed }: Directions, i: number, j: number): number =>
  Math.max(cosine(forward, i, forward, j), cosine(forward, i, reversed, j));

/** Mean of the larger of two normal deviates, and its standard deviation. */
const larger = { mean: 0.564, deviation: 0.826 } as const;

/** Pairs at distances at which trials are more similar than others. `sums`: similarities summed by distance. */
function regularPairs(directions: Directions, sums: Float64Array, { centre, spread }: Unrelated): [number, number][] {
  const trials = directions.forward.rows;
  const distances = Array.from(sums.keys()).filter((distance) => {
    const count = trials - distance;
    const mean = ((sums[distance] / count - centre) / spread - larger.mean) / larger.deviation;
    return distance > 0 && mean >= regular.mean && mean * Math.sqrt(count) >= regular.sum;
  });
  if (distances.length > regular.distances) return [];
  return distances.flatMap((distance) =>
    Array.from({ length: trials - distance }, (_, i): [number, number] => [i, i + distance]).filter(
      ([i, j]) => similarityOf(directions, i, j) >= centre + regular.pair * spread,
    ),
  );
}
