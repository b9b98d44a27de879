import type { z } from 'zod';
import type { zeroShotEstimate } from '../../../../api/contract/responses.ts';
import { asFailure } from '../../fetch.ts';
import { sendFitJob } from '../file/send-fit-job.ts';
import { payOnce } from '../file/pay-once.ts';
import { isResumable, sendWithRetries } from '../file/send-with-retries.ts';
import type { TaskModelAnswer } from '../response-types.ts';

export type ZeroShotEstimateAnswer = z.output<typeof zeroShotEstimate>;

/** What a model without own trials is made from. */
export interface ZeroShot {
  readonly mode: 'live' | 'test';
  readonly description: string;
  /** Empty: the service names them. */
  readonly classes: readonly string[];
  readonly channels: readonly string[];
  readonly rateHz: number;
  readonly trialSeconds: number;
}

const bodyOf = ({ description, classes, channels, rateHz, trialSeconds }: ZeroShot, more: object): string =>
  JSON.stringify({
    mode: 'zero_shot',
    description,
    ...(classes.length > 0 ? { classes } : {}),
    channels,
    sampling_rate_hz: rateHz,
    trial_seconds: trialSeconds,
    ...more,
  });

/** Estimates the cost and shows the evidence. Costs nothing. It may have to wait for recordings of other people. */
export const estimateZeroShot = async (of: ZeroShot): Promise<ZeroShotEstimateAnswer> =>
  (await sendWithRetries<ZeroShotEstimateAnswer>('', { 'x-key-mode': of.mode }, bodyOf(of, { dry_run: true }))).body;

/** Creates the model with the classes that the estimate showed. Paid once, however often it is sent. */
export async function createZeroShot(
  of: ZeroShot,
  { reference_classes }: Pick<ZeroShotEstimateAnswer, 'reference_classes'>,
  onModel: (id: string) => void,
): Promise<TaskModelAnswer> {
  const body = bodyOf(of, { reference_classes });
  const once = await payOnce(`${of.mode} ${body}`);
  try {
    const model = await sendFitJob('', { 'x-key-mode': of.mode, 'idempotency-key': once.key }, body, onModel);
    once.done();
    return model;
  } catch (error) {
    // A refusal ends the create. After an outage the same key must be sent again.
    if (!isResumable(asFailure(error))) once.done();
    throw error;
  }
}
