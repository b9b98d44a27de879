import type { ErrorCode } from '../infra/contract/errors.ts';
import type { KeyMode, TaskModelRecord, TaskModelStatus } from '../infra/contract/task-model.ts';
import type { ReferenceEvidence } from '../ml/reference-fits/types.ts';
import type { PeopleCounts, ReferenceTaskKey } from '../infra/contract/reference-data/preparation.ts';
import type { ReferenceFitRequest } from '../infra/contract/reference-fits.ts';
import type { FitOutcome, FitRequest } from '../infra/contract/fit-request.ts';

/**
 * Activities as workflows see them. Payloads are small. They contain no signals, no labels of trials and no secrets.
 */
export interface Activities {
  readLifecycle(input: AtInstant): Promise<Lifecycle | null>;
  /**
   * Does everything that is due at `at` (renew, expire, delete). Then deletes the objects of a model that has ended.
   * Idempotent.
   */
  settleLifecycle(input: AtInstant): Promise<Settled>;
  /** Deletes every object of a model. Idempotent. */
  cleanUpModel(input: { readonly modelId: string }): Promise<void>;

  /**
   * Runs the whole fit of a job, from its source to its answer. A final failure becomes the answer of the job; its type
   * is a code of the error table. Temporal retries any other failure, because the service caused it.
   */
  fitModel(input: {
    readonly request: FitRequest;
    /** Unix milliseconds of the workflow clock. */
    readonly at: number;
  }): Promise<FitEnded>;
  /**
   * Ends a job without a model, in one transaction: releases the credit hold, deletes the row or leaves the model
   * collecting, and stores the answer or frees the idempotency key. Never undoes an activation. Idempotent.
   */
  abandonFit(input: {
    readonly request: FitRequest;
    readonly failure: FitFailure;
    readonly at: number;
  }): Promise<FitOutcome>;

  /** The steps of the reconciler; see `activities/reconcile`. */
  sweep(input: { readonly at: number }): Promise<ReconcileReport>;
  reconcileModels(input: {
    readonly at: number;
    readonly after: string | null;
    /** Number of problems on earlier pages. */
    readonly found: number;
  }): Promise<ReconcileReport & { readonly next: string | null; readonly found: number }>;
  checkBooks(input: { readonly at: number }): Promise<ReconcileReport>;
  tidyReference(input: { readonly at: number }): Promise<ReconcileReport>;
  tidyObjects(input: { readonly at: number }): Promise<ReconcileReport>;

  /** Lists the people whose recordings the source has, and starts or continues the preparation of the task. */
  surveyReference(input: { readonly key: ReferenceTaskKey }): Promise<Survey>;
  /** Checks one person's recordings and stores their features in the object store. Idempotent. */
  preparePerson(input: { readonly key: ReferenceTaskKey; readonly person: string }): Promise<PreparedPerson>;
  /**
   * Fits a model on a task's people for one shape of trials. Writes it to the object store and to its row. Idempotent.
   */
  fitPeople(input: { readonly request: ReferenceFitRequest }): Promise<PeopleFitEnded>;
  /** Records that the service could not make the fit. */
  giveUpPeopleFit(input: { readonly key: string; readonly reason: string }): Promise<void>;
  /** Records how a preparation ended. Idempotent. */
  settlePreparation(input: {
    readonly key: ReferenceTaskKey;
    /** Why it ended before all people were processed; null: all people were processed. */
    readonly stopped: Stopped | null;
    /** People whom the service could not prepare, and why. */
    readonly lost: readonly { readonly person: string; readonly reason: string }[];
  }): Promise<PreparationEnded>;
}

export interface PeopleFitEnded {
  readonly status: 'ready' | 'failed';
  readonly reason: string | null;
  readonly evidence: Pick<ReferenceEvidence, 'people' | 'balancedAccuracy' | 'chance' | 'interval95'> | null;
}

/** Why the source gives no recordings. */
export interface Stopped {
  readonly status: 'failed' | 'required';
  readonly retryable: boolean;
  readonly reason: string;
}

export type Survey =
  /** The preparation has ended, and no one has requested it since. */
  | { readonly found: 'ended'; readonly status: 'ready' | 'failed' | 'required' }
  | { readonly found: 'nothing'; readonly stopped: Stopped }
  | { readonly found: 'people'; readonly people: readonly string[]; readonly files: number };

export type PreparedPerson =
  | {
      readonly status: 'used' | 'part' | 'missing' | 'faulty' | 'interrupted';
      readonly files: number;
      readonly bytes: number;
      readonly reason: string | null;
    }
  | { readonly status: 'stopped'; readonly stopped: Stopped };

export interface PreparationEnded {
  readonly status: 'ready' | 'failed' | 'required';
  readonly reason: string | null;
  readonly people: PeopleCounts | null;
}

export interface AtInstant {
  readonly modelId: string;
  /** Unix milliseconds of the workflow clock. */
  readonly at: number;
}

export interface Lifecycle {
  /** `fitting`: an immediate create in progress, which no reader of the API sees. */
  readonly status: TaskModelStatus | 'fitting';
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly taskKind: TaskModelRecord['taskKind'];
  /** The next automatic event: when (Unix milliseconds) and what; null: none. */
  readonly due: { readonly at: number; readonly what: string } | null;
  /** A hosting month could not be charged yet. */
  readonly unpaid: boolean;
  /** For a reader of the Temporal UI. */
  readonly notes: readonly string[];
  /** A requested job that has not ended. */
  readonly pendingFit: FitRequest | null;
}

export interface Settled {
  /** Hosting months charged or waived by this call. */
  readonly renewed: number;
  /** Nothing is left to do for this model. Its workflow can end. */
  readonly finished: boolean;
  readonly happened: readonly string[];
}

export interface FitEnded {
  readonly outcome: FitOutcome;
  /** Title of the fitted method; null: an earlier attempt ended the job. */
  readonly method: string | null;
  /** For a reader of the Temporal UI: every candidate, unless an earlier attempt ended the job. */
  readonly scores: readonly Scored[];
}

export interface Scored {
  readonly method: string;
  readonly title: string;
  /** `dropped`: after the first fold the candidate could no longer become the best. */
  readonly status: 'scored' | 'failed' | 'dropped';
  readonly reason: string | null;
  readonly balancedAccuracy: number | null;
  readonly seconds: number | null;
  /** Object name of the full score; null where there is none. */
  readonly ref: string | null;
}

export interface FitFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** The part of the request at fault. */
  readonly field?: string;
  readonly reasons: readonly { readonly method: string; readonly reason: string }[];
}

export interface ReconcileReport {
  /** Repairs, as sentences with counts. */
  readonly healed: readonly string[];
  /** Problems that an operator must look at. */
  readonly problems: readonly string[];
  /** Number of lines that are left out, so that a history stays small. The worker's log has all problems. */
  readonly more?: number;
}
