/** The task model as stored. Spec, "Task model". */
export type TaskModelStatus = 'collecting' | 'active' | 'expired' | 'deleted';
export type KeyMode = 'live' | 'test';

/** What intake did to the signal: the caller can check it against what they meant. */
export interface SignalReport {
  readonly sampling_rate_hz: number;
  readonly resampled_to_hz: number;
  readonly trials: number;
  readonly channels: number;
  readonly samples_per_trial: number;
  readonly seconds_per_trial: number;
  readonly units: string;
  /** Names that were read as another (T3 → T7, FPZ → Fpz). */
  readonly renamed_channels: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** What a request cost. Money as decimal strings. */
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

/** What a model without trials of its owner's rests on, as it is answered. */
export interface ReferenceUse {
  /** By class of the model. */
  readonly classes: Readonly<Record<string, ReferenceClassRef>>;
  /** What the participant does, by class of the model. */
  readonly explanation: Readonly<Record<string, string>>;
  /** null: left out of a list. */
  readonly evidence: Readonly<Record<string, unknown>> | null;
}

export interface TaskModelRecord {
  readonly id: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly name: string | null;
  readonly description: string;
  /** As stored; `statusAt` (lifecycle) derives the status a reader sees. */
  readonly status: TaskModelStatus;
  readonly taskKind: 'erp' | 'motor' | 'sleep' | 'other';
  readonly classes: readonly string[];
  readonly channels: readonly string[];
  readonly signal: SignalReport;
  /** null: fitted on trials of its owner's. */
  readonly reference: ReferenceUse | null;
  readonly method: { readonly id: string; readonly version: string; readonly title: string } | null;
  readonly trainingReport: Readonly<Record<string, unknown>> | null;
  /** Object-store name of the fitted model. */
  readonly modelRef: string | null;
  /** Version of the resampler that further trials go through; undefined where none is pinned. */
  readonly resampler: number | undefined;
  /** What the model or one of its batches needs and this code does not hold, in words; empty: it can be served. */
  readonly needs: readonly string[];
  /** Pretrained encoders, which have a thread of their own, read the trials of the model or of its batches. */
  readonly readsEncoders: boolean;
  readonly createdAt: Date;
  readonly fittedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly collectUntil: Date | null;
  /** A fit of a collecting model was asked for and has not ended: it may end after `collectUntil`. */
  readonly fitPending: boolean;
  readonly paidThrough: Date | null;
  readonly nextChargeAt: Date | null;
  readonly unpaidSince: Date | null;
  readonly deletedAt: Date | null;
  /** Predictions are refused since then, because labelling ended an API process; null: they are not. */
  readonly blockedAt: Date | null;
}
