import { weighControl } from '../evidence/control.ts';
import type { ControlEvidence } from '../evidence/control.ts';
import { createWorkspace, controls } from '../methods/index.ts';
import type { Control, Workspace } from '../methods/index.ts';
import { shapeOf } from '../methods/shape-of.ts';
import { silent } from '../features/index.ts';
import { putRows } from '../rows.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { rowsWithoutArtefacts } from './without-artefacts.ts';
import type { ControlScore, FoldPlan, TrainingData } from './types.ts';

/** Scores every control on the evidence folds of the candidates. Yields after each fold. */
export function* controlsInSteps(
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace = createWorkspace(),
): Steps<ControlScore[]> {
  const scores: ControlScore[] = [];
  for (const control of controls) scores.push(yield* scoreControl(control, data, plan, workspace));
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
    return { id, title, status: 'scored', reached: yield* scored(control, data, plan, workspace), reason: null };
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

function* scored(
  { fit, decide }: Control,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): Steps<ControlEvidence> {
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
  return weighControl(outOfFold, data, plan);
}
