import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginIdempotency, finishIdempotency } from '../../infra/records/admission/idempotency.ts';
import { reapAdmission } from '../../infra/records/admission/reap-admission.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newAccount } from '../support/money.ts';

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  accountId = await newAccount(database.pool);
});
afterAll(() => database.drop());

test('nine of ten answers are stored without a write to an index', async () => {
  const body = JSON.stringify({ labels: Array.from({ length: 60 }, () => ({ label: 'left', confidence: 0.75 })) });
  const client = await database.admin.connect();
  for (let n = 0; n < 400; n += 1) {
    const name = { accountId, mode: 'live' as const, key: `key ${n}` };
    const lockId = randomUUID();
    await beginIdempotency(client, { ...name, hash: 'h', lockId, lockSeconds: 60 });
    expect(await finishIdempotency(client, { ...name, status: 200, body, modelId: null, lockId })).toBe(true);
  }
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<{ hot: number }>(
    `SELECT (n_tup_hot_upd::float8 / n_tup_upd) AS hot FROM pg_stat_user_tables WHERE relname = 'idempotency_keys'`,
  );
  client.release();
  expect(rows[0]!.hot).toBeGreaterThan(0.9);
});

test('the lock of a process that died is removed after a day', async () => {
  const lockId = randomUUID();
  const name = { accountId, mode: 'live' as const, key: 'dead' };
  await beginIdempotency(database.pool, { ...name, hash: 'h', lockId, lockSeconds: 1 });
  const after = (hours: number) => reapAdmission(database.pool, new Date(Date.now() + hours * 3_600_000));
  expect((await after(24)).idempotencyKeys).toBe(0);
  expect((await after(25.05)).idempotencyKeys).toBe(1);
});
