import { matmulTransposed } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { createWorkspace } from '../methods/index.ts';
import { rowsWithoutArtefacts } from '../train/without-artefacts.ts';
import type { TrainingData } from '../train/types.ts';
import type { ReferencePeople } from '../types.ts';
import { comparedParts } from './compared-parts.ts';
import { sketchesOf, whitened, whitenerOf } from './person-sketches.ts';
import { priorVectors } from './prior-vectors.ts';

/** Trials of a caller that are compared at a time: this limits the memory. */
const block = 128;
/**
 * A trial is a likely copy of a reference trial if their similarity exceeds the median of unrelated ones by the largest
 * deviation that so many unrelated pairs would show, plus `margin`, in standard deviations, and is at least
 * `similarity`. A person is recognised by `trials` such trials.
 */
const copy = { margin: 1.5, similarity: 0.5, trials: 3 } as const;
/**
 * A person is also recognised if the trials are more similar to the person's nearest ones than to those of other
 * people: by `deviations` standard deviations over people, plus `few` divided by the people (few give the deviation
 * only roughly), and by `least`. With few electrodes unrelated trials are similar too: there the distance to a
 * similarity of 1 must be at most `fraction` of that of other people. Measured with 8 of 20 people of EEGMMIDB as
 * callers, on 8 and 21 electrodes: all were recognised, also with other gains, with the average reference and if their
 * trials were cut elsewhere, and nobody else was. Not measured on fewer electrodes.
 */
const nearest = { deviations: 8, few: 64, least: 0.08, fraction: 0.25 } as const;

/** Similarity of a caller's trials and the people of a reference data set. */
interface Likeness {
  /** Trials that are likely copies of a trial of each person. */
  readonly copies: Int32Array;
  /** Mean similarity of each trial and each person's most similar trial. */
  readonly nearest: Float64Array;
}

/** Names of the people of the prior whose recordings the trials are likely copies of; none without a prior. */
export function peopleOfPrior(data: TrainingData): string[] {
  const known = data.reference?.known;
  if (!known) return [];
  const workspace = createWorkspace();
  const parts = comparedParts(data, (rows) => rowsWithoutArtefacts(data, rows, workspace));
  const vectorsOf = priorVectors(data, workspace);
  if (!vectorsOf || parts.length === 0) return [];
  const likenessOf = likenessTo(known);
  const found = parts.flatMap((rows) => {
    const { values, dimension } = vectorsOf(rows);
    return recognised(likenessOf(sketchesOf(values, dimension)));
  });
  return known.names.filter((_, p) => found.includes(p));
}

/** A function that compares a caller's sketches [trials × values] with those of people. */
function likenessTo({ sketches, of, names }: ReferencePeople): (own: Int8Array) => Likeness {
  const columns = sketches.length / of.length;
  const whitener = whitenerOf(sketches, columns);
  const people = whitened(sketches, whitener);
  return (own) => {
    const table = whitened(own, whitener);
    const copies = new Int32Array(names.length);
    const sums = new Float64Array(names.length);
    const counted = new Uint8Array(of.length);
    const least = leastOfCopy(table, people);
    for (let from = 0; from < table.rows; from += block) {
      const count = Math.min(block, table.rows - from);
      const some = matrixOf(table.data.subarray(from * columns, (from + count) * columns), columns, count);
      addBlock(matmulTransposed(some, people), of, least, { copies, sums, counted });
    }
    return { copies, nearest: sums.map((sum) => sum / table.rows) };
  };
}

function addBlock(
  { data, rows, columns }: Matrix,
  of: Int32Array,
  least: number,
  { copies, sums, counted }: { copies: Int32Array; sums: Float64Array; counted: Uint8Array },
): void {
  const best = new Float64Array(sums.length);
  const bestAt = new Int32Array(sums.length);
  for (let i = 0; i < rows; i += 1) {
    best.fill(-1);
    for (let j = 0; j < columns; j += 1) {
      if (data[i * columns + j] <= best[of[j]]) continue;
      best[of[j]] = data[i * columns + j];
      bestAt[of[j]] = j;
    }
    let first = 0;
    for (let p = 0; p < best.length; p += 1) {
      sums[p] += best[p];
      if (best[p] > best[first]) first = p;
    }
    // Several trials may resemble one trial with an artefact: each counts once.
    if (best[first] < least || counted[bestAt[first]] === 1) continue;
    counted[bestAt[first]] = 1;
    copies[first] += 1;
  }
}

/** Least similarity of a copy, by the spread of a sample of all pairs. */
function leastOfCopy(own: Matrix, people: Matrix): number {
  const step = Math.max(1, Math.floor((own.rows * people.rows) / 20_000));
  const values: number[] = [];
  for (let pair = 0; pair < own.rows * people.rows; pair += step)
    values.push(similarityAt(own, Math.floor(pair / people.rows), people, pair % people.rows));
  const centre = middle(values);
  const spread = 1.4826 * middle(values.map((value) => Math.abs(value - centre)));
  const largest = Math.sqrt(2 * Math.log(own.rows * people.rows));
  return Math.max(copy.similarity, centre + spread * (largest + copy.margin));
}

function similarityAt(a: Matrix, i: number, b: Matrix, j: number): number {
  let sum = 0;
  for (let k = 0; k < a.columns; k += 1) sum += a.data[i * a.columns + k] * b.data[j * b.columns + k];
  return sum;
}

function middle(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1];
}

/** Places of the people whose recordings the trials are likely copies of. */
function recognised({ copies, nearest: means }: Likeness): number[] {
  const centre = middle(means);
  const spread = 1.4826 * middle(means.map((value) => Math.abs(value - centre)));
  const deviations = nearest.deviations + nearest.few / means.length;
  const far = centre + Math.max(nearest.least, deviations * spread);
  const near = 1 - nearest.fraction * (1 - centre);
  return [...means.keys()].filter((p) => copies[p] >= copy.trials || means[p] > Math.min(far, near));
}
