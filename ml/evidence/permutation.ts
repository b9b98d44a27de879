import type { FoldPlan } from './types.ts';
import { createRandom, shuffle } from './random.ts';
import { votedAccuracy } from './selection.ts';

const seed = 7_331;

/**
 * How much wider than a shuffle's the spread of a cross-validated score is: fits of different folds share trials, and the trials of one fold share a
 * fit, so hits are not independent. 1 + K · test/train is the variance's factor of K folds (Nadeau & Bengio 2003); a shuffle against votes that are
 * given already has the first term only. Never more than for five folds: with fewer of them hardly a trial trains two fits.
 */
export function foldDependence({ folds }: Pick<FoldPlan, 'folds'>): number {
  const first = folds.filter((fold) => fold.pass === 0);
  return Math.min(1.5, Math.sqrt(1 + first.reduce((sum, { test, train }) => sum + test.length / train.length, 0)));
}

/**
 * p-value of a balanced accuracy: labels are shuffled within session against the out-of-fold votes, and each shuffle counts with the best of
 * `votes`, so that having chosen among many is paid for; nested votes, whose choice saw nothing of the fold, come alone. Scores of shuffles are
 * spread about their mean by `dependence`. (1 + #{≥}) / (1 + B).
 */
export function permutationP(
  votes: readonly Float64Array[],
  observed: number,
  { labels, classes, sessions, dependence }: PermutationInput,
): { p: number; permutations: number } {
  const permutations = labels.length <= 600 ? 999 : 199;
  const random = createRandom(seed);
  const groups = new Map<number, number[]>();
  labels.forEach((_, i) =>
    groups.set(sessions ? sessions[i] : 0, [...(groups.get(sessions ? sessions[i] : 0) ?? []), i]),
  );
  const shuffled = labels.slice();
  const scores = Array.from({ length: permutations }, () => {
    for (const rows of groups.values()) {
      const own = shuffle(
        rows.map((row) => labels[row]),
        random,
      );
      rows.forEach((row, i) => (shuffled[row] = own[i]));
    }
    return votes.reduce((best, own) => Math.max(best, votedAccuracy(own, shuffled, classes)), 0);
  });
  const mean = scores.reduce((a, b) => a + b, 0) / permutations;
  const reached = scores.filter((score) => mean + dependence * (score - mean) >= observed - 1e-12).length;
  return { p: (1 + reached) / (1 + permutations), permutations };
}

export interface PermutationInput {
  readonly labels: Int32Array;
  readonly classes: number;
  readonly sessions: Int32Array | null;
  /** At least 1; see `foldDependence`. */
  readonly dependence: number;
}
