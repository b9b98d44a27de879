import { fitTemperature } from '../evidence/temperature.ts';
import { lagsBehind } from '../evidence/dropped-candidates.ts';
import { balancedAccuracy, countsOf, decisions } from '../evidence/scores.ts';
import { withEncoded } from '../features/index.ts';
import { createWorkspace, methods, prepareMethods } from '../methods/index.ts';
import type { Method } from '../methods/index.ts';
import type { EarlyDrop } from '../methods/types.ts';
import { setsOf } from '../methods/sets.ts';
import { shapeOf } from '../methods/shape-of.ts';
import { putRows } from '../rows.ts';
import { priorOf } from '../select/index.ts';
import { planFolds } from './plan.ts';
import { priorShapeOf } from './prior-shape.ts';
import { foldWithoutArtefacts } from './without-artefacts.ts';
import type { TrainingData } from './types.ts';

type Encode = (rows: Int32Array) => Promise<Parameters<typeof withEncoded>[1]>;

/** Fewest test and training trials of a class, if the fold has them. */
const fewest = { test: 10, train: 10 };
/** Number of quick methods with which an encoder is compared. */
const rivals = 4;

/**
 * Tries an encoder that would take about `seconds` for all trials, more than its budget, on about `most` trials of the
 * first fold. Its methods, and quick candidates without encoders, are fitted and tested on the same trials. Resolves
 * with the encoder's methods, to be dropped, if each that can be tried is behind the best quick one in balanced
 * accuracy and, by more than the usual bound, in log-loss. Otherwise resolves with none: all trials are then read
 * together, since the reference of a trial may be any of them. If trials are linked, or whole blocks are held out,
 * nothing is tried and none is dropped.
 */
export async function trySlowEncoder(
  data: TrainingData,
  encode: Encode,
  most: number,
  seconds: number,
): Promise<readonly EarlyDrop[]> {
  const plan = planFolds(data);
  if (data.links || plan.validation === 'blocks') return [];
  const { train: usable, test: whole } = foldWithoutArtefacts(data, plan.folds[0], createWorkspace());
  const kept = most / (usable.length + whole.length);
  const train = spread(usable, data.labels, kept, fewest.train);
  const test = spread(whole, data.labels, kept, fewest.test);
  const rows = Int32Array.from([...train, ...test]).sort();
  const some = withRows(data, rows, await encode(rows));
  const labels = test.map((row) => data.labels[row]);
  const classes = data.classes.length;
  const counts = countsOf(
    train.map((row) => data.labels[row]),
    classes,
  );
  const shape = { ...shapeOf(some), trials: train.length, trialsPerClass: counts };
  const known = new Set(Object.keys(data.features.sets));
  const readable = (method: Method): readonly string[] | null => {
    const sets = setsOf(method, some.features);
    const there = sets.length > 0 && sets.every((set) => set in some.features.sets);
    return there && method.unreadable(shape) === null ? sets : null;
  };
  const priorShape = priorShapeOf(data);
  const behind = ({ id }: Method): number => priorOf(id, priorShape).mean;
  const own = methods.filter((row) => readable(row)?.some((set) => !known.has(set)));
  const others = methods
    .filter((row) => !row.members && !row.prepare && !row.needsOthers && row.kinds.includes(data.kind ?? 'other'))
    .filter((row) => readable(row)?.every((set) => known.has(set)))
    .toSorted((a, b) => behind(a) - behind(b))
    .slice(0, rivals);
  await prepareMethods(own);
  const scored = (method: Method) => {
    const workspace = createWorkspace();
    try {
      const head = method.fit({ data: some, rows: train, workspace });
      const logScores = method.decide(head, some.features, test, workspace);
      const { logLoss } = fitTemperature(logScores, labels, classes);
      return [
        { method, logScores, logLoss, accuracy: balancedAccuracy(decisions(logScores, classes), labels, classes) },
      ];
    } catch {
      return [];
    }
  };
  const best = others.flatMap(scored);
  const tried = own.flatMap(scored);
  const dropped = tried.flatMap(({ method, logScores, logLoss, accuracy }): EarlyDrop[] => {
    const lag = lagsBehind(
      logScores,
      best.map((each) => each.logScores),
      labels,
      classes,
    );
    if (!lag || accuracy >= best[lag.best].accuracy) return [];
    const reason =
      `Reading all trials would take about ${seconds.toFixed(1)} s, so it was tried on ${rows.length} of them first, ` +
      `of the first fold. Its balanced accuracy was ${accuracy.toFixed(3)} and its log-loss ${logLoss.toFixed(3)}: ` +
      `${lag.behind.toFixed(3)} more than that of ${best[lag.best].method.title}. Behind by more than ` +
      `${lag.bound.toFixed(3)} it could not catch up.`;
    return [{ method: method.id, balancedAccuracy: accuracy, logLoss, reason }];
  });
  return dropped.length === tried.length ? dropped : [];
}

/** A fraction of the rows, evenly spread over each class; at least `least` of each class if it has them. */
function spread(rows: Int32Array, labels: Int32Array, fraction: number, least: number): Int32Array {
  const byClass = [...Map.groupBy(rows, (row) => labels[row]).values()];
  const some = byClass.flatMap((own) => {
    const count = Math.min(own.length, Math.max(least, Math.round(fraction * own.length)));
    return Array.from({ length: count }, (_, i) => own[Math.floor((i * own.length) / count)]);
  });
  return Int32Array.from(some).sort();
}

/** The data with the encoded values of some trials. The other rows contain zeros and are not read. */
function withRows(data: TrainingData, rows: Int32Array, { tables, standards }: Awaited<ReturnType<Encode>>) {
  const { trials } = data.features;
  const full = Object.entries(tables).map(([set, values]): [string, Float64Array] => {
    const width = values.length / rows.length;
    const table = new Float64Array(trials * width);
    putRows(table, width, rows, values);
    return [set, table];
  });
  return { ...data, features: withEncoded(data.features, { tables: Object.fromEntries(full), standards }) };
}
