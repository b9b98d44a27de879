import type { ErrorCode } from '../infra/contract/errors.ts';
import type { KeyMode, TaskModelRecord, TaskModelStatus } from '../infra/contract/task-model.ts';
import type { ReferenceEvidence } from '../ml/reference-fits/types.ts';
import type { PeopleCounts, ReferenceTaskKey } from '../infra/contract/reference-data/preparation.ts';
import type { ReferenceFitRequest } from '../infra/contract/reference-fits.ts';
import type { FitOutcome, FitRequest } from '../infra/contract/fit-request.ts';

/**
 * What workflows see of the activities. Everything here is a payload: small, and free of signals, labels of trials and
 * secrets.
 */
export interface Activities {
  readLifecycle(input: AtInstant): Promise<Lifecycle | null>;
  /**
   * Does whatever is due at the instant (renew, expire, delete), then cleans up what a finished model leaves.
   * Idempotent.
   */
  settleLifecycle(input: AtInstant): Promise<Settled>;
  /** Deletes every object of a model. Idempotent. */
  cleanUpModel(input: { readonly modelId: string }): Promise<void>;

  /**
   * The whole fit of a job, from its source to its answer. A final failure, with a code of the error table as its type,
   * is the answer of the job. Any other failure is the service's and is retried.
   */
  fitModel(input: {
    readonly request: FitRequest;
    /** Unix milliseconds of the workflow clock. */
    readonly at: number;
  }): Promise<FitEnded>;
  /**
   * One transaction: hold released, row dropped or kept collecting, answer stored or key freed. Never undoes an
   * activation.
   */
  abandonFit(input: {
    readonly request: FitRequest;
    readonly failure: FitFailure;
    readonly at: number;
  }): Promise<FitOutcome>;

  /** What the reconciler finds, by topic; see `activities/reconcile`. */
  sweep(input: { readonly at: number }): Promise<ReconcileReport>;
  reconcileModels(input: {
    readonly at: number;
    readonly after: string | null;
  }): Promise<ReconcileReport & { readonly next: string | null }>;
  checkBooks(input: { readonly at: number }): Promise<ReconcileReport>;
  tidyReference(input: { readonly at: number }): Promise<ReconcileReport>;
  tidyObjects(input: { readonly at: number }): Promise<ReconcileReport>;

  /** Looks at what the source of a reference task holds, and begins or goes on with its preparation. */
  surveyReference(input: { readonly key: ReferenceTaskKey }): Promise<Survey>;
  /** One person's recordings, checked, and their features in the object store. Idempotent. */
  preparePerson(input: { readonly key: ReferenceTaskKey; readonly person: string }): Promise<PreparedPerson>;
  /** The fit of a task's people for one shape of trials, in the object store and in its row. Idempotent. */
  fitPeople(input: { readonly request: ReferenceFitRequest }): Promise<PeopleFitEnded>;
  /** The end of a fit that could not be made on the service side. */
  giveUpPeopleFit(input: { readonly key: string; readonly reason: string }): Promise<void>;
  /** The end of a preparation, whatever it was. Idempotent. */
  settlePreparation(input: {
    readonly key: ReferenceTaskKey;
    /** Why it ended before all people were looked at; null: they were. */
    readonly stopped: Stopped | null;
    /** People who could not be prepared on the service side, and why. */
    readonly lost: readonly { readonly person: string; readonly reason: string }[];
  }): Promise<PreparationEnded>;
}

export interface PeopleFitEnded {
  readonly status: 'ready' | 'failed';
  readonly reason: string | null;
  readonly evidence: Pick<ReferenceEvidence, 'people' | 'balancedAccuracy' | 'chance' | 'interval95'> | null;
}

/** Why no recording can be had. */
export interface Stopped {
  readonly status: 'failed' | 'required';
  readonly retryable: boolean;
  readonly reason: string;
}

export type Survey =
  /** It has ended, and nobody has asked for it since. */
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
  /** `fitting`: an immediate create in progress, which no reader sees. */
  readonly status: TaskModelStatus | 'fitting';
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly taskKind: TaskModelRecord['taskKind'];
  /** Next instant at which something happens by itself (Unix milliseconds), and what; null: nothing. */
  readonly due: { readonly at: number; readonly what: string } | null;
  /** A hosting month could not be charged yet. */
  readonly unpaid: boolean;
  /** For a reader of the Temporal UI. */
  readonly notes: readonly string[];
  /** A job that was asked for and has not ended. */
  readonly pendingFit: FitRequest | null;
}

export interface Settled {
  /** Hosting months charged or waived by this call. */
  readonly renewed: number;
  /** Nothing is left to do for this model, ever. */
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
  /** `dropped`: after its first fold it could not catch up. */
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
  /** What was put right, in words with counts. */
  readonly healed: readonly string[];
  /** What a person must look at. */
  readonly problems: readonly string[];
}
