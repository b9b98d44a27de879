import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { createKey, parseKey, setLimits } from '../../infra/records/accounts/index.ts';
import { createAdmissionQueue, type Credential } from '../../infra/records/admission/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newAccount } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = new Date();

async function newCaller(keys: number) {
  const accountId = await newAccount(database.pool, at);
  await setLimits(database.pool, accountId, { rps: 1_000, burst: 1_000, concurrency: 1_000 });
  const newKey = async (): Promise<Credential> => {
    const { key } = await createKey(database.pool, { accountId, mode: 'live', at });
    return { kind: 'key', ...parseKey(key)! };
  };
  return { accountId, credentials: await Promise.all(Array.from({ length: keys }, newKey)) };
}

it('an account whose counters are locked leaves connections to others, however many keys it sends with', async () => {
  const [locked, other] = [await newCaller(20), await newCaller(1)];
  const queue = createAdmissionQueue(database.pool);
  const ask = (credential: Credential) =>
    queue.admit(credential, {
      ip: '192.0.2.7',
      scopes: ['predictions'],
      endpoint: 'task_models.predict',
      requestId: randomUUID(),
      leaseId: randomUUID(),
      leaseSeconds: 60,
      whileSuspended: false,
      model: null,
      key: null,
    });
  const [known] = locked.credentials;
  await Promise.all([known!, ...other.credentials].map(ask));
  let waiting: Promise<{ outcome: string }[]> | undefined;
  await transaction(database.pool, async (sql) => {
    await sql.query('SELECT FROM rate_windows WHERE account_id = $1 FOR UPDATE', [locked.accountId]);
    waiting = Promise.all(locked.credentials.map(ask));
    await sleep(100);
    expect(await Promise.race([ask(other.credentials[0]!), sleep(5_000)])).toMatchObject({ outcome: 'admitted' });
  });
  expect((await waiting!).map(({ outcome }) => outcome)).toEqual(Array(20).fill('admitted'));
});
