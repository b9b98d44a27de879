import { decode, encode } from '../../infra/codec.ts';
import type { StagedTrials, StoredBatch } from '../../infra/temporal/fit-request.ts';
import { moving } from '../../infra/threads/serve.ts';
import { extractFeatures, mergeFeatures } from '../../ml/features/index.ts';
import { prepareMethods } from '../../ml/methods/index.ts';
import {
  buildReport, chooseCandidate, createWorkspace, dataWarnings, fitWinner, learningCurve, planFolds, scoreCandidate, trainingData,
  type CandidateScore, type Choice, type FoldPlan, type Skipped, type TrainingData, type Workspace,
} from '../../ml/train/index.ts';
import type { Features } from '../../ml/types.ts';
import { share, type JobData } from './job-data.ts';

export interface Extracted {
  readonly data: JobData;
  readonly bytes: Uint8Array;
}

export interface ScoredOnFolds {
  readonly score: Omit<CandidateScore, 'outOfFold' | 'aligned'>;
  /** Encoded `CandidateScore`. */
  readonly bytes: Uint8Array;
}

export interface RefitInput {
  readonly jobId: string;
  readonly data: JobData;
  /** Encoded `CandidateScore`s. */
  readonly scores: readonly Uint8Array[];
  readonly choice: Choice;
  readonly skipped: readonly Skipped[];
  readonly warnings: readonly string[];
}

export interface Refitted {
  readonly method: { readonly id: string; readonly version: string; readonly title: string };
  readonly balancedAccuracy: number;
  readonly chance: number;
  /** Encoded `FittedModel`. */
  readonly model: Uint8Array;
  /** JSON. */
  readonly report: string;
}

/** What the worker threads of the activities do. Payloads and results cross by structured clone; feature tables are shared memory. */
export const tasks = {
  /** Some of the staged trials → their features. */
  extract({ staged, featureSets, part, parts }: { staged: Uint8Array; featureSets: readonly string[]; part: number; parts: number }): Features {
    const { trials } = decode<StagedTrials>(staged);
    const size = trials.channels * trials.samples;
    const [from, to] = [Math.floor((part * trials.trials) / parts), Math.floor(((part + 1) * trials.trials) / parts)];
    const features = extractFeatures({ ...trials, trials: to - from, data: trials.data.subarray(from * size, to * size) }, featureSets);
    return moving(features, Object.values(features.sets).map(({ buffer }) => buffer as ArrayBuffer));
  },

  /** Staged trials → what their signal warns of. */
  inspect: ({ staged }: { staged: Uint8Array }): string[] => dataWarnings(decode<StagedTrials>(staged).trials),

  /** Features of all staged trials, in order → features of the job. */
  join({ staged, parts, warnings }: { staged: Uint8Array; parts: readonly Features[]; warnings: readonly string[] }): Extracted {
    const { labels, sessions, recordings } = decode<StagedTrials>(staged);
    return packed({ format: 1, training: trainingData(mergeFeatures(parts), labels, sessions, recordings ?? null), warnings });
  },

  /** Stored batches → features of the job. */
  merge({ batches, featureSets }: { batches: readonly Uint8Array[]; featureSets: readonly string[] }): Extracted {
    const parts = batches.map((bytes) => decode<StoredBatch>(bytes));
    const features = mergeFeatures(parts.map((part) => only(part, featureSets)));
    const labels = parts.flatMap((part) => part.labels);
    const named = parts.some(({ sessions }) => sessions !== null);
    const sessions = named ? parts.flatMap((part) => part.sessions ?? part.labels.map(() => null)) : null;
    return packed({ format: 1, training: trainingData(features, labels, sessions, recordingsOf(parts)), warnings: [...new Set(parts.flatMap((part) => part.warnings))] });
  },

  /** The job's object → its data in shared memory. */
  open: ({ bytes }: { bytes: Uint8Array }): JobData => share(decode<JobData>(bytes)),

  /** One candidate on every fold; `members`: the encoded `CandidateScore`s that an average is made of. */
  async score({ jobId, data, method, members = [] }: { jobId: string; data: JobData; method: string; members?: readonly Uint8Array[] }): Promise<ScoredOnFolds> {
    await prepareMethods([method]);
    const { training, plan, workspace } = jobOf(jobId, data);
    const { outOfFold, aligned, ...score } = scoreCandidate(method, training, plan, workspace, members.map((bytes) => decode<CandidateScore>(bytes)));
    const bytes = encode({ ...score, outOfFold, aligned });
    return moving({ score, bytes }, [bytes.buffer as ArrayBuffer]);
  },

  /** The best candidate. */
  choose({ jobId, data, scores }: { jobId: string; data: JobData; scores: readonly Uint8Array[] }): Choice {
    const { training, plan } = jobOf(jobId, data);
    return chooseCandidate(scores.map((bytes) => decode<CandidateScore>(bytes)), training, plan);
  },

  /** The chosen candidate refitted on all trials, with its report. */
  async refit({ jobId, data, scores, choice, skipped, warnings }: RefitInput): Promise<Refitted> {
    const { training, plan, workspace } = jobOf(jobId, data);
    const results = scores.map((bytes) => decode<CandidateScore>(bytes));
    const winner = results.find(({ method }) => method === choice.method)!;
    await prepareMethods([choice.method]);
    const model = fitWinner(choice, training, workspace);
    const report = buildReport({
      scores: results, skipped, choice, data: training, plan, warnings: [...warnings, ...data.warnings],
      learningCurve: learningCurve(winner, training, plan, workspace),
    });
    const bytes = encode(model);
    return moving(
      { method: model.method, balancedAccuracy: report.balanced_accuracy, chance: report.chance, model: bytes, report: JSON.stringify(report) },
      [bytes.buffer as ArrayBuffer],
    );
  },
};

function packed(data: JobData): Extracted {
  const bytes = encode(data);
  return moving({ data: share(data), bytes }, [bytes.buffer as ArrayBuffer]);
}

/** Recordings over all batches; a batch without a context counts by its sessions. Null where no batch has one. */
const recordingsOf = (parts: readonly StoredBatch[]): (string | null)[] | null =>
  parts.some(({ recordings }) => recordings) ? parts.flatMap(({ recordings, sessions, labels }) => recordings ?? sessions ?? labels.map(() => null)) : null;

function only({ features }: StoredBatch, ids: readonly string[]): StoredBatch['features'] {
  const missing = ids.filter((id) => !features.sets[id]);
  if (missing.length) throw new Error(`A stored batch lacks the features ${missing.join(', ')}.`);
  return { ...features, sets: Object.fromEntries(ids.map((id) => [id, features.sets[id]])) };
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
