import type pg from 'pg';
import { prices } from '../../contract/prices.ts';
import type { MicroUsd } from '../../contract/prices.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import { committing, prepared } from '../../drivers/postgres/index.ts';

/** Whose predictions are charged together, and what they are counted as. */
export interface Payer {
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Name under which usage is counted. */
  readonly endpoint: string;
}

/** One computed prediction that is to be paid, counted and kept. */
export interface Prediction {
  readonly modelId: string;
  readonly windows: number;
  readonly at: Date;
  readonly requestId: string;
  /** Of the API key, or what stands in its place. */
  readonly keyId: string;
  /** The request's lease, which is also the lock of its Idempotency-Key. */
  readonly leaseId: string;
  /** Whether the lease ends with the charge. */
  readonly endsLease: boolean;
  /** The answer, kept under the Idempotency-Key that the request holds; null: it has none. */
  readonly answer: { readonly key: string; readonly hash: string; readonly body: string } | null;
}

/**
 * `charged`, or why nothing was done: the model is `ended` or somebody changes it, a hosting month is `due` first, the
 * credit or a cap does not reach (`refused`), the request does not hold its key (`lost`) or somebody looks at it just
 * now. `chargeWindows` in a transaction of its own says in words what stands against it, or does it.
 */
export type ChargeOutcome = 'charged' | 'ended' | 'due' | 'refused' | 'lost';

export interface Charged {
  readonly outcome: ChargeOutcome;
  /** Whether the request's lease has ended, too. */
  readonly leaseEnded: boolean;
}

/** Predictions of one account. */
export interface Bill {
  readonly accountId: string;
  readonly predictions: readonly Prediction[];
}

const places = Array.from({ length: 16 }, (_, n) => `$${n + 1}`).join(', ');
const statement = `SELECT * FROM charge_predictions_together(${places})`;

const noBytes = Buffer.alloc(0);

/** The answers as the last arguments of the statement: keys, hashes, sizes and bytes; nulls where nobody has a key. */
function answersOf(predictions: readonly Prediction[]): readonly unknown[] {
  if (predictions.every(({ answer }) => answer === null)) return [null, null, null, noBytes];
  const answers = predictions.map(({ answer }) => answer);
  const bodies = answers.map((answer) => (answer === null ? noBytes : Buffer.from(answer.body)));
  return [
    answers.map((answer) => answer?.key ?? null),
    answers.map((answer) => answer?.hash ?? null),
    bodies.map(({ length }) => length),
    Buffer.concat(bodies),
  ];
}

interface Terms extends Omit<Payer, 'accountId'> {
  /** Of a window. */
  readonly price: MicroUsd;
  /** Whether a wallet that somebody else holds is waited for; for one account alone. */
  readonly waits: boolean;
}

/** What became of each prediction, bill by bill; of an account whose wallet was not waited for, null. */
async function charge(
  pool: pg.Pool,
  { mode, endpoint, price, waits }: Terms,
  bills: readonly Bill[],
): Promise<(readonly Charged[] | null)[]> {
  const all = bills.flatMap(({ predictions }) => predictions);
  const each = <T>(value: (prediction: Prediction) => T): T[] => all.map(value);
  const values = [
    mode,
    endpoint,
    price,
    waits,
    bills.flatMap(({ accountId, predictions }) => predictions.map(() => accountId)),
    each(({ modelId }) => modelId),
    each(({ windows }) => windows),
    each(({ at }) => at.toISOString()),
    each(({ requestId }) => requestId),
    each(({ keyId }) => keyId),
    each(({ leaseId }) => leaseId),
    each(({ endsLease }) => endsLease),
    ...answersOf(all),
  ];
  const { rows } = await committing(pool, (sql) =>
    prepared<{ outcomes: (ChargeOutcome | 'waits')[]; freed: string[] | null }>(sql, statement, values, pool),
  );
  const { outcomes, freed } = rows[0]!;
  let next = 0;
  return bills.map(({ predictions }) => {
    const first = next;
    next += predictions.length;
    if (outcomes[first] === 'waits') return null;
    return predictions.map(({ leaseId }, at) => ({
      outcome: outcomes[first + at] as ChargeOutcome,
      leaseEnded: freed?.includes(leaseId) ?? false,
    }));
  });
}

/**
 * Charges, counts and keeps predictions of one account in one round trip that commits by itself, each for itself: one
 * that is refused neither costs anything nor keeps the others. Returns what became of each, in the order given.
 * CommitUnknown speaks for all of them; after any other error nothing has happened to any.
 */
export async function chargePredictions(
  pool: pg.Pool,
  { accountId, mode, endpoint }: Payer,
  predictions: readonly Prediction[],
  price: MicroUsd = prices.window,
): Promise<readonly Charged[]> {
  const [charged] = await charge(pool, { mode, endpoint, price, waits: true }, [{ accountId, predictions }]);
  return charged!;
}

/**
 * The same for several accounts, none of which keeps another waiting: null for one whose wallet somebody else holds
 * just now, with which nothing has happened.
 */
export const chargeAccounts = (
  pool: pg.Pool,
  { mode, endpoint }: Omit<Payer, 'accountId'>,
  bills: readonly Bill[],
): Promise<(readonly Charged[] | null)[]> =>
  charge(pool, { mode, endpoint, price: prices.window, waits: false }, bills);
