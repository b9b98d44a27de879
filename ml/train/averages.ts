import { firstPass } from '../evidence/drawn-folds.ts';
import { fitTemperature, temperatureWithout } from '../evidence/temperature.ts';
import { methodOf } from '../methods/index.ts';
import type { Method } from '../methods/index.ts';
import { readableMembers } from '../methods/members.ts';
import { putRows, takeRows } from '../rows.ts';
import { answerAt, currentAnswer } from './answers.ts';
import type { Steps } from '../steps.ts';
import type { CandidateScore, Fold, FoldPlan, TrainingData } from './types.ts';

type Labelled = Pick<TrainingData, 'labels' | 'classes'>;

/** Scores of an average on the folds, and its members for the refit. */
export type AverageTables = Pick<CandidateScore, 'outOfFold' | 'aligned' | 'nested'> &
  Required<Pick<CandidateScore, 'averaged'>>;

/**
 * Scores of an average on the folds, from those of its members: the mean of their probabilities, each member at its own
 * temperature. Tested trials never set a temperature that scores them. The temperatures for a fold of the first pass
 * come from the members' nested log-scores, of fits that never saw the fold; without inner fits they come from the
 * other folds. The refit uses temperatures from all held-out scores of the members.
 */
export function averageOnFolds(members: readonly CandidateScore[], data: TrainingData, plan: FoldPlan): AverageTables {
  const failed = members.find(({ status }) => status !== 'scored');
  if (failed)
    throw new Error(
      `It averages ${members.length} methods, of which ${failed.title} could not be fitted: ${failed.reason}`,
    );
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  const groups = firstPass(plan).map(({ test }) => test);
  const tablesOf = (of: (score: CandidateScore) => Float64Array | null): readonly Float64Array[] | null => {
    const tables = members.map(of).filter((table) => table !== null);
    return tables.length === members.length ? tables : null;
  };
  const outOfFold = tablesOf((score) => score.outOfFold)!;
  const aligned = tablesOf((score) => score.aligned);
  const nested = tablesOf((score) => score.nested);
  const evidence = outOfFold.map((table) => table.subarray(0, plan.evidencePasses * size));
  const without = (fold: number): Float64Array[] => nested!.map((own) => own.subarray(fold * size, (fold + 1) * size));
  const temperatures = groups.map((rows, fold) =>
    nested
      ? without(fold).map((own) => fitTemperature(own, data.labels, classes).temperature)
      : temperaturesWithout(evidence, rows, data),
  );
  return {
    outOfFold: averageAt(outOfFold, groups, temperatures, data),
    aligned: aligned && averageAt(aligned, groups, temperatures, data),
    nested: nested && averageNested(without, groups.length, data, plan),
    averaged: members.map(({ method: id, version, title, temperature }) => ({ id, version, title, temperature })),
  };
}

/** Nested log-scores of an average. The temperatures of each fold come from neither the fold nor the trial. */
function averageNested(
  without: (fold: number) => readonly Float64Array[],
  folds: number,
  data: Labelled,
  plan: FoldPlan,
): Float64Array {
  const tests = plan.inner.flatMap((inner) => inner.tests);
  const size = data.labels.length * data.classes.length;
  const out = new Float64Array(folds * size);
  for (let fold = 0; fold < folds; fold += 1) {
    const groups = tests.filter(({ outer }) => outer === fold).map(({ rows }) => rows);
    out.set(averageWithout(without(fold), groups, data), fold * size);
  }
  return out;
}

/** The methods that are fitted for a method: itself, or the members of an average that can read these data. */
export const decidedBy = (method: Method, data: TrainingData): readonly Method[] =>
  readableMembers(method, data)?.map(({ id, version }) => methodOf(id, version)) ?? [method];

/**
 * Log-scores [trials × classes] on folds that test each trial at most once. `decided`: the log-scores of the trials of
 * one fold. A generator: yields after each fold or less.
 */
export function* tableOn<F extends Pick<Fold, 'test'>>(
  folds: readonly F[],
  { labels, classes }: Labelled,
  decided: (fold: F) => Steps<Float64Array>,
): Steps<Float64Array> {
  const out = new Float64Array(labels.length * classes.length).fill(Number.NaN);
  for (const fold of folds) {
    putRows(out, classes.length, fold.test, yield* decided(fold));
    yield;
  }
  return out;
}

/** Log-scores of a method from those of the methods that are fitted for it. */
export const tableOf = (
  method: Method,
  tables: readonly Float64Array[],
  folds: readonly Pick<Fold, 'test'>[],
  data: Labelled,
): Float64Array =>
  method.members
    ? averageWithout(
        tables,
        folds.map(({ test }) => test),
        data,
      )
    : tables[0];

const temperaturesWithout = (tables: readonly Float64Array[], rows: Int32Array, { labels, classes }: Labelled) =>
  tables.map((table) => temperatureWithout(table, rows, labels, classes.length));

/** The average of tables. The temperatures of each group of trials come from all others. */
const averageWithout = (tables: readonly Float64Array[], groups: readonly Int32Array[], data: Labelled) =>
  averageAt(
    tables,
    groups,
    groups.map((rows) => temperaturesWithout(tables, rows, data)),
    data,
  );

/** The average of tables [passes × trials × classes]. Each group of trials has its own temperatures. */
function averageAt(
  tables: readonly Float64Array[],
  groups: readonly Int32Array[],
  temperatures: readonly (readonly number[])[],
  { labels, classes: { length: classes } }: Labelled,
): Float64Array {
  const { average } = answerAt(currentAnswer());
  const size = labels.length * classes;
  const out = new Float64Array(tables[0].length).fill(Number.NaN);
  for (let start = 0; start < out.length; start += size)
    groups.forEach((rows, g) => {
      const own = tables.map((table) => takeRows(table.subarray(start, start + size), classes, rows));
      putRows(out.subarray(start, start + size), classes, rows, average(own, temperatures[g], classes));
    });
  return out;
}
