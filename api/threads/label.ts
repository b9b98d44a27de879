import { moving } from '../../infra/drivers/threads/serve.ts';
import { intake, type IntakeResult } from './intake.ts';
import type { Answered } from './predict.ts';
import { predictTaskOf, type PredictTask } from './predict-task.ts';

/** A prediction that is read and labelled in one task: a second one would cost the wake of two threads. */
export interface LabelTask {
  readonly body: Uint8Array;
  /** Version of the resampler that the model is pinned to. */
  readonly resampler?: number | undefined;
  readonly modelRef: string;
  /** Windows that the account can pay for. */
  readonly mostWindows: number;
}

export interface LabelResult {
  /** Where the trials are labelled, without their numbers. */
  readonly read: IntakeResult;
  /** Null: the trials are still to be labelled. */
  readonly answered: Answered | null;
}

/** Trials that are labelled at once: their answer is small, whatever the names of the classes. */
const fewTrials = 16;

/** Transferable memory of what was read. */
export const movingRead = (read: IntakeResult): ArrayBuffer[] =>
  read.ok && read.trials ? [read.trials.data.buffer as ArrayBuffer] : [];

/**
 * Reads a body and labels its trials where they are few and paid for. What fails in labelling is left to the task that
 * does nothing else, so that all refusals stand in the order in which they are looked for.
 */
export const createLabel =
  (predict: (task: PredictTask) => Promise<Answered>) =>
  async ({ body, resampler, modelRef, mostWindows }: LabelTask): Promise<LabelResult> => {
    const read = intake(body, 'predict', new Date(), resampler);
    const unlabelled = (): LabelResult => moving({ read, answered: null }, movingRead(read));
    if (!read.ok || read.trials!.trials > fewTrials || read.windows > mostWindows) return unlabelled();
    try {
      const answered = await predict(predictTaskOf(modelRef, read));
      return { read: { ...read, trials: { ...read.trials!, data: new Float32Array(0) } }, answered };
    } catch {
      return unlabelled();
    }
  };
