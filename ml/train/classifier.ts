import { checkTrials } from '../checks/index.ts';
import { completeCurve } from '../evidence/learning-curve.ts';
import { extractFeatures } from '../features/index.ts';
import { createWorkspace, methodOf } from '../methods/index.ts';
import { select } from '../select/index.ts';
import type { DatasetShape, Trials } from '../types.ts';
import { chooseCandidate } from './choose.ts';
import { fitWinner } from './fit.ts';
import { learningPoint, shares } from './learning-curve.ts';
import { planFolds } from './plan.ts';
import { buildReport } from './report.ts';
import { scoreCandidate } from './score.ts';
import { weigh } from './weigh.ts';
import type { CandidateScore, FittedModel, TrainOptions, TrainingData, TrainingReport } from './types.ts';

/**
 * Labels and session names as indices, in order of their names; `recordings` names what is recentred together where it
 * is not the session.
 */
export function trainingData(
  features: TrainingData['features'],
  labels: readonly string[],
  sessions: readonly (string | null)[] | null,
  recordings: readonly (string | null)[] | null = null,
): TrainingData {
  const recordingNames = [...new Set((recordings ?? []).map((name) => name ?? ''))].sort();
  const classes = [...new Set(labels)].sort();
  const sessionNames = [...new Set((sessions ?? []).map((name) => name ?? ''))].sort();
  return {
    features,
    classes,
    labels: Int32Array.from(labels, (label) => classes.indexOf(label)),
    sessions: sessionNames.length > 1 ? Int32Array.from(sessions!, (name) => sessionNames.indexOf(name ?? '')) : null,
    sessionNames,
    ...(recordings ? { recordings: Int32Array.from(recordings, (name) => recordingNames.indexOf(name ?? '')) } : {}),
  };
}

/** What selection sees of these trials. */
export function datasetShape(
  trials: Trials,
  labels: readonly string[],
  sessions: readonly (string | null)[] | null,
  options: TrainOptions,
): DatasetShape {
  const classes = [...new Set(labels)].sort();
  return {
    kind: options.kind ?? 'other',
    channelNames: trials.channelNames,
    sourceRateHz: trials.sourceRateHz,
    samples: trials.samples,
    seconds: trials.samples / trials.rateHz,
    trials: trials.trials,
    classes,
    trialsPerClass: classes.map((name) => labels.filter((label) => label === name).length),
    sessions: Math.max(1, new Set(sessions ?? []).size),
    ...(options.frequenciesHz ? { frequenciesHz: options.frequenciesHz } : {}),
    storedFeaturesOnly: false,
    missingChannels: options.missingChannels ?? 'nearest',
    ...(trials.positions ? { positions: trials.positions } : {}),
    ...(options.recordings ? { recordings: new Set(options.recordings).size } : {}),
  };
}

/** The whole create in this process: extract, score every candidate, choose, refit, report. */
export function trainClassifier(
  trials: Trials,
  labels: readonly string[],
  sessions: readonly (string | null)[] | null,
  options: TrainOptions = {},
): { model: FittedModel; report: TrainingReport } {
  const shape = datasetShape(trials, labels, sessions, options);
  const { candidates, skipped, findings } = select(shape);
  const ids = options.candidates ?? candidates.map(({ id }) => id);
  const sets = [...new Set(ids.flatMap((id) => methodOf(id).featureSets(shape)))];
  const data = trainingData(extractFeatures(trials, sets), labels, sessions, options.recordings ?? null);
  const plan = planFolds(data);
  const workspace = createWorkspace();
  const scores: CandidateScore[] = [];
  for (const id of ids) scores.push(scoreCandidate(id, data, plan, workspace, scores));
  const choice = chooseCandidate(scores, data, plan);
  const winner = scores.find(({ method }) => method === choice.method)!;
  const report = buildReport({
    scores,
    skipped,
    choice,
    weighed: weigh(scores, choice, data, plan),
    data,
    plan,
    warnings: [...findings, ...checkTrials({ trials, labels, sessions, whole: true })].map(({ message }) => message),
    learningCurve: completeCurve(
      shares.map((share) => learningPoint(choice, share, data, plan, workspace)),
      winner,
      data,
      plan,
    ),
  });
  return { model: fitWinner(choice, data, workspace), report };
}
