import { decode, decodeFormat, encode } from '../../infra/drivers/codec.ts';
import type { StagedTrials, StoredBatch } from '../../infra/contract/fit-request.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { moving } from '../../infra/drivers/threads/serve.ts';
import { extractFeatures, mergeFeatures, silenced, versionsOf } from '../../ml/features/index.ts';
import { silentChannels } from '../../ml/checks/index.ts';
import { holdsMethod, methodOf, prepareMethods } from '../../ml/methods/index.ts';
import { pinsOf } from '../../ml/pins/index.ts';
import { dropHopeless, scoreFirstFold, type FirstFold } from '../../ml/train/first-fold.ts';
import {
  buildReport,
  chooseCandidate,
  completeCurve,
  createWorkspace,
  fitWinner,
  leadingOf,
  learningPoint,
  linksOf,
  measureGrowth,
  partsOf,
  patternsOf,
  planFolds,
  poolId,
  scoreCandidate,
  scoreControls,
  sharesOf,
  storedFormat,
  trainingData,
  weigh,
  withPool,
  type CandidateScore,
  type Choice,
  type ControlScore,
  type FittedPatterns,
  type FittedModel,
  type FoldPlan,
  type Growth,
  type LearningPoint,
  type Links,
  type Skipped,
  type TrainingData,
  type TrainingReport,
  type Weighed,
  type Workspace,
} from '../../ml/train/index.ts';
import type { Features, TaskKind, Trials } from '../../ml/types.ts';
import { doubledOverBatches } from './doubled-over-batches.ts';
import { share, shared, type JobData } from './job-data.ts';
import { liveBatches, liveTrials } from './live-trials.ts';

export interface Extracted {
  readonly data: JobData;
  readonly bytes: Uint8Array;
}

export interface ScoredOnFolds {
  readonly score: Omit<CandidateScore, 'outOfFold' | 'aligned'>;
  /** Encoded `CandidateScore`. */
  readonly bytes: Uint8Array;
}

/** Staged trials, and which of them share a stretch of the recording. */
export interface Unpacked extends StagedTrials {
  readonly links: Links | null;
}

/** The first fold of the candidates that could be fitted. */
export interface FirstFolds {
  readonly jobId: string;
  readonly data: JobData;
  /** Ids of all candidates, averages too. */
  readonly methods: readonly string[];
  readonly firstFolds: readonly FirstFold[];
}

export interface Joined extends Pick<StagedTrials, 'labels' | 'sessions' | 'recordings' | 'priors'> {
  readonly kind?: TaskKind;
  readonly links?: Links | null;
  readonly parts: readonly Features[];
}

/** A method refitted on all trials. */
export interface Refitted {
  /** Encoded `FittedModel`. */
  readonly bytes: Uint8Array;
  readonly method: FittedModel['method'];
  readonly pins: readonly string[];
  readonly patterns: FittedPatterns;
}

/** What is read once all candidates are scored. */
export interface ScoredJob {
  readonly jobId: string;
  readonly data: JobData;
  /** Encoded `CandidateScore`s. */
  readonly scores: readonly Uint8Array[];
}

export interface ReportTask extends ScoredJob {
  readonly choice: Choice;
  readonly weighed: Weighed;
  readonly points: readonly (LearningPoint | null)[];
  readonly growth: Growth | null;
  readonly controls: readonly ControlScore[];
  readonly patterns: FittedPatterns;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

/**
 * What the worker threads of the activities do. Payloads and results cross by structured clone; feature tables are
 * shared memory.
 */
export const tasks = {
  /**
   * The staged object → its trials without flat ones and what links them, silent channels named, the signal in shared
   * memory.
   */
  unpack({ staged }: { staged: Uint8Array }): Unpacked {
    const { trials: live, ...rest } = liveTrials(decodeFormat<StagedTrials>(staged, 2, 'staged trials'));
    const { fingerprints, ...trials } = silenced(live, silentChannels(live));
    const links = linksOf([{ trials: trials.trials, fingerprints }]);
    return { ...rest, links, trials: { ...trials, data: shared(trials.data) } };
  },

  /** Some of the staged trials → their features. */
  extract({
    trials,
    featureSets,
    part,
    parts,
  }: {
    trials: Trials;
    featureSets: readonly string[];
    part: number;
    parts: number;
  }): Features {
    const size = trials.channels * trials.samples;
    const [from, to] = [Math.floor((part * trials.trials) / parts), Math.floor(((part + 1) * trials.trials) / parts)];
    const features = extractFeatures(
      { ...trials, trials: to - from, data: trials.data.subarray(from * size, to * size) },
      featureSets,
    );
    return moving(
      features,
      Object.values(features.sets).map(({ buffer }) => buffer as ArrayBuffer),
    );
  },

  /** Features of all trials, in order → features of the job. */
  join({ parts, labels, sessions, recordings = null, kind, links = null, priors }: Joined): Extracted {
    const training = trainingData(mergeFeatures(parts), labels, sessions, recordings, kind, links, priors);
    return packed({ format: 2, training });
  },

  /** Stored batches → features of the job, without flat trials. */
  merge({
    batches,
    featureSets,
    kind,
  }: {
    batches: readonly Uint8Array[];
    featureSets: readonly string[];
    kind?: TaskKind;
  }): Extracted {
    const stored = batches.map((bytes) => decodeFormat<StoredBatch>(bytes, storedFormat, 'batch'));
    const parts = liveBatches(stored);
    const features = mergeFeatures(parts.map((part) => only(part, featureSets)));
    const labels = parts.flatMap((part) => part.labels);
    const named = parts.some(({ sessions }) => sessions !== null);
    const sessions = named ? parts.flatMap((part) => part.sessions ?? part.labels.map(() => null)) : null;
    const links = linksOf(parts.map(({ labels: { length: trials }, fingerprints }) => ({ trials, fingerprints })));
    const [{ priors }] = parts;
    const training = trainingData(features, labels, sessions, recordingsOf(parts), kind, links, priors);
    return packed({ format: 2, training, warnings: doubledOverBatches(stored) });
  },

  /** The job's object → its data in shared memory. */
  open: ({ bytes }: { bytes: Uint8Array }): JobData => share(decodeFormat<JobData>(bytes, 2, 'features of a fit')),

  /** One candidate on the first fold; null for averages, and where it cannot be fitted. */
  async firstFold({
    jobId,
    data,
    method,
  }: {
    jobId: string;
    data: JobData;
    method: string;
  }): Promise<FirstFold | null> {
    await prepareMethods([methodOf(method)]);
    const { training, plan, workspace } = jobOf(jobId, data);
    return scoreFirstFold(method, training, plan, workspace);
  },

  /** The candidates that by their first fold cannot catch up. */
  hopeless({ jobId, data, methods, firstFolds }: FirstFolds): ScoredOnFolds[] {
    const { training, plan } = jobOf(jobId, data);
    return dropHopeless(methods, firstFolds, training, plan).map((score) => ({ score, bytes: encode(score) }));
  },

  /** One candidate on every fold; `members`: the encoded `CandidateScore`s that an average is made of. */
  async score({
    jobId,
    data,
    method,
    members = [],
  }: {
    jobId: string;
    data: JobData;
    method: string;
    members?: readonly Uint8Array[];
  }): Promise<ScoredOnFolds> {
    await prepareMethods([methodOf(method)]);
    const { training, plan, workspace } = jobOf(jobId, data);
    const { outOfFold, aligned, ...score } = scoreCandidate(
      method,
      training,
      plan,
      workspace,
      members.map((bytes) => decode<CandidateScore>(bytes)),
    );
    const bytes = encode({ ...score, outOfFold, aligned });
    return moving({ score, bytes }, [bytes.buffer as ArrayBuffer]);
  },

  /** The best candidate, the family it is of, and the shares at which its learning curve is measured. */
  choose({ jobId, data, scores }: ScoredJob): { choice: Choice; family: string; shares: readonly number[] } {
    const { training, plan } = jobOf(jobId, data);
    const choice = chooseCandidate(opened(scores), training, plan);
    requireHeld(choice);
    const { method, version } = leadingOf(choice);
    return { choice, family: methodOf(method, version).family, shares: sharesOf(plan) };
  },

  /** The chosen candidate refitted on all trials: an encoded `FittedModel`, its method and its pins. */
  async refit({ jobId, data, choice }: { jobId: string; data: JobData; choice: Choice }): Promise<Refitted> {
    const { training, workspace } = jobOf(jobId, data);
    await prepareMethods(partsOf(choice, training).fitted);
    const model = fitWinner(choice, training, workspace);
    const bytes = encode(model);
    const patterns = patternsOf(choice, model, training, workspace);
    return moving({ bytes, method: model.method, pins: pinsOf(model), patterns }, [bytes.buffer as ArrayBuffer]);
  },

  /** What the chosen candidate reaches with a share of the trials. */
  async curve({
    jobId,
    data,
    choice,
    share,
  }: {
    jobId: string;
    data: JobData;
    choice: Choice;
    share: number;
  }): Promise<LearningPoint | null> {
    const { method, version } = leadingOf(choice);
    await prepareMethods([methodOf(method, version)]);
    const { training, plan, workspace } = jobOf(jobId, data);
    return learningPoint(choice, share, training, plan, workspace);
  },

  /** What more trials than the folds train on bring the chosen candidate. */
  async growth({ jobId, data, choice }: { jobId: string; data: JobData; choice: Choice }): Promise<Growth | null> {
    const { method, version } = leadingOf(choice);
    await prepareMethods([methodOf(method, version)]);
    const { training, plan, workspace } = jobOf(jobId, data);
    return measureGrowth(choice, training, plan, workspace);
  },

  /** What eyes, muscles and the time before the cue reach on the folds of the candidates. */
  controls({ jobId, data }: { jobId: string; data: JobData }): ControlScore[] {
    const { training, plan, workspace } = jobOf(jobId, data);
    return scoreControls(training, plan, workspace);
  },

  /** What the choice among all candidates is worth. */
  weigh({ jobId, data, scores }: ScoredJob): Weighed {
    const { training, plan } = jobOf(jobId, data);
    return weigh(opened(scores), training, plan);
  },

  /** The training report as JSON. */
  report({ jobId, data, scores, choice, points, warnings, ...rest }: ReportTask): TrainingReport {
    const { training, plan } = jobOf(jobId, data);
    const all = opened(scores);
    const learningCurve = completeCurve(
      points,
      all.find(({ method }) => method === leadingOf(choice).method)!,
      training,
      plan,
    );
    return buildReport({
      ...rest,
      scores: withPool(all, choice, training, plan),
      choice,
      data: training,
      plan,
      warnings: [...warnings, ...(data.warnings ?? [])],
      learningCurve,
    });
  },
};

/** A service that changes during a fit may score with one version and choose with another, which must hold both. */
function requireHeld(choice: Choice): void {
  const needed = choice.method === poolId ? choice.pool! : [{ id: choice.method, version: choice.version }];
  for (const { id: method, version } of needed)
    if (!holdsMethod(method, version))
      throw new ApiError(
        'BACKEND_FAILURE',
        `The service changed during the fit and no longer holds version ${version} of the method ${method}, ` +
          `which is the best; nothing was charged. Send the request again.`,
      );
}

const opened = (scores: readonly Uint8Array[]): CandidateScore[] =>
  scores.map((bytes) => decode<CandidateScore>(bytes));

function packed(data: JobData): Extracted {
  const bytes = encode(data);
  return moving({ data: share(data), bytes }, [bytes.buffer as ArrayBuffer]);
}

/** Recordings over all batches; a batch without a context counts by its sessions. Null where no batch has one. */
const recordingsOf = (parts: readonly StoredBatch[]): (string | null)[] | null =>
  parts.some(({ recordings }) => recordings)
    ? parts.flatMap(({ recordings, sessions, labels }) => recordings ?? sessions ?? labels.map(() => null))
    : null;

function only({ features }: StoredBatch, ids: readonly string[]): StoredBatch['features'] {
  const missing = ids.filter((id) => !features.sets[id]);
  if (missing.length) throw new Error(`A stored batch lacks the features ${missing.join(', ')}.`);
  return {
    ...features,
    sets: Object.fromEntries(ids.map((id) => [id, features.sets[id]])),
    versions: versionsOf(ids, features.versions),
  };
}

interface Job {
  readonly jobId: string;
  readonly training: TrainingData;
  readonly plan: FoldPlan;
  readonly workspace: Workspace;
}

let current: Job | null = null;

/** Folds and workspace of the job this thread works for: the next candidate of a family finds the shared work done. */
function jobOf(jobId: string, { training }: JobData): Job {
  if (current?.jobId !== jobId) current = { jobId, training, plan: planFolds(training), workspace: createWorkspace() };
  return current;
}
