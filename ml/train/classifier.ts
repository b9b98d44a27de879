import { checkTrials, deadTrials, linksIn, silentChannels } from '../checks/index.ts';
import { blocksAt, blocksOf } from '../evidence/blocks.ts';
import { completeCurve } from '../evidence/learning-curve.ts';
import { hiddenSessions } from '../evidence/hidden-sessions.ts';
import { countsOf } from '../evidence/scores.ts';
import { fingerprintsOf } from '../signal/index.ts';
import { extractFeatures, loudnessSet, silenced, trialsAt } from '../features/index.ts';
import { controlSets, createWorkspace, methodOf } from '../methods/index.ts';
import { select } from '../select/index.ts';
import type { DatasetShape, NetworkTask, TaskKind, Trials } from '../types.ts';
import { chooseCandidate } from './choose.ts';
import { fitWinner } from './fit.ts';
import { measureGrowth } from './growth.ts';
import { scoreControls, winnerOf } from './controls.ts';
import { learningPoint, curveFractions } from './learning-curve.ts';
import { patternsOf } from './patterns.ts';
import { planFolds } from './plan.ts';
import { leadingOf, withPool } from './opinion-pool.ts';
import { buildReport } from './report.ts';
import { scoreAll } from './score-all.ts';
import { swappedWarnings } from './swapped-warnings.ts';
import { weigh } from './weigh.ts';
import type { Sample } from './sample.ts';
import type { FittedModel, Links, Priors, SampledFrom, TrainOptions, TrainingData, TrainingReport } from './types.ts';

/** Options of training trials in addition to their labels and sessions. */
export interface DataOptions {
  /** Name of the recording of each trial: trials of one recording are recentred together. Default: the session. */
  readonly recordings?: readonly (string | null)[] | null | undefined;
  readonly kind?: TaskKind | undefined;
  /** Trials that overlap in the recording. */
  readonly links?: Links | null | undefined;
  /**
   * Levels of each trial (see `Fingerprints`), by which sessions are found if none are named; absent: none are found.
   */
  readonly levels?: Float32Array | null | undefined;
  readonly priors?: Priors | undefined;
  /** As in `DatasetShape`. */
  readonly network?: NetworkTask | null | undefined;
  /** As in `TrainingData`. */
  readonly networks?: Int32Array | undefined;
  /** The sampled rows of all trials; null or absent: these are all trials. */
  readonly sample?: Sample | null | undefined;
}

/** Labels and session names as indices, in order of their names. */
export function trainingData(
  features: TrainingData['features'],
  labels: readonly string[],
  sessions: readonly (string | null)[] | null,
  {
    recordings = null,
    kind = 'other',
    links = null,
    levels = null,
    priors = 'balanced',
    network = null,
    networks,
    sample = null,
  }: DataOptions = {},
): TrainingData {
  const recordingNames = namesIn(recordings ?? []);
  const classes = namesIn(labels);
  const given = namesIn(sessions ?? []);
  const own = numbered(labels, classes);
  const form = { classes: classes.length, seconds: features.shape.samples / features.shape.rateHz };
  const found = given.length > 1 || !levels ? null : hiddenSessions(levels, own, form);
  return {
    features,
    kind,
    classes,
    labels: own,
    sessions: given.length > 1 ? numbered(sessions!, given) : (found?.of ?? null),
    sessionNames: found ? found.starts.map((start) => `from trial ${start}`) : given,
    ...(found && { foundSessions: found.starts }),
    ...(priors === 'balanced' ? {} : { priors }),
    ...(network ? { network } : {}),
    ...(networks ? { networks } : {}),
    ...(recordings ? { recordings: numbered(recordings, recordingNames) } : {}),
    ...(links ? { links } : {}),
    ...(sample ? { sampledFrom: drawnFrom(sample, classes) } : {}),
  };
}

type Names = readonly (string | null)[];

const namesIn = (values: Names): string[] => [...new Set(values.map((name) => name ?? ''))].sort();

/** Index of each value among the names. */
function numbered(values: Names, names: readonly string[]): Int32Array {
  const places = new Map(names.map((name, i) => [name, i]));
  return Int32Array.from(values, (name) => places.get(name ?? '')!);
}

/** Facts about all trials that a sample does not show. Overlaps with trials outside the sample are not searched. */
function drawnFrom({ rows, ...all }: Sample, classes: readonly string[]): SampledFrom {
  const labels = numbered(all.labels, classes);
  const sessionNames = namesIn(all.sessions ?? []);
  const sessions = sessionNames.length > 1 ? numbered(all.sessions!, sessionNames) : null;
  const blocks = blocksAt(blocksOf({ labels, classes, sessions }), labels, rows);
  return { perClass: countsOf(labels, classes.length), rows, blocks };
}

/** The shape of these trials for selection. */
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
    ...(options.baselineSeconds === undefined ? {} : { baselineSeconds: options.baselineSeconds }),
    ...(options.reference ? { reference: options.reference } : {}),
    ...(options.network ? { network: options.network } : {}),
    ...(options.encoders ? { encoders: options.encoders } : {}),
    ...(options.recordings ? { recordings: new Set(options.recordings).size } : {}),
  };
}

/**
 * The whole create in this process: removes channels without signal, extracts, scores every candidate, chooses, refits,
 * reports.
 */
export function trainClassifier(
  sent: Trials,
  sentLabels: readonly string[],
  sentSessions: readonly (string | null)[] | null,
  options: TrainOptions = {},
): { model: FittedModel; report: TrainingReport } {
  const dataFindings = checkTrials({ trials: sent, labels: sentLabels, sessions: sentSessions, whole: true });
  const dead = new Set(deadTrials(sent));
  const alive = <T>(list: readonly T[]): readonly T[] => list.filter((_, row) => !dead.has(row));
  const [labels, sessions] = [alive(sentLabels), sentSessions && alive(sentSessions)];
  const rows = Int32Array.from(alive([...sentLabels.keys()]));
  const live = dead.size ? trialsAt(sent, rows) : sent;
  const trials = silenced(live, silentChannels(live));
  const recordings = options.recordings ? alive(options.recordings) : null;
  const shape = datasetShape(trials, labels, sessions, { ...options, recordings });
  const { candidates, skipped, findings } = select(shape);
  const ids = options.candidates ?? candidates.map(({ id }) => id);
  const sets = [
    ...new Set([...ids.flatMap((id) => methodOf(id).featureSets(shape)), ...controlSets(shape), loudnessSet]),
  ];
  const links = linksIn(live);
  const { levels } = fingerprintsOf(live);
  const features = extractFeatures(trials, sets);
  const { reference, network, networks } = options;
  const data: TrainingData = {
    ...trainingData(features, labels, sessions, {
      recordings,
      kind: shape.kind,
      links,
      levels,
      priors: options.priors,
      network,
      networks,
    }),
    ...(reference && 'weights' in reference ? { reference } : {}),
  };
  const plan = planFolds(data);
  const workspace = createWorkspace();
  const scores = scoreAll(ids, data, plan, workspace);
  const choice = chooseCandidate(scores, data, plan);
  const leading = scores.find(({ method }) => method === leadingOf(choice).id)!;
  const model = fitWinner(choice, data, workspace);
  const report = buildReport({
    scores: withPool(scores, choice, data, plan),
    skipped,
    choice,
    weighed: weigh(scores, data, plan),
    data,
    plan,
    warnings: [...[...findings, ...dataFindings].map(({ message }) => message), ...swappedWarnings(data, workspace)],
    learningCurve: completeCurve(
      curveFractions(plan).map((share) => learningPoint(choice, share, { data, plan, workspace })),
      leading,
      data,
      plan,
    ),
    growth: measureGrowth(choice, data, plan, workspace),
    controls: scoreControls(data, plan, workspace, winnerOf(choice, scores, data, plan)),
    patterns: patternsOf(choice, model, data, workspace),
  });
  return { model, report };
}
