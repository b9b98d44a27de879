import type { Trials } from '../../ml/types.ts';
import type { PredictRequest } from '../contract/requests.ts';
import type { IntakeAccepted } from '../intake/intake.ts';

/** What a thread labels with a hosted model. */
export interface PredictTask {
  /** Object name of the fitted model; a model never changes under its name. */
  readonly modelRef: string;
  readonly trials: Trials;
  readonly align: 'none' | 'batch';
  readonly strideSeconds: number | null;
  readonly missingChannels: 'nearest' | 'reject';
  /** Recording of each trial: with `align: "batch"` each recording is recentred by itself. */
  readonly recordings: Int32Array | null;
  /** Slot in which the thread marks the model; absent: it marks nothing. */
  readonly mark?: number;
  /** The model reads what encoders make of the trials, which its thread waits for. */
  readonly readsEncoders?: boolean;
}

/** The task of a prediction whose body was read. */
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
