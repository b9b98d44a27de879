import { fitTemperature } from '../evidence/temperature.ts';
import { lagsBehind } from '../evidence/hopeless.ts';
import { balancedAccuracy, decisions } from '../evidence/scores.ts';
import { familyOf } from '../features/index.ts';
import { createWorkspace, methods, prepareMethods } from '../methods/index.ts';
import type { Method } from '../methods/index.ts';
import type { EarlyDrop } from '../methods/types.ts';
import { setsOf } from '../methods/sets.ts';
import { putRows } from '../rows.ts';
import { planFolds } from './plan.ts';
import type { TrainingData } from './types.ts';

type Tables = Readonly<Record<string, Float64Array>>;

/** Fewest trials that say something, however dear they are. */
const fewest = 24;
/** Methods that an encoder is held against: quick ones. */
const rivals = 4;

/**
 * Tries an encoder whose reading of all trials would take `seconds`, more than its share, on `most` trials of the first
 * fold, training and test trials in their proportion: its methods, and quick candidates that read nothing of encoders,
 * are fitted and tested on the same trials. Resolves with its methods where each lies behind the best by more than the
 * bound of other hopeless candidates, else with none: those trials are then read again with all others, since what a
 * trial is read against may be any of them.
 */
export async function tryDear(
  data: TrainingData,
  read: (rows: Int32Array) => Promise<Tables>,
  most: number,
  seconds: number,
): Promise<readonly EarlyDrop[]> {
  const { folds } = planFolds(data);
  const fold = folds[0];
  const kept = Math.min(1, Math.max(most, fewest) / (fold.train.length + fold.test.length));
  const train = spread(fold.train, data.labels, kept);
  const test = spread(fold.test, data.labels, kept);
  const rows = Int32Array.from([...train, ...test]).sort();
  const tables = await read(rows);
  const own = new Set(Object.keys(tables).map(familyOf));
  const readsOwn = (method: Method, some: TrainingData): boolean =>
    setsOf(method, some.features).some((set) => own.has(familyOf(set)));
  const some = withRows(data, rows, tables);
  const readable = (method: Method): boolean => {
    const sets = setsOf(method, some.features);
    return sets.length > 0 && sets.every((set) => set in some.features.sets);
  };
  const quick = methods.filter((row) => !row.members && !row.prepare && !row.needsOthers && readable(row));
  const heads = methods.filter((row) => readable(row) && readsOwn(row, some));
  const others = quick
    .filter((row) => !readsOwn(row, some) && Number.isFinite(behind(row, data)))
    .toSorted((a, b) => behind(a, data) - behind(b, data))
    .slice(0, rivals);
  await prepareMethods(heads);
  const labels = test.map((row) => data.labels[row]);
  const scored = (method: Method) => {
    const workspace = createWorkspace();
    try {
      const head = method.fit({ data: some, rows: train, workspace });
      return [{ method, logScores: method.decide(head, some.features, test, workspace) }];
    } catch {
      return [];
    }
  };
  const best = others.flatMap(scored);
  const tried = heads.flatMap(scored);
  const classes = data.classes.length;
  const dropped = tried.flatMap(({ method, logScores }): EarlyDrop[] => {
    const lag = lagsBehind(
      logScores,
      best.map((each) => each.logScores),
      labels,
      classes,
    );
    if (!lag) return [];
    const accuracy = balancedAccuracy(decisions(logScores, classes), labels, classes);
    const { logLoss } = fitTemperature(logScores, labels, classes);
    const reason =
      `Reading all trials would take about ${seconds.toFixed(1)} s, so it was tried on ${rows.length} of them first, ` +
      `of the first fold: its balanced accuracy was ${accuracy.toFixed(3)} and its log-loss ${logLoss.toFixed(3)}, ` +
      `${lag.behind.toFixed(3)} more than that of ${best[lag.best].method.title}. Behind by more than ` +
      `${lag.bound.toFixed(3)} it could not catch up.`;
    return [{ method: method.id, balancedAccuracy: accuracy, logLoss, reason }];
  });
  return dropped.length === heads.length ? dropped : [];
}

const behind = ({ publishedDisadvantage }: Method, { kind = 'other' }: TrainingData): number =>
  publishedDisadvantage[kind] ?? Infinity;

/** A share of the rows, evenly spread over each class; at least two of each class where there are. */
function spread(rows: Int32Array, labels: Int32Array, share: number): Int32Array {
  const byClass = [...Map.groupBy(rows, (row) => labels[row]).values()];
  const some = byClass.flatMap((own) => {
    const count = Math.min(own.length, Math.max(2, Math.round(share * own.length)));
    return Array.from({ length: count }, (_, i) => own[Math.floor((i * own.length) / count)]);
  });
  return Int32Array.from(some).sort();
}

/** The data with tables of some of their trials; the other rows hold zeros and are not read. */
function withRows(data: TrainingData, rows: Int32Array, tables: Tables): TrainingData {
  const { features } = data;
  const full = Object.entries(tables).map(([set, values]): [string, Float64Array] => {
    const width = values.length / rows.length;
    const table = new Float64Array(features.trials * width);
    putRows(table, width, rows, values);
    return [set, table];
  });
  return { ...data, features: { ...features, sets: { ...features.sets, ...Object.fromEntries(full) } } };
}
