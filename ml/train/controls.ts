import { weighControl } from '../evidence/control.ts';
import { scoreWithoutPart } from '../evidence/without-part.ts';
import { createWorkspace, controls, covarianceControl, methodOf } from '../methods/index.ts';
import type { Control, Workspace } from '../methods/index.ts';
import { setsOf } from '../methods/sets.ts';
import { shapeOf } from '../methods/shape-of.ts';
import { silent } from '../features/index.ts';
import { putRows } from '../rows.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { leadingOf, withPool } from './opinion-pool.ts';
import { rowsWithoutArtefacts } from './without-artefacts.ts';
import type { CandidateScore, Choice, ControlScore, FoldPlan, TrainingData } from './types.ts';

/** The chosen method, with which the controls are compared. */
export interface Winner {
  /** Its score, or that of the pool. */
  readonly score: CandidateScore;
  /** True if it, or the best member of the pool, reads covariances. */
  readonly readsCovariances: boolean;
}

/** The winner of a choice among `scores`. */
export function winnerOf(
  choice: Choice,
  scores: readonly CandidateScore[],
  data: TrainingData,
  plan: FoldPlan,
): Winner {
  const { id, version } = leadingOf(choice);
  return {
    score: withPool(scores, choice, data, plan).find(({ method }) => method === choice.method)!,
    readsCovariances: setsOf(methodOf(id, version), data.features).some((set) =>
      /^(?:f?b?cov|acm|ssvep)(?:\/|$)/.test(set),
    ),
  };
}

/**
 * Scores every control on the evidence folds of the candidates, in the way in which the winner reads the trials, and
 * the winner without the part of the signal of each control. Yields after each fold.
 */
export function* controlsInSteps(
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace = createWorkspace(),
  winner: Winner | null = null,
): Steps<ControlScore[]> {
  const scores: ControlScore[] = [];
  for (const control of controls) scores.push(yield* scoreControl(control, data, plan, workspace, winner));
  return scores;
}

/** `controlsInSteps` without pauses. */
export const scoreControls = (...input: Parameters<typeof controlsInSteps>): ControlScore[] =>
  toEnd(controlsInSteps(...input));

function* scoreControl(
  control: Control,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
  winner: Winner | null,
): Steps<ControlScore> {
  const { id, title } = control;
  const because = (status: 'failed' | 'not_measured', reason: string): ControlScore => ({
    id,
    title,
    status,
    reached: null,
    reason,
  });
  const reason = unmeasured(control, data);
  if (reason !== null) return because('not_measured', reason);
  try {
    const covariances = winner?.readsCovariances ? control.covarianceSet(shapeOf(data)) : null;
    const taken = covariances !== null && covariances in data.features.sets;
    const outOfFold = yield* scoresOf(taken ? covarianceControl(covariances) : control, data, plan, workspace);
    const part = { values: data.features.sets[control.set(shapeOf(data))!], control: outOfFold };
    const without = winner ? { without: scoreWithoutPart(winner.score, part, data, plan) } : {};
    return { id, title, status: 'scored', reached: weighControl(outOfFold, data, plan), ...without, reason: null };
  } catch (error) {
    return because('failed', error instanceof Error ? error.message : String(error));
  }
}

function unmeasured(control: Control, data: TrainingData): string | null {
  const { sets } = data.features;
  const shape = shapeOf(data);
  const taken = control.set(shape);
  return (
    control.unmeasured(shape) ??
    (taken === null || !(taken in sets)
      ? 'its features were not taken when the trials were stored; send them again to have it measured'
      : sets[taken].filter((value) => value === silent).length > sets[taken].length / 2
        ? 'the trials hold next to nothing above 40 Hz: they were low-passed before they were sent'
        : null)
  );
}

/** Held-out log-scores [evidence passes × trials × classes]. */
function* scoresOf(
  { fit, decide }: Pick<Control, 'fit' | 'decide'>,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): Steps<Float64Array> {
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  const outOfFold = new Float64Array(plan.evidencePasses * size).fill(Number.NaN);
  for (const { train, test, pass } of plan.folds) {
    if (pass >= plan.evidencePasses) continue;
    const own = decide(
      fit({ data, rows: rowsWithoutArtefacts(data, train, workspace), workspace }),
      data.features,
      test,
      workspace,
    );
    putRows(outOfFold.subarray(pass * size), classes, test, own);
    yield;
  }
  return outOfFold;
}
