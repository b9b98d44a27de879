import type { MicroUsd } from './prices.ts';
import type { KeyMode, TaskModelRecord } from './task-model.ts';
import type { Priors } from '../../ml/evidence/priors.ts';
import type { Links } from '../../ml/evidence/types.ts';
import type { FeatureForm, Features, Fingerprints, Trials } from '../../ml/types.ts';

/** A method that selection chose to try. */
export interface Candidate {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  /** Methods of one family are scored in one thread and share work. */
  readonly family: string;
  /** Of an average: the candidates whose scores it averages, scored before it. */
  readonly members?: readonly string[];
}

/** A method that selection left out, and why in words. */
export interface SkippedMethod {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

/** Candidates from which on the first fold of all comes before the other folds. */
export const worthDropping = 8;

/** Bytes of a fit request at most: it passes through Temporal. */
export const fitRequestBytes = 32 * 1024;

/**
 * All a fit job needs. It is an argument of a workflow, so it stays small (`fitRequestBytes`) and holds neither signals, labels
 * of trials, the description nor secrets: those lie in the object store or in Postgres.
 */
export interface FitRequest {
  readonly jobId: string;
  readonly modelId: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly taskKind: TaskModelRecord['taskKind'];
  /**
   * `staged`: object name of a `StagedTrials`; `batches`: the stored batches of a collecting model; `reference`: object
   * name of a finished fit on reference recordings, which becomes the model.
   */
  readonly source: { readonly staged: string } | { readonly batches: true } | { readonly reference: string };
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly SkippedMethod[];
  readonly featureSets: readonly string[];
  /** Memory that the fit takes, estimated from its trials, features and candidates (`ml/train/fit-size.ts`). */
  readonly bytes: number;
  /** Processor time that the fit takes, estimated from the same table. */
  readonly cpuSeconds: number;
  /** What recordings of other people teach beforehand; null or absent: nothing. */
  readonly reference?: FitReference | null;
  /** Warnings of intake and selection, to go into the training report. */
  readonly warnings: readonly string[];
  readonly idempotencyKey: string | null;
  /** Hold on the wallet; null in test mode. */
  readonly holdId: string | null;
  /** Of the request that asked for the fit: an error body carries it. */
  readonly requestId: string;
}

/** A finished fit on recordings of other people, where candidates begin. */
export interface FitReference {
  /** Object name. */
  readonly ref: string;
  /** Ids of the reference classes behind the classes of the job, in the order of their names. */
  readonly classes: readonly string[];
}

/** The job and its model. */
export type FitTarget = Pick<FitRequest, 'jobId' | 'modelId'>;

/** What the API stages for an immediate create: `encode(StagedTrials)` under `objectNames.staged`. */
export interface StagedTrials {
  readonly format: 2;
  readonly trials: Trials;
  /** One per trial. */
  readonly labels: readonly string[];
  /** One per trial, or null when the caller named none. */
  readonly sessions: readonly (string | null)[] | null;
  /** Name of each trial's recording by `normalization_context`; null or absent without one. */
  readonly recordings?: readonly string[] | null;
  /** What the create chose; absent: balanced. */
  readonly priors?: Priors;
  /**
   * Trials that share a stretch of the recording, null where none do. Absent where some trials are flat: fingerprints
   * tell of the others, as they tell a worker of a former build.
   */
  readonly links?: Links | null;
}

/**
 * What a deferred batch leaves: `encode(StoredBatch)` under `objectNames.batch`, and beside it its features in parts
 * (`StoredPart` under `objectNames.batchPart`), so that none of its readers needs memory for more than one part. Never
 * the signal.
 */
export interface StoredBatch {
  readonly format: 2;
  readonly features: FeatureForm;
  /** Trials of each part, in order. */
  readonly parts: readonly number[];
  readonly labels: readonly string[];
  readonly sessions: readonly (string | null)[] | null;
  /** As in `StagedTrials`. */
  readonly recordings?: readonly string[] | null;
  /** As in `Trials`. */
  readonly flat?: readonly number[];
  /** As in `Trials`. */
  readonly fingerprints?: Fingerprints;
  /** As in `StagedTrials`; the first batch has it, which came with the create. */
  readonly priors?: Priors;
}

/** The feature tables of some trials of a batch [trials × values]. */
export interface StoredPart {
  readonly format: 2;
  readonly sets: Features['sets'];
}

/** How a fit job ended, as its workflow returns it. */
export interface FitOutcome {
  /** `gone`: the model was deleted while it was fitted. */
  readonly result: 'activated' | 'abandoned' | 'gone';
  readonly status: number;
}

/** The terminal answer of a job, sent byte for byte. */
export interface FitAnswer {
  readonly status: number;
  readonly body: string;
}

/** The terminal answer of a job, and what it charged: its captured hold, in micro-dollars. */
export interface EndedFit extends FitAnswer {
  readonly microUsd: MicroUsd;
}
