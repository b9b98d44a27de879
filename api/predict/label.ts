import { packError, type SentError } from '../../infra/drivers/threads/messages.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import type { PredictRequest } from '../contract/requests.ts';
import { intake, type IntakeAccepted, type IntakeResult } from '../intake/intake.ts';
import type { Answered } from './predict.ts';
import { predictTaskOf, type PredictTask } from './predict-task.ts';

/** The model that labels a prediction in the task that reads it. A second task would have to wake two threads. */
export interface LabelBy {
  readonly modelRef: string;
  /** Channels of the model. */
  readonly channels: readonly string[];
  /** Windows that the account could pay for when the request arrived. */
  readonly mostWindows: number;
}

export interface LabelTask extends LabelBy {
  readonly body: Uint8Array;
  /** Version of the resampler to which the model is pinned. */
  readonly resampler?: number | undefined;
  /** Whether the hash of the body is needed; absent: yes. */
  readonly hashed?: boolean;
  /** As in `PredictTask`. */
  readonly mark?: number;
  /** Whether the thread returns the body; absent: no. */
  readonly returnsBody?: boolean;
}

/** Labels, or why there are none. */
export type Labelled =
  | { readonly ok: true; readonly answered: Answered }
  | { readonly ok: false; readonly error: SentError };

export interface LabelResult {
  /** If the trials were labelled, without their numbers. */
  readonly read: IntakeResult;
  /** Null: the trials are not labelled yet. */
  readonly labelled: Labelled | null;
  /** Present if `returnsBody` is set. */
  readonly body?: Uint8Array;
}

/** Most trials, and most bytes of them, that are labelled in the same task: this takes milliseconds. */
const [fewTrials, fewBytes] = [16, 1024 * 1024];

/** Transferable memory of the trials. */
export const movingRead = (read: IntakeResult): ArrayBuffer[] =>
  read.ok && read.trials ? [read.trials.data.buffer as ArrayBuffer] : [];

/** Whether no later check can reject the trials, and labelling them takes milliseconds. */
function isLabelled(read: IntakeAccepted, { channels, mostWindows }: LabelBy): boolean {
  const { trials, data } = read.trials!;
  const { stride_seconds } = read.envelope as Omit<PredictRequest, 'x'>;
  return (
    trials <= fewTrials &&
    data.byteLength <= fewBytes &&
    stride_seconds === null &&
    read.windows <= mostWindows &&
    read.channelNames.length === channels.length &&
    channels.every((name) => read.channelNames.includes(name))
  );
}

/** Reads the body of a prediction, and labels its trials if that is quick. */
export const createLabel =
  (predict: (task: PredictTask) => Promise<Answered>) =>
  async ({ body, resampler, hashed, mark, returnsBody = false, ...by }: LabelTask): Promise<LabelResult> => {
    const read = intake(body, 'predict', new Date(), resampler, hashed);
    const [back, moved] = returnsBody ? [{ body }, [body.buffer as ArrayBuffer]] : [{}, []];
    if (!read.ok || !isLabelled(read, by))
      return moving({ read, labelled: null, ...back }, [...movingRead(read), ...moved]);
    const labelled = await predict({ ...predictTaskOf(by.modelRef, read), mark }).then(
      (answered): Labelled => ({ ok: true, answered }),
      (error: unknown): Labelled => ({ ok: false, error: packError(error) }),
    );
    const rest = { ...read, trials: { ...read.trials!, data: new Float32Array(0) } };
    return moving({ read: rest, labelled, ...back }, moved);
  };
