import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { parseKey } from '../../infra/records/accounts/key-format.ts';
import { createAdmissionQueue } from '../../infra/records/admission/admission-queue.ts';
import { newAdmittedCaller, type Sent } from '../support/admitted-caller.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = new Date();

/** Requests of an account, each with a key of its own. */
async function newRequests(keys: number) {
  const { accountId, asks } = await newAdmittedCaller(database.pool);
  const newRequest = async () => {
    const { key } = await createKey(database.pool, { accountId, mode: 'live', at });
    return asks({ credential: { kind: 'key', ...parseKey(key)! } });
  };
  return { accountId, requests: await Promise.all(Array.from({ length: keys }, newRequest)) };
}

it('an account whose counters are locked leaves connections to others, however many keys it sends with', async () => {
  const [locked, other] = [await newRequests(20), await newRequests(1)];
  const queue = createAdmissionQueue(database.pool);
  const ask = ({ credential, ...request }: Sent) => queue.admit(credential, request);
  let waiting: Promise<{ outcome: string }[]> | undefined;
  await transaction(database.pool, async (sql) => {
    await sql.query('SELECT FROM rate_windows WHERE account_id = $1 FOR UPDATE', [locked.accountId]);
    waiting = Promise.all(locked.requests.map(ask));
    await sleep(100);
    expect(await Promise.race([ask(other.requests[0]!), sleep(5_000)])).toMatchObject({ outcome: 'admitted' });
  });
  expect((await waiting!).map(({ outcome }) => outcome)).toEqual(Array(20).fill('admitted'));
});
