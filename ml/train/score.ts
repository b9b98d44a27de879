import { firstPass } from '../evidence/drawn-folds.ts';
import { balancedAccuracy, decisions } from '../evidence/scores.ts';
import { fitTemperature } from '../evidence/temperature.ts';
import { weightsOf } from '../encoders/ids.ts';
import { createWorkspace, fitInSteps, methodOf, onceInSteps } from '../methods/index.ts';
import type { Head, Method, Workspace } from '../methods/index.ts';
import { alignFold, centringOf } from '../methods/recentring.ts';
import { setsOf } from '../methods/sets.ts';
import { shapeOf } from '../methods/shape-of.ts';
import { priorOf } from '../select/index.ts';
import { readableMembers } from '../methods/members.ts';
import type { MethodVersion } from '../methods/types.ts';
import { putRows, takeRows, valuesAt } from '../rows.ts';
import { timed, toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { averageOnFolds } from './averages.ts';
import { droppedEarly, droppedScore } from './dropped-score.ts';
import { priorShapeOf } from './prior-shape.ts';
import { rowsWithoutArtefacts, foldWithoutArtefacts } from './without-artefacts.ts';
import type { CandidateScore, Fold, FoldPlan, TrainingData } from './types.ts';

/** Log-scores of a candidate; see `CandidateScore`. */
type Tables = Pick<CandidateScore, 'outOfFold' | 'aligned' | 'nested'>;

/**
 * Fits and tests one candidate on every fold of the plan. Yields after each fold or less. An average uses its members'
 * scores from `earlier`, if they are there. Never throws for a problem of the data: such a candidate is returned as
 * `failed` with the reason. Methods of one family reuse work if they get the same workspace.
 */
export function* scoreInSteps(
  methodId: string,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace = createWorkspace(),
  earlier: readonly CandidateScore[] = [],
): Steps<CandidateScore> {
  return yield* scoreMethod(methodOf(methodId), data, plan, workspace, earlier);
}

/** `scoreInSteps` without pauses. */
export const scoreCandidate = (...input: Parameters<typeof scoreInSteps>): CandidateScore =>
  toEnd(scoreInSteps(...input));

function* scoreMethod(
  method: Method,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
  earlier: readonly CandidateScore[],
): Steps<CandidateScore> {
  const common = commonOf(method, data);
  const early = droppedEarly(method.id, data);
  if (early) return droppedScore(common, early);
  const { value, seconds } = yield* timed(tryFolds(method, data, plan, workspace, earlier));
  if (typeof value !== 'string') {
    const all = seconds + encoderSeconds(method, data);
    return { ...common, status: 'scored', reason: null, ...value, seconds: all };
  }
  return {
    ...common,
    status: 'failed',
    reason: value,
    outOfFold: new Float64Array(0),
    aligned: null,
    nested: null,
    foldScores: [],
    balancedAccuracy: Number.NaN,
    logLoss: Number.NaN,
    temperature: 1,
    seconds,
  };
}

/** Scores of a method on the folds, or why it cannot be fitted on them. */
function* tryFolds(
  method: Method,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
  earlier: readonly CandidateScore[],
): Steps<(Tables & ReturnType<typeof resultsOf>) | string> {
  try {
    const members = membersOf(method, data);
    const { outOfFold, ...tables } = members
      ? yield* averageMembers(members, data, plan, workspace, earlier)
      : {
          ...(yield* runFolds(method, data, plan, workspace)),
          nested: yield* runInner(method, data, plan, workspace),
        };
    return { ...tables, ...resultsOf(outOfFold, data, plan) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function* averageMembers(
  members: readonly MethodVersion[],
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
  earlier: readonly CandidateScore[],
): Steps<Tables> {
  const scores: CandidateScore[] = [];
  for (const member of members)
    scores.push(
      scoredAs(member, earlier) ?? (yield* scoreMethod(methodOf(member.id, member.version), data, plan, workspace, [])),
    );
  return averageOnFolds(scores, data, plan);
}

/** Seconds of the encoders whose features a method reads. */
const encoderSeconds = (method: Method, { encoded = {}, features }: TrainingData): number =>
  weightsOf(setsOf(method, features)).reduce((sum, { id }) => sum + (encoded[id]?.seconds ?? 0), 0);

/** The members of an average; null for another method. Throws if fewer than two can read the data. */
function membersOf(method: Method, data: TrainingData): readonly MethodVersion[] | null {
  const members = readableMembers(method, data);
  if (!members || members.length > 1) return members;
  const reason = method.unreadable(shapeOf(data));
  throw new Error(
    reason
      ? `It ${reason}.`
      : `It averages ${method.members!.length} methods, of which ${members.length} has the features it reads here.`,
  );
}

/** Scores of log-scores [passes × trials × classes]. */
export function resultsOf(
  outOfFold: Float64Array,
  data: TrainingData,
  plan: FoldPlan,
): Pick<CandidateScore, 'outOfFold' | 'temperature' | 'logLoss' | 'foldScores' | 'balancedAccuracy'> {
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  const evidence = outOfFold.subarray(0, plan.evidencePasses * size);
  const byPass = Array.from({ length: plan.evidencePasses }, (_, p) =>
    balancedAccuracy(decisions(outOfFold.subarray(p * size, (p + 1) * size), classes), data.labels, classes),
  );
  return {
    outOfFold,
    ...fitTemperature(evidence, data.labels, classes),
    foldScores: plan.folds
      .filter((fold) => fold.pass < plan.evidencePasses)
      .map((fold) => foldScore(fold, outOfFold, data)),
    balancedAccuracy: byPass.reduce((a, b) => a + b, 0) / byPass.length,
  };
}

/** The earlier score of a member of an average. Another version of a method is a different method. */
function scoredAs({ id, version }: MethodVersion, earlier: readonly CandidateScore[]): CandidateScore | undefined {
  const score = earlier.find(({ method }) => method === id);
  if (score && score.version !== version)
    throw new Error(`It averages version ${version} of ${score.title}, which was scored in version ${score.version}.`);
  return score;
}

/** The fields of every score that describe its method. */
export const commonOf = (
  { id, version, title, family }: Method,
  data: TrainingData,
): Pick<CandidateScore, 'method' | 'version' | 'title' | 'family' | 'prior'> => ({
  method: id,
  version,
  title,
  family,
  prior: priorOf(id, priorShapeOf(data)),
});

/** A method fitted on a fold, and its log-scores [test trials × classes]. */
interface FittedFold {
  readonly head: Head;
  readonly logScores: Float64Array;
}

function* fitOn(method: Method, data: TrainingData, fold: Fold, workspace: Workspace): Steps<FittedFold> {
  const { train } = foldWithoutArtefacts(data, fold, workspace);
  const head = yield* fitInSteps(method, { data, rows: train, workspace });
  yield;
  return { head, logScores: method.decide(head, data.features, fold.test, workspace) };
}

/** `fitOn`, cached in the workspace: the first fold is scored before the others. */
export const fitOnce: typeof fitOn = (method, data, fold, workspace) =>
  onceInSteps(workspace, [data, fold], `fold:${method.id}@${method.version}`, () =>
    fitOn(method, data, fold, workspace),
  );

function* runFolds(
  method: Method,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): Steps<Pick<Tables, 'outOfFold' | 'aligned'>> {
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  const outOfFold = new Float64Array(plan.passes * size).fill(Number.NaN);
  const aligned = plan.validation === 'sessions' ? new Float64Array(size).fill(Number.NaN) : null;
  for (const fold of plan.folds) {
    if (fold !== plan.folds[0]) yield;
    const fit = fold === plan.folds[0] ? fitOnce : fitOn;
    const { head, logScores } = yield* fit(method, data, fold, workspace);
    putRows(outOfFold.subarray(fold.pass * size, (fold.pass + 1) * size), classes, fold.test, logScores);
    if (!aligned || fold.pass > 0) continue;
    const moved = alignFold(data, foldWithoutArtefacts(data, fold, workspace), setsOf(method, data.features), {
      workspace,
      centring: centringOf(method),
    });
    putRows(aligned, classes, fold.test, method.decide(head, moved, fold.test, workspace));
  }
  for (const value of outOfFold)
    if (value === Infinity || value === -Infinity)
      throw new Error('Its scores are not finite numbers on these trials.');
  if (plan.folds.every((fold) => fold.test.every((row) => Number.isNaN(outOfFold[fold.pass * size + row * classes]))))
    throw new Error('Its scores are not numbers on these trials.');
  return { outOfFold, aligned };
}

function* runInner(
  method: Method,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): Steps<Float64Array | null> {
  if (plan.inner.length === 0) return null;
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  const out = new Float64Array(size * firstPass(plan).length).fill(Number.NaN);
  for (const { train, tests } of plan.inner) {
    yield;
    const head = yield* fitInSteps(method, { data, rows: rowsWithoutArtefacts(data, train, workspace), workspace });
    for (const { rows, outer } of tests)
      putRows(
        out.subarray(outer * size, (outer + 1) * size),
        classes,
        rows,
        method.decide(head, data.features, rows, workspace),
      );
  }
  return out;
}

function foldScore(fold: Fold, outOfFold: Float64Array, data: TrainingData): number {
  const classes = data.classes.length;
  const pass = outOfFold.subarray(fold.pass * data.labels.length * classes);
  return balancedAccuracy(
    decisions(takeRows(pass, classes, fold.test), classes),
    valuesAt(data.labels, fold.test),
    classes,
  );
}
