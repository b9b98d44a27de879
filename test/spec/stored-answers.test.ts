import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSweep } from '../../activities/reconcile/sweep.ts';
import { createTidyObjects } from '../../activities/reconcile/tidy-objects.ts';
import type { Tools } from '../../activities/tools.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { AccountQuotas } from '../../infra/contract/quotas.ts';
import { markClosed, reapClosedAccounts } from '../../infra/records/accounts/close.ts';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { path, signal, small } from '../support/keyed-api.ts';
import { predictingBy } from '../support/predicting-by.ts';
import { createBody } from '../support/requests.ts';

const word = 'padding that a reader of the disk would find';
const data = JSON.stringify([{ padding: word.repeat(5_000) }]);

let api: TestApi;
/** The service, whose predictions have answers of 220 kB. */
let large: FastifyInstance;
let account: TestAccount;
let id: string;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  large = api.second({
    threads: predictingBy(api.deps.threads, () => Promise.resolve({ data, warnings: [] } as never)),
  });
});
beforeEach(async () => {
  account = await newAccount(api.database, { key: { mode: 'test' } });
  id = (await send(api.app, account.key, 'POST', path, createBody(small))).body.id;
});
afterAll(() => api.close());

const pool = () => api.database.pool;
const predict = (key: string | null = randomUUID(), app = api.app) =>
  send(app, account.key, 'POST', `${path}/${id}/predictions`, signal, key === null ? {} : { 'idempotency-key': key });
const limit = (given: Partial<AccountQuotas>) => setLimits(pool(), account.accountId, given);
const used = async () => {
  const { quotas } = (await send(api.app, account.key, 'GET', '/v1/usage')).body.limits;
  return [Number(quotas.stored_answers.used), Number(quotas.stored_answer_bytes.used)] as const;
};
const objects = () => api.deps.objects.list(`answers/`);
const run = (make: typeof createSweep, at: number) => {
  const tools = { pool: pool(), objects: api.deps.objects, client: null, taskQueue: 'none' } as unknown as Tools;
  return new MockActivityEnvironment().run(make(tools), { at });
};
const age = (days: number) =>
  pool().query(
    `WITH aged AS (UPDATE idempotency_keys SET created_at = created_at - make_interval(days => $2)
       WHERE account_id = $1 RETURNING 1)
     UPDATE stored_answer_days SET day = day - $2::integer WHERE account_id = $1 AND (SELECT count(*) FROM aged) > 0`,
    [account.accountId, days],
  );

it('stored answers do not exceed the quota, also if a hundred requests come at once', async () => {
  await limit({ storedAnswers: 3n });
  const replies = await Promise.all(Array.from({ length: 100 }, () => predict()));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 413]));
  while ((await used())[0] < 3) expect((await predict()).status).toBe(200);
  expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(3);
  const computed = { ...api.deps.threads, predict: () => Promise.reject(new Error('computed')) };
  const refused = await predict(randomUUID(), api.second({ threads: computed }));
  expect([refused.status, refused.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(refused.body.message).toMatch(/^The account keeps 3 answers; its limit is 3\. Send the request without/);
  expect(refused.body.details).toMatchObject({ quota: 'stored_answers', used: '3', limit: '3' });
  const inThirtyDays = Date.now() / 1000 + limits.idempotencyKeyDays * 86_400;
  expect(Math.abs(refused.body.details.next_expiry_at - inThirtyDays)).toBeLessThan(86_400);
  expect((await predict(null)).status).toBe(200);
  expect((await used())[0]).toBe(3);
});

it('a key that has its answer is replayed while the quota is full, and a create with a key is refused', async () => {
  const key = randomUUID();
  const first = await predict(key);
  await limit({ storedAnswers: 1n });
  const again = await predict(key);
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  const created = await send(api.app, account.key, 'POST', path, createBody(small), { 'idempotency-key': 'another' });
  expect(created.body.details).toMatchObject({ quota: 'stored_answers' });
  await limit({ storedAnswers: 2n });
  expect((await send(api.app, account.key, 'POST', path, createBody(small), { 'idempotency-key': 'k' })).status).toBe(
    201,
  );
});

it('deleting a model deletes the answers of its predictions, and makes room at once', async () => {
  await predict();
  await predict(randomUUID(), large);
  await limit({ storedAnswers: 2n });
  expect((await predict()).status).toBe(413);
  const other = (await send(api.app, account.key, 'POST', path, createBody(small))).body.id;
  await send(api.app, account.key, 'DELETE', `${path}/${id}`);
  expect(await used()).toEqual([0, 0]);
  await run(createSweep, Date.now());
  expect(await objects()).toEqual([]);
  id = other;
  expect((await predict()).status).toBe(200);
});

it('an answer expires after thirty days: its row, its count and its object', async () => {
  await predict();
  await predict(randomUUID(), large);
  expect((await used())[0]).toBe(2);
  await age(limits.idempotencyKeyDays + 1);
  await run(createSweep, Date.now());
  expect(await used()).toEqual([0, 0]);
  expect(await objects()).toEqual([]);
  expect((await pool().query('SELECT FROM ended_answers')).rowCount).toBe(0);
});

it('a large answer lies encrypted in the object store, and is replayed byte for byte', async () => {
  const key = randomUUID();
  const first = await predict(key, large);
  expect(first.status).toBe(200);
  const { rows } = await pool().query(
    'SELECT response_body AS body, response_ref AS ref, response_bytes AS bytes FROM idempotency_keys WHERE key = $1',
    [key],
  );
  expect(rows).toEqual([
    { body: null, ref: expect.stringMatching(`^answers/${id}/`), bytes: BigInt(first.text.length) },
  ]);
  const folder = fileURLToPath(api.threadData.objects.url);
  expect((await readFile(join(folder, rows[0].ref))).includes(word)).toBe(false);
  const again = await predict(key, large);
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  expect((await used())[1]).toBe(first.text.length);
  await api.deps.objects.delete(rows[0].ref);
  expect((await predict(key, large)).body).toMatchObject({ code: 'BACKEND_FAILURE', field: 'Idempotency-Key' });
});

it('bytes of large answers are counted exactly; one that has no room costs nothing and leaves no object', async () => {
  const size = (await predict(randomUUID(), large)).text.length;
  await limit({ storedAnswerBytes: BigInt(3 * size - 1) });
  const before = (await objects()).length;
  const replies = await Promise.all(Array.from({ length: 6 }, () => predict(randomUUID(), large)));
  const stored = replies.filter(({ status }) => status === 200).length;
  expect(stored).toBeLessThanOrEqual(1);
  expect(replies.filter(({ status }) => status === 413)).toHaveLength(6 - stored);
  expect(await objects()).toHaveLength(before + stored);
  expect((await used())[1]).toBe((1 + stored) * size);
  const { rows } = await pool().query(
    `SELECT windows::integer FROM spending_days WHERE account_id = $1 AND kind = 'task_models.predict'`,
    [account.accountId],
  );
  expect(rows[0].windows).toBe(12 * (1 + stored));
  expect((await pool().query(`SELECT FROM idempotency_keys WHERE state = 'running'`)).rowCount).toBe(0);
});

it('a request that fails after its answer was written leaves no object', async () => {
  const slow = api.second({
    threads: predictingBy(api.deps.threads, async () => {
      await send(api.app, account.key, 'DELETE', `${path}/${id}`);
      return { data, warnings: [] } as never;
    }),
  });
  const before = (await objects()).length;
  expect((await predict(randomUUID(), slow)).body.code).toBe('CLASSIFIER_NOT_FOUND');
  expect(await objects()).toHaveLength(before);
});

it('the daily step removes only objects that a dead process left', async () => {
  const key = randomUUID();
  const first = await predict(key, large);
  await api.deps.objects.put(`answers/${id}/left`, new Uint8Array([1]));
  await run(createTidyObjects as typeof createSweep, Date.now() + 2 * 3_600_000);
  expect((await objects()).filter(({ name }) => name.endsWith('/left'))).toEqual([]);
  expect((await predict(key, large)).text).toBe(first.text);
});

it('closing the account removes its answers and their objects', async () => {
  await predict(randomUUID(), large);
  const own = async () => (await objects()).filter(({ name }) => name.includes(id)).length;
  expect(await own()).toBe(1);
  await markClosed(pool(), account.accountId, new Date());
  await reapClosedAccounts(pool(), new Date());
  await run(createSweep, Date.now());
  expect(await own()).toBe(0);
  const { rowCount } = await pool().query('SELECT FROM stored_answer_days WHERE account_id = $1', [account.accountId]);
  expect(rowCount).toBe(0);
});

it('the counts of stored answers agree with the rows, and a check finds one that does not', async () => {
  await predict();
  const before = (await checkLedger(pool())).problems.filter(({ row }) => row.includes(account.accountId));
  expect(before).toEqual([]);
  await pool().query('UPDATE stored_answer_days SET bytes = bytes - 1 WHERE account_id = $1', [account.accountId]);
  const { problems } = await checkLedger(pool());
  expect(problems.filter(({ row }) => row.includes(account.accountId))).toEqual([
    expect.objectContaining({ invariant: 'the stored answers of a day are those that were counted' }),
  ]);
});
