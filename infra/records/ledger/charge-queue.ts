import type pg from 'pg';
import { createBatchQueue } from '../batch-queue.ts';
import { chargePredictions, type Charged, type Payer, type Prediction } from './predictions.ts';

/** Limits of one statement: predictions, and bytes of their answers. A single answer may be larger. */
const most = { items: 64, bytes: 4 * 1024 * 1024 } as const;

/** Most statements for several accounts that run at once. */
const atOnce = 2;

interface Item {
  readonly prediction: Prediction;
  readonly begins: () => void;
}

export interface ChargeQueue {
  /**
   * Charges a prediction. Predictions that arrive together share a round trip and a commit; no account waits for
   * another. `begins` is called before the statement is sent, and throws if the prediction must not be charged any
   * more.
   */
  charge(payer: Payer, prediction: Prediction, begins?: () => void): Promise<Charged>;
}

export function createChargeQueue(pool: pg.Pool): ChargeQueue {
  const charge = createBatchQueue<Payer, Item, Charged>({
    atOnce,
    most,
    bytesOf: ({ prediction: { answer } }) => (answer && !answer.ref ? answer.body.length : 0),
    nameOf: ({ accountId, mode, endpoint }) => `${accountId} ${mode} ${endpoint}`,
    kindOf: ({ mode, endpoint }) => `${mode} ${endpoint}`,
    begins: ({ begins }) => begins(),
    run: (parts, waits) =>
      chargePredictions(
        pool,
        parts[0]!.group,
        parts.map(({ group: { accountId }, items }) => ({
          accountId,
          predictions: items.map(({ prediction }) => prediction),
        })),
        { waits },
      ),
  });
  return { charge: (payer, prediction, begins = () => undefined) => charge(payer, { prediction, begins }) };
}
