import type pg from 'pg';
import { prices, type MicroUsd } from '../../contract/prices.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import { committing, type Sql } from '../../drivers/postgres/transaction.ts';
import { prepared } from '../../drivers/postgres/prepared.ts';
import { Busy } from '../batch-queue.ts';

/** The paying account, and the name under which its predictions are counted. */
export interface Payer {
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Name under which usage is counted. */
  readonly endpoint: string;
}

/** One computed prediction, to be charged, counted and stored. */
export interface Prediction {
  readonly modelId: string;
  readonly windows: number;
  readonly at: Date;
  readonly requestId: string;
  /** Id of the API key, or `dashboard`. */
  readonly keyId: string;
  /** The request's lease, which is also the lock of its Idempotency-Key. */
  readonly leaseId: string;
  /** Whether the lease ends with the charge. */
  readonly endsLease: boolean;
  /** The answer to store under the Idempotency-Key of the request; null: it has no key. */
  readonly answer: PredictionAnswer | null;
}

interface PredictionAnswer {
  readonly key: string;
  readonly hash: string;
  readonly body: string;
  /** Name of the object with the body; absent: the key's row contains the body. */
  readonly ref?: string;
}

/**
 * `charged`, or why nothing was charged: the model is no longer active (`ended`), a hosting month must be paid first
 * (`due`), credit or a cap is insufficient (`refused`), the request no longer has its Idempotency-Key (`lost`), or the
 * account has no storage left for an answer (`full`).
 */
export type ChargeOutcome = 'charged' | 'ended' | 'due' | 'refused' | 'lost' | 'full';

export interface Charged {
  readonly outcome: ChargeOutcome;
  /** Whether the request's lease was released too. */
  readonly leaseEnded: boolean;
}

/** Predictions of one account. */
export interface Bill {
  readonly accountId: string;
  readonly predictions: readonly Prediction[];
}

const places = Array.from({ length: 17 }, (_, n) => `$${n + 1}`).join(', ');
const statement = `SELECT * FROM charge_predictions(${places})`;

const noBytes = Buffer.alloc(0);

/**
 * The answers as the last arguments of the statement: keys, hashes, sizes, objects and bytes; nulls if no request has a
 * key.
 */
function answersOf(predictions: readonly Prediction[]): readonly unknown[] {
  if (predictions.every(({ answer }) => answer === null)) return [null, null, null, null, noBytes];
  const answers = predictions.map(({ answer }) => answer);
  const inRows = answers.flatMap((answer) => (answer && !answer.ref ? [Buffer.from(answer.body)] : []));
  return [
    answers.map((answer) => answer?.key ?? null),
    answers.map((answer) => answer?.hash ?? null),
    answers.map((answer) => (answer ? Buffer.byteLength(answer.body) : 0)),
    answers.map((answer) => answer?.ref ?? null),
    Buffer.concat(inRows),
  ];
}

/**
 * Charges, counts and stores the predictions of several accounts in one round trip and one commit. Each prediction is
 * independent: a refused one costs nothing and stops no other. Returns a result for each, in order; Busy and `waits` as
 * in `BatchOptions.run`. CommitUnknown applies to all of them; after any other error nothing has happened. `price` is
 * the price of a window.
 */
export const chargePredictions = (
  pool: pg.Pool,
  payer: Omit<Payer, 'accountId'>,
  bills: readonly Bill[],
  how: How,
): Promise<(Charged | Busy)[]> => committing(pool, (sql) => charge(sql, payer, bills, how, pool));

/** Charges one prediction in the caller's transaction; waits for locked rows. */
export async function chargePrediction(
  sql: Sql,
  { accountId, ...payer }: Payer,
  prediction: Prediction,
): Promise<Charged> {
  const [charged] = await charge(sql, payer, [{ accountId, predictions: [prediction] }], { waits: true });
  return charged as Charged;
}

interface How {
  readonly waits: boolean;
  readonly price?: MicroUsd;
}

/** `owner`: as in `prepared`. */
async function charge(
  sql: Sql,
  { mode, endpoint }: Omit<Payer, 'accountId'>,
  bills: readonly Bill[],
  { waits, price = prices.window }: How,
  owner: object = sql,
): Promise<(Charged | Busy)[]> {
  const all = bills.flatMap(({ predictions }) => predictions);
  const accounts = bills.flatMap(({ accountId, predictions }) => predictions.map(() => accountId));
  const { rows } = await prepared<{ outcomes: (ChargeOutcome | 'busy')[]; freed: string[] | null }>(
    sql,
    statement,
    [
      waits,
      mode,
      endpoint,
      price,
      accounts,
      all.map(({ modelId }) => modelId),
      all.map(({ windows }) => windows),
      all.map(({ at }) => at.toISOString()),
      all.map(({ requestId }) => requestId),
      all.map(({ keyId }) => keyId),
      all.map(({ leaseId }) => leaseId),
      all.map(({ endsLease }) => endsLease),
      ...answersOf(all),
    ],
    owner,
  );
  const { outcomes, freed } = rows[0]!;
  return all.map(({ leaseId }, at) => {
    const outcome = outcomes[at]!;
    return outcome === 'busy' ? new Busy(accounts[at]!) : { outcome, leaseEnded: freed?.includes(leaseId) ?? false };
  });
}
