import { rowsBy } from '../evidence/dealing.ts';
import { firstPass } from '../evidence/drawn-folds.ts';
import { pointOf } from '../evidence/learning-curve.ts';
import { createRandom, shuffle } from '../random.ts';
import { fitInSteps, onceInSteps } from '../methods/index.ts';
import type { Method, Workspace } from '../methods/index.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { decidedBy, tableOf, tableOn } from './averages.ts';
import { leadingOf } from './opinion-pool.ts';
import { foldWithoutArtefacts } from './without-artefacts.ts';
import type { Choice, Fold, FoldPlan, LearningPoint, TrainingData } from './types.ts';

/** Fractions of the training trials, below 1, at which a learning curve may be measured: the longest list first. */
const ladders: readonly (readonly number[])[] = [
  [0.2, 0.35, 0.5, 0.65, 0.8],
  [0.3, 0.6],
];

/**
 * The fractions at which a learning curve is measured: as many as together cost no more than scoring the method. With
 * few trials a method is scored by many fits, so the curve can have many points.
 */
export function curveFractions(plan: FoldPlan): readonly number[] {
  const scored = plan.folds.length + plan.inner.length;
  const each = firstPass(plan).length;
  const costOf = (ladder: readonly number[]): number => each * ladder.reduce((sum, fraction) => sum + fraction, 0);
  return ladders.find((ladder) => costOf(ladder) <= scored) ?? ladders.at(-1)!;
}

const fewest = 3;

/** The methods that the curve needs: the chosen one (of a pool: its best member), or the members of an average. */
export const curveMethods = (choice: Choice, data: TrainingData): readonly Method[] =>
  decidedBy(leadingOf(choice), data);

/**
 * Held-out log-scores [trials × classes] of one of `curveMethods`, if each fold trains on `fraction` of the trials of
 * each class; null if that is too few to fit it. Unlabelled quantities (means, spatial directions) come from all
 * training trials of the fold, so only the classifier is fitted again. If classes are so small that two fractions give
 * the same trials, they are fitted once. Yields after each fold.
 */
export function* curveInSteps(
  method: Method,
  fraction: number,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): Steps<Float64Array | null> {
  try {
    return yield* tableOn(foldsAt(fraction, data, plan, workspace), data, ({ fold, rows, test }) =>
      onceInSteps(workspace, [data, fold], `curve:${method.id}@${method.version}:${rows.join()}`, function* () {
        const head = yield* fitInSteps(method, { data, rows, unlabelled: fold.train, workspace });
        return method.decide(head, data.features, test, workspace);
      }),
    );
  } catch {
    return null;
  }
}

/** `curveInSteps` without pauses. */
const curveTable = (...input: Parameters<typeof curveInSteps>): Float64Array | null => toEnd(curveInSteps(...input));

/** Trials of a learning curve, their folds, and the cache of the folds. */
export interface CurveData {
  readonly data: TrainingData;
  readonly plan: FoldPlan;
  readonly workspace: Workspace;
}

/**
 * Point of the learning curve if each fold trains on `fraction` of its trials, from the `curveTable` of each of
 * `curveMethods`. Null if one of these is null.
 */
export function learningPoint(
  choice: Choice,
  fraction: number,
  { data, plan, workspace }: CurveData,
  tables: readonly (Float64Array | null)[] = curveMethods(choice, data).map((method) =>
    curveTable(method, fraction, data, plan, workspace),
  ),
): LearningPoint | null {
  const own = tables.filter((table) => table !== null);
  if (own.length < tables.length) return null;
  const folds = foldsAt(fraction, data, plan, workspace);
  const trials = folds.reduce((sum, { rows }) => sum + rows.length, 0);
  return pointOf(trials, tableOf(leadingOf(choice), own, folds, data), data, plan);
}

interface FoldAt {
  readonly fold: Fold;
  /** Training rows. */
  readonly rows: Int32Array;
  readonly test: Int32Array;
}

const foldsAt = (fraction: number, data: TrainingData, plan: FoldPlan, workspace: Workspace): readonly FoldAt[] =>
  firstPass(plan).map((each) => {
    const fold = foldWithoutArtefacts(data, each, workspace);
    return { fold, rows: partOf(fold.train, data.labels, data.classes.length, fraction, plan.units), test: fold.test };
  });

/** `fraction` of the trials of each class. Trials of one unit stay together. */
function partOf(
  train: Int32Array,
  labels: Int32Array,
  classes: number,
  fraction: number,
  units: Int32Array | null,
): Int32Array {
  const random = createRandom(4_711);
  const kept: number[] = [];
  for (let k = 0; k < classes; k += 1) {
    const rows = shuffle(
      Array.from(train).filter((row) => labels[row] === k),
      random,
    );
    const wanted = Math.max(Math.min(fewest, rows.length), Math.round(rows.length * fraction));
    const together = units ? [...rowsBy(units, rows).values()].flat() : rows;
    kept.push(...together.slice(0, wanted));
  }
  return Int32Array.from(kept).sort();
}
