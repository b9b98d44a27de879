import { calibration } from '../evidence/calibration.ts';
import { heldOutProbabilities } from '../evidence/held-out-probabilities.ts';
import { softmax } from '../evidence/scores.ts';
import { buildReport } from '../train/report.ts';
import { controlRows } from '../train/report/control-rows.ts';
import { rounded } from '../train/report/rounded.ts';
import { resultsOf } from '../train/score.ts';
import { methodOf } from '../methods/index.ts';
import type { ControlScore, FittedModel, FoldPlan, TrainingData, TrainingReport } from '../train/types.ts';
import { groupOf, peopleGroups } from './people-folds.ts';
import type { PersonVectors } from './people-space.ts';
import { isLearned } from './without-artefacts.ts';
import type { ReferenceEvidence } from './types.ts';

/** Input of the report of a zero-shot model. */
export interface ReferenceReportInput {
  readonly model: FittedModel;
  readonly evidence: ReferenceEvidence;
  readonly control: ControlScore;
  readonly people: readonly PersonVectors[];
  /** Log-scores [trials × classes] of people who were left out, aligned as batches. */
  readonly outOfFold: Float64Array;
  /** The same, each trial by itself. */
  readonly alone: Float64Array;
}

/**
 * The training report of a zero-shot model, in the form of every report: its folds are groups of people, its sessions
 * are people. Fields that need own trials are null or empty. The evidence is over people, not over trials.
 */
export function referenceReport({
  model,
  evidence,
  control,
  people,
  outOfFold,
  alone,
}: ReferenceReportInput): TrainingReport {
  const classes = model.classes;
  const labels = Int32Array.from(people.flatMap((person) => [...person.labels]));
  const owner = Int32Array.from(people.flatMap((person, i) => [...person.labels].map(() => i)));
  const data: TrainingData = {
    features: { trials: labels.length, shape: model.shape, sets: {}, versions: {} },
    classes,
    labels,
    sessions: owner,
    sessionNames: people.map(({ person }) => person),
  };
  const plan = planOf(people, owner, evidence);
  const { id, version } = model.method;
  const row = methodOf(id, version);
  const results = resultsOf(outOfFold, data, plan);
  const score = {
    method: id,
    version,
    title: row.title,
    family: row.family,
    prior: { mean: 0, sd: 0, people: 0 },
    status: 'scored' as const,
    reason: null,
    aligned: null,
    nested: null,
    seconds: 0,
    ...results,
  };
  const report = buildReport({
    scores: [score],
    skipped: [],
    choice: { method: id, version, temperature: model.temperature, explanation: choice(people) },
    weighed: { corrected: null, permutation: { p: Number.NaN, permutations: 0 } },
    data,
    plan,
    warnings: [],
  });
  const { balancedAccuracy, interval95, onePerson95, lowerBound, quartiles, withoutAlignment, notes } = evidence;
  const [own] = report['methods'] as readonly Record<string, unknown>[];
  const validation = report['validation'] as Record<string, unknown>;
  return rounded({
    ...report,
    balanced_accuracy: balancedAccuracy,
    balanced_accuracy_aligned: balancedAccuracy,
    interval_95: interval95,
    validation: { ...validation, kind: 'people', held_out_sessions: [] },
    controls: controlRows([control]),
    patterns: null,
    patterns_reason: 'It was fitted on the recordings of other people.',
    methods: [{ ...own, balanced_accuracy: balancedAccuracy, interval_95: interval95 }],
    reference: {
      people: evidence.people,
      lower_bound_95: lowerBound,
      one_person_95: onePerson95,
      quartiles,
      balanced_accuracy_unaligned: withoutAlignment,
      ...unaligned(model, alone, data, plan),
      electrodes: [...evidence.read],
      channels_not_read: [...evidence.notRead],
      seconds: evidence.seconds,
      notes: [...notes],
    },
    warnings: [...evidence.warnings],
  }) as TrainingReport;
}

/** Calibration of probabilities with `align: "none"`, at their own temperature. */
function unaligned(model: FittedModel, alone: Float64Array, data: TrainingData, plan: FoldPlan) {
  const heldOut = heldOutProbabilities(alone, data, plan, softmax);
  return {
    log_loss_unaligned: resultsOf(alone, data, plan).logLoss,
    calibration_error_unaligned: calibration(heldOut, data.labels, data.classes.length).error,
    temperature_unaligned: model.temperatureAlone ?? model.temperature,
  };
}

const choice = (people: readonly PersonVectors[]): string =>
  `There were no trials of your own to choose by: it was fitted on recordings of ${people.filter(isLearned).length} ` +
  'other people.';

function planOf(people: readonly PersonVectors[], owner: Int32Array, { set }: ReferenceEvidence): FoldPlan {
  const groups = Math.min(peopleGroups, people.length);
  const rows = (inside: (person: number) => boolean): Int32Array =>
    Int32Array.from(owner.keys()).filter((row) => inside(owner[row]));
  return {
    validation: 'sessions',
    folds: Array.from({ length: groups }, (_, group) => ({
      train: rows((i) => groupOf(i) !== group),
      test: rows((i) => groupOf(i) === group),
      pass: 0,
      heldOut: people.filter((_, i) => groupOf(i) === group).map(({ person }) => person),
    })),
    evidencePasses: 1,
    passes: 1,
    groups: owner,
    units: null,
    shuffled: null,
    withheld: null,
    inner: [],
    description:
      `${people.length} people in ${groups} groups, each left out in turn: no score is of a person whom the fit has ` +
      `seen. Every person counts alike` +
      (set === 'erp/windows' ? '.' : ', recentred on the own trials (`align: "batch"`).'),
    warnings: [],
  };
}
