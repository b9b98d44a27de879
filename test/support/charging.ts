import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { beginIdempotency } from '../../infra/records/admission/idempotency.ts';
import type { Prediction } from '../../infra/records/ledger/predictions.ts';

/** A prediction of a model that is to be charged. */
export const predictionOf = (modelId: string, at: Date, change: Partial<Prediction> = {}): Prediction => ({
  modelId,
  windows: 1,
  at,
  requestId: randomUUID(),
  keyId: 'k',
  leaseId: randomUUID(),
  endsLease: true,
  answer: null,
  ...change,
});

/** The prediction with an Idempotency-Key, which it has locked, and a lease. */
export async function keyedPrediction(
  pool: Pool,
  accountId: string,
  prediction: Prediction,
  body: string,
): Promise<Prediction> {
  const { leaseId } = prediction;
  const answer = { key: randomUUID(), hash: 'h', body };
  const mine = { accountId, mode: 'live' as const, ...answer, lockId: leaseId!, lockSeconds: 60 };
  const { outcome } = await beginIdempotency(pool, mine);
  if (outcome !== 'new') throw new Error(`The key is ${outcome}.`);
  await pool.query(`INSERT INTO request_leases VALUES ($1, $2, now() + interval '1 minute')`, [leaseId, accountId]);
  return { ...prediction, answer };
}
