/** The task model as stored. Spec, "Task model". */
export type TaskModelStatus = 'collecting' | 'active' | 'expired' | 'deleted';
export type KeyMode = 'live' | 'test';

/** Changes that intake made to the signal, so that the caller can check them. */
export interface SignalReport {
  readonly sampling_rate_hz: number;
  readonly resampled_to_hz: number;
  readonly trials: number;
  readonly channels: number;
  readonly samples_per_trial: number;
  readonly seconds_per_trial: number;
  readonly units: string;
  /** Channel names that were replaced by another (T3 → T7, FPZ → Fpz). */
  readonly renamed_channels: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Cost of a request. Money as decimal strings. */
export interface Cost {
  readonly usd: string;
  readonly windows: number;
}

/** A class of reference recordings. */
export interface ReferenceClassRef {
  readonly data_set: string;
  readonly version: string;
  readonly task: string;
  readonly class: string;
}

/** Evidence of a model without its owner's trials, in the form of a response. */
export interface ReferenceUse {
  /** By class of the model. */
  readonly classes: Readonly<Record<string, ReferenceClassRef>>;
  /** Task of the participant, by class of the model. */
  readonly explanation: Readonly<Record<string, string>>;
  /** null: lists omit it. */
  readonly evidence: Readonly<Record<string, unknown>> | null;
}

export interface TaskModelRecord {
  readonly id: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly name: string | null;
  readonly description: string;
  /** Stored status; `statusAt` (lifecycle) derives the status that a reader sees. */
  readonly status: TaskModelStatus;
  readonly taskKind: 'erp' | 'motor' | 'sleep' | 'other';
  readonly classes: readonly string[];
  readonly channels: readonly string[];
  readonly signal: SignalReport;
  /** null: fitted on its owner's trials. */
  readonly reference: ReferenceUse | null;
  readonly method: { readonly id: string; readonly version: string; readonly title: string } | null;
  readonly trainingReport: Readonly<Record<string, unknown>> | null;
  /** Object-store name of the fitted model. */
  readonly modelRef: string | null;
  /** Version of the resampler for further trials; undefined: none is pinned. */
  readonly resampler: number | undefined;
  /** Requirements of the model or its batches that this code lacks, in words; empty: the model can be served. */
  readonly needs: readonly string[];
  /** Whether pretrained encoders, which run in a separate thread, process the trials of the model or of its batches. */
  readonly readsEncoders: boolean;
  readonly createdAt: Date;
  readonly fittedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly collectUntil: Date | null;
  /** A fit of a collecting model was requested and has not ended: it may end after `collectUntil`. */
  readonly fitPending: boolean;
  readonly paidThrough: Date | null;
  readonly nextChargeAt: Date | null;
  readonly unpaidSince: Date | null;
  readonly deletedAt: Date | null;
  /** Since when predictions are refused, because labelling ended an API process; null: predictions are accepted. */
  readonly blockedAt: Date | null;
}
