import { sketchSize } from '../fingerprints.ts';
import { matmulTransposed } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import type { Fingerprints } from '../types.ts';

/** Trials that are compared with all others at a time: this limits the memory. */
const block = 256;
/** Pairs from which the spread of unrelated trials is taken. */
const mostPairs = 40_000;
/**
 * Of more than `trials` trials, the first `size` values of the sketches are compared first. A pair is compared in full
 * if its similarity is at most `deviations` standard deviations below the least one of a link.
 */
const coarse = { trials: 1024, size: 128, deviations: 1.5 } as const;
/** Fewer trials than this are not compared: nothing shows how similar unrelated ones are. */
const fewest = 8;
/**
 * A pair is linked if its similarity exceeds the median of all pairs by the largest deviation that so many unrelated
 * pairs would show, plus `margin` and `few` divided by the trials (few pairs give the deviation only roughly), in standard
 * deviations, and is at least `similarity`. Measured on 11 real recordings
 * (45 to 3,087 trials): the largest deviation of unrelated trials was that of normal noise, within 0.3.
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
 * grows with the square of the trials, of which a fit reads a bounded number: 0.1 s for 500, 1 s for 4,096.
 */
export function findNearCopies({ sketches, first }: Pick<Fingerprints, 'sketches' | 'first'>): [number, number][] {
  const trials = first.length - 1;
  if (trials < fewest) return [];
  const [forward, reversed] = [unitRows(sketches, 0, trials), unitRows(sketches, 1, trials)];
  const unrelated = spreadOf(forward, reversed);
  const { centre, spread } = unrelated;
  const least = Math.max(
    similarity,
    centre + spread * (margin + few / trials + Math.sqrt(2 * Math.log(trials * (trials - 1)))),
  );
  if (trials <= coarse.trials) {
    const { pairs, sums } = pairsFrom(forward, reversed, least);
    return [...pairs, ...regularPairs(forward, reversed, sums, unrelated)];
  }
  const [first128, reversed128] = [0, 1].map((direction) => unitRows(sketches, direction, trials, coarse.size));
  const roughly = spreadOf(first128, reversed128);
  const { pairs, sums } = pairsFrom(first128, reversed128, least - coarse.deviations * roughly.spread);
  return [
    ...pairs.filter(([i, j]) => similarityOf(forward, reversed, i, j) >= least),
    ...regularPairs(first128, reversed128, sums, roughly),
  ];
}

/** Pairs of at least this similarity, and the similarities of all pairs summed by their distance. */
function pairsFrom(
  forward: Matrix,
  reversed: Matrix,
  least: number,
): { pairs: [number, number][]; sums: Float64Array } {
  const { rows: trials, columns } = forward;
  const pairs: [number, number][] = [];
  const sums = new Float64Array(trials);
  for (let from = 0; from < trials; from += block) {
    const count = Math.min(block, trials - from);
    const own = matrixOf(forward.data.subarray(from * columns, (from + count) * columns), columns, count);
    const same = matmulTransposed(own, forward).data;
    const turned = matmulTransposed(own, reversed).data;
    for (let i = 0; i < count; i += 1)
      for (let j = from + i + 1; j < trials; j += 1) {
        const value = Math.max(same[i * trials + j], turned[i * trials + j]);
        sums[j - from - i] += value;
        if (value >= least) pairs.push([from + i, j]);
      }
  }
  return { pairs, sums };
}

/** The first `size` values of the sketches of one direction, each of length 1. */
function unitRows(sketches: Int8Array, direction: number, trials: number, size: number = sketchSize): Matrix {
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

function spreadOf(forward: Matrix, reversed: Matrix): Unrelated {
  const { rows } = forward;
  const step = Math.max(1, Math.floor((rows * (rows - 1)) / 2 / mostPairs));
  const values: number[] = [];
  for (let i = 0, next = 0, pair = 0; i < rows; i += 1)
    for (let j = i + 1; j < rows; j += 1, pair += 1) {
      if (pair < next) continue;
      next += step;
      values.push(cosine(forward, i, forward, j), cosine(forward, i, reversed, j));
    }
  const centre = middle(values);
  const deviation = middle(values.map((value) => Math.abs(value - centre)));
  return { centre, spread: Math.max(1 / Math.sqrt(forward.columns), 1.4826 * deviation) };
}

function middle(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1];
}

function cosine(a: Matrix, i: number, b: Matrix, j: number): number {
  const { columns } = a;
  let sum = 0;
  for (let k = 0, at = i * columns, to = j * columns; k < columns; k += 1) sum += a.data[at + k] * b.data[to + k];
  return sum;
}

/** Similarity of a trial and another, or the other reversed in time. */
const similarityOf = (forward: Matrix, reversed: Matrix, i: number, j: number): number =>
  Math.max(cosine(forward, i, forward, j), cosine(forward, i, reversed, j));

/** Mean of the larger of two normal deviates, and its standard deviation. */
const larger = { mean: 0.564, deviation: 0.826 } as const;

/** Pairs at distances at which trials are more similar than others. `sums`: similarities summed by distance. */
function regularPairs(
  forward: Matrix,
  reversed: Matrix,
  sums: Float64Array,
  { centre, spread }: Unrelated,
): [number, number][] {
  const trials = forward.rows;
  const distances = Array.from(sums.keys()).filter((distance) => {
    const count = trials - distance;
    const mean = ((sums[distance] / count - centre) / spread - larger.mean) / larger.deviation;
    return distance > 0 && mean >= regular.mean && mean * Math.sqrt(count) >= regular.sum;
  });
  if (distances.length > regular.distances) return [];
  return distances.flatMap((distance) =>
    Array.from({ length: trials - distance }, (_, i): [number, number] => [i, i + distance]).filter(
      ([i, j]) => similarityOf(forward, reversed, i, j) >= centre + regular.pair * spread,
    ),
  );
}
