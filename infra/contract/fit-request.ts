import type { MicroUsd } from './prices.ts';
import type { KeyMode, TaskModelRecord } from './task-model.ts';
import type { Priors } from '../../ml/evidence/priors.ts';
import type { Links } from '../../ml/evidence/types.ts';
import type { ReferenceShape } from '../../ml/reference-fits/types.ts';
import type { FeatureForm, Features, Fingerprints, NetworkTask, Trials } from '../../ml/types.ts';

/** A method that selection chose as a candidate. */
export interface Candidate {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  /** Methods of one family are scored in one thread and share work. */
  readonly family: string;
  /** For an average: the candidates whose scores it averages; they are scored before it. */
  readonly members?: readonly string[];
}

/** A method that selection left out, with the reason. */
export interface SkippedMethod {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

/** Number of candidates from which the first fold of all candidates runs before the other folds. */
export const worthDropping = 8;

/** Most bytes of a fit request, because it passes through Temporal. */
export const fitRequestBytes = 32 * 1024;

/**
 * Everything a fit job needs. It is an argument of a workflow, so it stays small (`fitRequestBytes`) and contains no
 * signals, labels of trials, description or secrets; those are in the object store or in Postgres. Its warnings may
 * name classes.
 */
export interface FitRequest {
  readonly jobId: string;
  readonly modelId: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly taskKind: TaskModelRecord['taskKind'];
  /**
   * `staged`: object name of a `StagedTrials`; `batches`: the stored batches of a collecting model; `reference`: object
   * name of a finished fit on reference recordings, which becomes the model; `network`: the movement network becomes
   * the model.
   */
  readonly source:
    | { readonly staged: string }
    | { readonly batches: true }
    | { readonly reference: string }
    | { readonly network: NetworkSource };
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly SkippedMethod[];
  readonly featureSets: readonly string[];
  /** Estimated memory of the fit, from its trials, features and candidates (`ml/train/fit-size.ts`). */
  readonly bytes: number;
  /** Estimated CPU time of the fit, from the same table. */
  readonly cpuSeconds: number;
  /** Prior from recordings of other people; null or absent: none. */
  readonly reference?: FitReference | null;
  /** The task of the movement network with these classes; null or absent: none. */
  readonly network?: NetworkTask | null;
  /** Warnings of intake and selection, to go into the training report. */
  readonly warnings: readonly string[];
  readonly idempotencyKey: string | null;
  /** Hold on the wallet; null in test mode. */
  readonly holdId: string | null;
  /** Id of the request that started the fit; error bodies contain it. */
  readonly requestId: string;
}

/** What the movement network is made a model for: a reference task, its classes in their order, and the trials. */
export interface NetworkSource {
  readonly task: string;
  readonly classes: readonly string[];
  readonly shape: ReferenceShape;
}

/** A finished fit on recordings of other people, from which candidates start. */
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
  /** Choice of the create; absent: balanced. */
  readonly priors?: Priors;
  /**
   * Groups of trials that overlap in the recording or are altered copies; null: there are none. Absent if some trials
   * are flat: then fingerprints find the overlaps, as they do in a worker of a former build.
   */
  readonly links?: Links | null;
}

/**
 * Stored form of a deferred batch: `encode(StoredBatch)` under `objectNames.batch`, and its features in parts
 * (`StoredPart` under `objectNames.batchPart`), so that a reader needs memory for one part only. The signal is never
 * stored.
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
  /** As in `StagedTrials`; only the first batch has it, from the create. */
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
