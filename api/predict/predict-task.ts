import type { Trials } from '../../ml/types.ts';
import type { PredictRequest } from '../contract/requests.ts';
import type { IntakeAccepted } from '../intake/intake.ts';

/** Input of a thread that labels trials with a hosted model. */
export interface PredictTask {
  /** Object name of the fitted model. The object of a name never changes. */
  readonly modelRef: string;
  readonly trials: Trials;
  readonly align: 'none' | 'batch';
  readonly strideSeconds: number | null;
  readonly missingChannels: 'nearest' | 'reject';
  /** Recording of each trial. With `align: "batch"` each recording is recentred separately. */
  readonly recordings: Int32Array | null;
  /** Slot in which the thread marks the current model; absent: it marks nothing. */
  readonly mark?: number;
  /** Whether the model uses encoders, so that its thread waits for them. */
  readonly readsEncoders?: boolean;
}

/** The task for a prediction whose body has been read. */
export function predictTaskOf(modelRef: string, { envelope, trials, recordings }: IntakeAccepted): PredictTask {
  const { align, stride_seconds, missing_channels } = envelope as Omit<PredictRequest, 'x'>;
  return {
    modelRef,
    trials: trials!,
    align,
    strideSeconds: stride_seconds,
    missingChannels: missing_channels,
    recordings,
  };
}
