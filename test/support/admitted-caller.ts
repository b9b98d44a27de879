import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { parseKey } from '../../infra/records/accounts/key-format.ts';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { createAdmissionQueue } from '../../infra/records/admission/admission-queue.ts';
import type { AdmissionRequest, Credential } from '../../infra/records/admission/admit.ts';
import { newAccount } from './money.ts';

/** A request with its credential. */
export type Sent = AdmissionRequest & { readonly credential: Credential & { readonly kind: 'key' } };

/** A caller with a key, who was admitted before. */
export async function newAdmittedCaller(pool: Pool, own: Parameters<typeof setLimits>[2] = {}) {
  const at = new Date();
  const accountId = await newAccount(pool, at);
  await setLimits(pool, accountId, { rps: 1_000, burst: 1_000, concurrency: 1_000, ...own });
  const { key } = await createKey(pool, { accountId, mode: 'live', at });
  const { keyId, hash } = parseKey(key)!;
  const asks = (change: Partial<Sent> = {}): Sent => ({
    credential: { kind: 'key', keyId, hash },
    ip: '192.0.2.7',
    scopes: ['predictions'],
    endpoint: 'task_models.predict',
    requestId: randomUUID(),
    leaseId: randomUUID(),
    leaseSeconds: 60,
    whileSuspended: false,
    model: null,
    key: null,
    ...change,
  });
  const known = asks();
  await createAdmissionQueue(pool).admit(known.credential, known);
  await pool.query('DELETE FROM request_leases WHERE id = $1', [known.leaseId]);
  return { accountId, keyId, hash, asks };
}
