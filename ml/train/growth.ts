import { decisions } from '../evidence/scores.ts';
import { firstPass, mixedFolds } from '../evidence/drawn-folds.ts';
import type { Growth } from '../evidence/full-size.ts';
import { foldDependence } from '../evidence/permutation.ts';
import { pairedError, trialWeights, weighted } from '../evidence/trial-weights.ts';
import { fitInSteps } from '../methods/index.ts';
import type { Method, Workspace } from '../methods/index.ts';
import { createRandom, shuffle } from '../random.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { decidedBy, tableOf, tableOn } from './averages.ts';
import { leadingOf } from './opinion-pool.ts';
import { rowsWithoutArtefacts } from './without-artefacts.ts';
import type { Choice, Fold, FoldPlan, TrainingData } from './types.ts';

/** If folds train on less than this fraction of the trials, the hosted model is noticeably better than their fits. */
const smallFraction = 0.6;
/** With more trials than this, half of them are enough. */
const mostTrials = 300;
const seed = 60_013;
/** Number of the first split, which differs from the numbers of the plan's splits. */
const firstSplit = 500;

const splitsFor = (trials: number): number => (trials <= 60 ? 4 : trials <= 140 ? 2 : 1);

/**
 * Gain of the chosen method from more training trials (of a pool: of its best member), if held-out sessions leave only
 * about half of the trials for training. Trials of all sessions are dealt into five parts. Each part is tested by a fit
 * on the others, and by a fit on as small a fraction of all trials as the plan's folds train on. Null if the plan's
 * folds train on more, if there are many trials, or if a fit fails. Null also if trials are linked or labels are in
 * blocks, because neighbours would then inflate the scores. Yields after each fit.
 */
export function* growthInSteps(
  choice: Choice,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): Steps<Growth | null> {
  const trials = data.labels.length;
  const fraction = meanFraction(firstPass(plan), trials);
  if (plan.validation !== 'sessions' || plan.units || fraction >= smallFraction || trials > mostTrials) return null;
  const splits = splitsFor(trials);
  const folds = mixedFolds(data, splits, firstSplit);
  const to = meanFraction(folds, trials);
  const random = createRandom(seed);
  const hitsWith = function* (part: number): Steps<Float64Array> {
    const right = new Float64Array(trials);
    for (let split = 0; split < splits; split += 1) {
      const own = folds
        .filter(({ pass }) => pass === firstSplit + split)
        .map(({ train, test }) => ({ train: part < 1 ? partOf(train, part, data, random) : train, test }));
      const decided = yield* predictHeldOut(leadingOf(choice), own, data, workspace);
      decided.forEach((k, i) => (right[i] += k === data.labels[i] ? 1 / splits : 0));
    }
    return right;
  };
  try {
    const [more, less] = [yield* hitsWith(1), yield* hitsWith(fraction / to)];
    const each = trialWeights(data.labels, data.classes.length, null);
    return {
      from: fraction,
      to,
      gain: weighted(more, each) - weighted(less, each),
      error: foldDependence(plan) * pairedError(more, less, each),
    };
  } catch {
    return null;
  }
}

/** `growthInSteps` without pauses. */
export const measureGrowth = (...input: Parameters<typeof growthInSteps>): Growth | null =>
  toEnd(growthInSteps(...input));

const meanFraction = (folds: readonly Fold[], trials: number): number =>
  folds.reduce((sum, { train }) => sum + train.length, 0) / folds.length / trials;

/** Predicted class of each trial, by folds that test every trial once. */
function* predictHeldOut(
  leading: Method,
  folds: readonly Pick<Fold, 'train' | 'test'>[],
  data: TrainingData,
  workspace: Workspace,
): Steps<Int32Array> {
  const tables: Float64Array[] = [];
  for (const method of decidedBy(leading, data))
    tables.push(
      yield* tableOn(folds, data, function* ({ train, test }) {
        const head = yield* fitInSteps(method, { data, rows: rowsWithoutArtefacts(data, train, workspace), workspace });
        return method.decide(head, data.features, test, workspace);
      }),
    );
  return decisions(tableOf(leading, tables, folds, data), data.classes.length);
}

/** A fraction of the trials of each class and session, with at least two of each class of a session if it has them. */
function partOf(train: Int32Array, fraction: number, data: TrainingData, random: () => number): Int32Array {
  const groups = Map.groupBy(train, (row) => data.labels[row] + data.classes.length * (data.sessions?.[row] ?? 0));
  const kept = [...groups.values()].flatMap((rows) =>
    shuffle([...rows], random).slice(0, Math.max(Math.min(2, rows.length), Math.round(rows.length * fraction))),
  );
  return Int32Array.from(kept).sort();
}
