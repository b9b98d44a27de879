import { asFailure } from '../../fetch.ts';
import type { TaskModelAnswer } from '../response-types.ts';
import type { Reader } from './reader.ts';
import type { Details } from './body.ts';
import { payOnce } from './pay-once.ts';
import { sendFitJob } from './send-fit-job.ts';
import { isResumable, sendWithRetries } from './send-with-retries.ts';

const send = async <T>(path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<T> =>
  (await sendWithRetries<T>(path, headers, body)).body;

export interface Sending {
  readonly mode: 'live' | 'test';
  readonly details: Details;
  /** Number of requests for the trials. */
  readonly batches: number;
  /** Called with a text for each step. */
  readonly onStep: (words: string) => void;
  /** Called with the id of the model when its fit is accepted. */
  readonly onModel?: (id: string) => void;
}

/**
 * Estimates the cost of a create, with warnings. Costs nothing. There is one estimate for each batch, because the
 * trials of one request are all that an estimate sees.
 */
export async function sendEstimates<T>(
  reader: Reader,
  { mode, details, batches }: Pick<Sending, 'mode' | 'details' | 'batches'>,
): Promise<T[]> {
  const estimates: T[] = [];
  for (let batch = 0; batch < batches; batch++)
    try {
      estimates.push(await send<T>('', { 'x-key-mode': mode }, await reader.create(details, true, batch)));
    } catch (error) {
      // A later batch may lack trials of a rare class: they are added to those of the first.
      if (batch === 0 || asFailure(error).error.code !== 'TOO_FEW_TRIALS') throw error;
    }
  return estimates;
}

/**
 * Creates the model, with several requests if the trials need them. Each request is paid once, however often it is
 * sent.
 */
export async function sendCreate(reader: Reader, sending: Sending): Promise<TaskModelAnswer> {
  const { mode, details, batches, onStep, onModel = () => undefined } = sending;
  const collects = details.collects === true;
  onStep(
    batches === 1
      ? collects
        ? 'Sending the trials'
        : 'Sending the trials and fitting'
      : `Sending batch 1 of ${batches}`,
  );
  const body = await reader.create(details, false);
  const once = await payOnce(`${mode} ${batches} ${body}`);
  const headers = (step: string) => ({ 'x-key-mode': mode, 'idempotency-key': `${once.key}-${step}` });
  let isAccepted = false;
  try {
    if (batches === 1 && !collects) {
      const fitted = await sendFitJob('', headers('create'), body, onModel);
      once.done();
      return fitted;
    }
    let model = await send<TaskModelAnswer>('', headers('create'), body);
    isAccepted = true;
    for (let batch = 1; batch < batches; batch++) {
      onStep(`Sending batch ${batch + 1} of ${batches}`);
      await send(`/${model.id}/trials`, headers(`trials-${batch}`), await reader.batch(batch));
    }
    if (collects) {
      onModel(model.id);
      once.done();
      return model;
    }
    onStep('Fitting');
    model = await sendFitJob(`/${model.id}/fit`, headers('fit'), undefined, onModel);
    once.done();
    return model;
  } catch (error) {
    const failure = asFailure(error);
    // A refusal ends the create. After an outage, or with paid batches, the same key must be sent again.
    if (!isAccepted && !isResumable(failure)) once.done();
    throw failure;
  }
}

/** Fits a model that collects trials. `key` is the Idempotency-Key, so the fit is paid once. */
export const sendFit = async (id: string, mode: Sending['mode'], key: string): Promise<TaskModelAnswer> =>
  await sendFitJob(`/${id}/fit`, { 'x-key-mode': mode, 'idempotency-key': key }, undefined, () => undefined);

export interface SendingBatches {
  readonly id: string;
  readonly mode: Sending['mode'];
  readonly batches: number;
  /** Called with the number of batches that are sent. */
  readonly onSent: (sent: number) => void;
}

/** Adds the cut trials to a model that collects them. Each batch is paid once, however often it is sent. */
export async function sendBatches(reader: Reader, { id, mode, batches, onSent }: SendingBatches): Promise<void> {
  const paid: Awaited<ReturnType<typeof payOnce>>[] = [];
  for (let batch = 0; batch < batches; batch++) {
    const body = await reader.batch(batch);
    const once = await payOnce(`${mode} ${id} ${body}`);
    paid.push(once);
    await send(`/${id}/trials`, { 'x-key-mode': mode, 'idempotency-key': once.key }, body);
    onSent(batch + 1);
  }
  // Not before: a second attempt after a failed batch must not pay for the earlier ones again.
  for (const once of paid) once.done();
}
