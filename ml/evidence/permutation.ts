import { rowsOfUnits } from './dealing.ts';
import { firstPass } from './drawn-folds.ts';
import type { FoldPlan } from './types.ts';
import { createRandom, shuffle } from '../random.ts';
import type { Random } from '../random.ts';
import { sideBySide } from '../rows.ts';

const seed = 7_331;

/**
 * Factor by which the standard deviation of a cross-validated score exceeds that of the same votes against shuffled
 * labels. Fits of different folds have training trials in common, and the trials of one fold have a fit in common, so
 * hits and misses are not independent. For K folds the variance grows by 1 + K · test/train (Nadeau & Bengio 2003,
 * Mach. Learn. 52); shuffling labels against given votes produces only the 1. The factor is at most 1.5, that of five
 * folds: with fewer folds hardly any trial trains two fits.
 */
export function foldDependence(plan: Pick<FoldPlan, 'folds'>): number {
  return Math.min(
    1.5,
    Math.sqrt(1 + firstPass(plan).reduce((sum, { test, train }) => sum + test.length / train.length, 0)),
  );
}

/**
 * p-value of a balanced accuracy (permutation test; Ojala & Garriga 2010, J. Mach. Learn. Res. 11). Labels are shuffled
 * within each session (or group of small sessions); the trials of one unit move as one. The out-of-fold votes [trials ×
 * classes] are scored against the shuffled labels. If the choice was made among several candidates, each shuffle counts
 * with the best of `votes`, which corrects for the choice (the maximum statistic of Westfall & Young 1993). Votes of a
 * nested choice are the only table. The scores of the shuffles are spread about their mean by `dependence`. The p-value
 * is (1 + shuffles that reach `observed`) / (1 + shuffles), which is never 0 (Phipson & Smyth 2010, Stat. Appl. Genet.
 * Mol. Biol. 9).
 */
export function permutationP(
  votes: readonly Float64Array[],
  observed: number,
  {
    labels,
    classes,
    sessions,
    units = null,
    dependence,
    anew,
    permutations = labels.length <= 600 ? 999 : 199,
  }: PermutationInput,
): { p: number; permutations: number } {
  const random = createRandom(seed);
  const pieces = rowsOfUnits(units, labels.length);
  const groups = Map.groupBy(pieces, ([first]) => (sessions ? sessions[first] : 0));
  if ([...groups.values()].every((own) => own.every(([row]) => labels[row] === labels[own[0][0]])))
    return { p: Number.NaN, permutations: 0 };
  const dealt = [...groups.values()].map((own) => ({ own, labels: Int32Array.from(own, ([row]) => labels[row]) }));
  const shuffled = labels.slice();
  const side = sideBySide(votes);
  const scores = Array.from({ length: permutations }, () => {
    for (const each of dealt) dealAnew(each, random, shuffled);
    const best = anew ? bestRecall(anew(shuffled), 1, shuffled, classes) : 0;
    return Math.max(best, bestRecall(side, votes.length, shuffled, classes));
  });
  const mean = scores.reduce((a, b) => a + b, 0) / permutations;
  const reached = scores.filter((score) => mean + dependence * (score - mean) >= observed - 1e-12).length;
  return { p: (1 + reached) / (1 + permutations), permutations };
}

/** Pieces of trials, each of one class, and their labels. */
interface Dealt {
  readonly own: readonly (readonly number[])[];
  readonly labels: Int32Array;
}

/** Shuffles the labels of the pieces and writes them into the labels of all trials. */
function dealAnew({ own, labels }: Dealt, random: Random, all: Int32Array): void {
  const drawn = shuffle(labels.slice(), random);
  for (let i = 0; i < own.length; i += 1) for (let j = 0; j < own[i].length; j += 1) all[own[i][j]] = drawn[i];
}

/** The best balanced accuracy of `count` tables of votes, side by side [trials × classes × count], against labels. */
function bestRecall(votes: Float64Array, count: number, labels: Int32Array, classes: number): number {
  const counts = new Float64Array(classes);
  for (let i = 0; i < labels.length; i += 1) counts[labels[i]] += 1;
  const hit = new Float64Array(classes * count);
  for (let i = 0; i < labels.length; i += 1) {
    const from = (i * classes + labels[i]) * count;
    const to = labels[i] * count;
    for (let t = 0; t < count; t += 1) hit[to + t] += votes[from + t];
  }
  let best = 0;
  for (let t = 0; t < count; t += 1) {
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum += hit[k * count + t] / counts[k];
    best = Math.max(best, sum / classes);
  }
  return best;
}

export interface PermutationInput {
  readonly labels: Int32Array;
  readonly classes: number;
  /** Sessions, or groups of small sessions; null: all trials are one group. */
  readonly sessions: Int32Array | null;
  /** Units of one class each whose labels are shuffled; null or absent: each trial is its own. */
  readonly units?: Int32Array | null;
  /** At least 1; see `foldDependence`. */
  readonly dependence: number;
  /** Computes further votes from the shuffled labels. Their score counts like that of a candidate. */
  readonly anew?: (labels: Int32Array) => Float64Array;
  /** Number of shuffles. Default: 999; 199 with more than 600 trials. */
  readonly permutations?: number;
}
