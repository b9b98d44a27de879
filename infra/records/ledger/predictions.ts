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

const statement = `SELECT * FROM charge_predictions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`;

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
  const each = <T>(value: (prediction: Prediction) => T): T[] => predictions.map(value);
  const bodies = each(({ answer }) => Buffer.from(answer?.body ?? ''));
  const values = [
    accountId,
    mode,
    endpoint,
    price,
    each(({ modelId }) => modelId),
    each(({ windows }) => windows),
    each(({ at }) => at),
    each(({ requestId }) => requestId),
    each(({ keyId }) => keyId),
    each(({ leaseId }) => leaseId),
    each(({ endsLease }) => endsLease),
    each(({ answer }) => answer?.key ?? null),
    each(({ answer }) => answer?.hash ?? null),
    bodies.map(({ length }) => length),
    Buffer.concat(bodies),
  ];
  const { rows } = await committing(pool, (sql) =>
    prepared<{ outcomes: ChargeOutcome[]; freed: string[] | null }>(sql, statement, values, pool),
  );
  const { outcomes, freed } = rows[0]!;
  return predictions.map(({ leaseId }, at) => ({
    outcome: outcomes[at]!,
    leaseEnded: freed?.includes(leaseId) ?? false,
  }));
}
