import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { quotaNames, quotas, type AccountQuotas } from '../../infra/contract/quotas.ts';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { path, signal, small } from '../support/keyed-api.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
});
afterAll(() => api.close());

const withQuotas = async (given: Partial<AccountQuotas>, mode: 'live' | 'test' = 'test') => {
  const account = await newAccount(api.database, { key: { mode } });
  await setLimits(api.database.pool, account.accountId, given);
  return account;
};
const raise = (account: TestAccount, given: Partial<AccountQuotas>) =>
  setLimits(api.database.pool, account.accountId, given);
const post = (account: TestAccount, url: string, body: unknown, app = api.app): Promise<Reply> =>
  send(app, account.key, 'POST', url, body);
const remove = (account: TestAccount, id: string) => send(api.app, account.key, 'DELETE', `${path}/${id}`);
const create = (account: TestAccount, change: object = {}) => post(account, path, createBody({ ...small, ...change }));
const collect = (account: TestAccount) => create(account, { defer_fit: true });
const used = async (account: TestAccount) =>
  (await send(api.app, account.key, 'GET', '/v1/usage')).body.limits.quotas as Record<string, any>;
const atOnce = (count: number, ask: () => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, ask));
const codes = (replies: readonly Reply[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const name = body.code ?? String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};
const objects = async (prefix: string): Promise<number> => (await api.deps.objects.list(prefix)).length;
const secondsToMidnight = (): number => 86_400 - (Math.floor(Date.now() / 1000) % 86_400);

it('GET /v1/usage has every quota with its use, its limit and when it is free again', async () => {
  const account = await withQuotas({ testModels: null });
  const { body } = await create(account);
  await collect(account);
  const shown = await used(account);
  expect(Object.keys(shown)).toEqual(quotaNames.map((name) => quotas[name].column));
  expect(shown['daily_test_creates']).toMatchObject({ used: '1', limit: '1000', next_expiry_at: null });
  expect(shown['daily_test_creates'].resets_at % 86_400).toBe(0);
  expect(shown['daily_test_windows']).toMatchObject({ used: '12', limit: '2000000' });
  expect(shown['test_models']).toMatchObject({ used: '1', limit: null, resets_at: null });
  const lives = limits.testModelDays * 86_400;
  expect(Math.abs(shown['test_models'].next_expiry_at - body.created - lives)).toBeLessThanOrEqual(1);
  expect(shown['collecting_models']).toMatchObject({ used: '1', limit: '1000' });
  expect(Number(shown['batch_bytes'].used)).toBeGreaterThan(1_000);
  expect(shown['running_fits']).toMatchObject({ used: '0', limit: '100', next_expiry_at: null });
});

describe('the daily allowance of test keys', () => {
  it('limits simultaneous creates, counts failed ones, and does not apply to estimates and live keys', async () => {
    const account = await withQuotas({ dailyTestCreates: 2n });
    const replies = await atOnce(8, () => create(account));
    expect(codes(replies)).toEqual({ 201: 2, USAGE_CAP_EXCEEDED: 6 });
    const { status, headers, body } = replies.find((reply) => reply.status !== 201)!;
    expect(status).toBe(429);
    expect(Math.abs(Number(headers['retry-after']) - secondsToMidnight())).toBeLessThan(30);
    expect(body.message).toContain("2 of the account's 2 creates with test keys a day are used");
    expect(body.details).toMatchObject({ quota: 'daily_test_creates', used: '2', limit: '2' });
    expect((await create(account, { dry_run: true })).status).toBe(200);
    expect((await used(account))['daily_test_creates'].used).toBe('2');
    const { rows } = await api.database.pool.query('SELECT status FROM task_models WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(rows.map((row) => row.status)).toEqual(['active', 'active']);
    expect([await objects('staged/'), await objects('fits/')]).toEqual([0, 0]);
    const live = await withQuotas({ dailyTestCreates: 0n }, 'live');
    expect((await create(live)).status).toBe(201);
  });

  it('counts the create of a deferred fit when it is fitted', async () => {
    const account = await withQuotas({ dailyTestCreates: 1n });
    const { id } = (await collect(account)).body;
    const other = (await collect(account)).body.id;
    expect((await post(account, `${path}/${id}/fit`, undefined)).status).toBe(200);
    const late = await post(account, `${path}/${other}/fit`, undefined);
    expect([late.status, late.body.code]).toEqual([429, 'USAGE_CAP_EXCEEDED']);
    expect((await send(api.app, account.key, 'GET', `${path}/${other}`)).body.status).toBe('collecting');
  });

  it('limits the windows of a hundred simultaneous predictions before anything is computed', async () => {
    const account = await withQuotas({ dailyTestWindows: 20n });
    const url = `${path}/${(await create(account)).body.id}/predictions`;
    const one = { ...signal, x: small.x.slice(0, (3 * 80 * 4 * 4) / 3), shape: [1, 3, 80] };
    const replies = await atOnce(100, () => post(account, url, one));
    expect(codes(replies)).toEqual({ 200: 20, USAGE_CAP_EXCEEDED: 80 });
    const refused = replies.find(({ status }) => status === 429)!;
    expect(Math.abs(Number(refused.headers['retry-after']) - secondsToMidnight())).toBeLessThan(30);
    expect(refused.body.details).toMatchObject({ quota: 'daily_test_windows', limit: '20' });
    expect((await used(account))['daily_test_windows'].used).toBe('20');
    const threads = { ...api.deps.threads, predict: () => Promise.reject(new Error('computed')) };
    const late = await post(account, url, one, api.second({ threads }));
    expect([late.status, late.body.code]).toEqual([429, 'USAGE_CAP_EXCEEDED']);
    expect((await collect(account)).body.code).toBe('USAGE_CAP_EXCEEDED');
    await raise(account, { dailyTestWindows: null });
    expect((await post(account, url, one)).status).toBe(200);
  });
});

describe('collecting models', () => {
  it('do not exceed the quota, also if twenty come at once; deletion makes room at once', async () => {
    const account = await withQuotas({ collectingModels: 3n });
    const before = await objects('features/');
    const replies = await atOnce(20, () => collect(account));
    expect(codes(replies)).toEqual({ 201: 3, PAYLOAD_TOO_LARGE: 17 });
    expect(await objects('features/'), 'of each a head and one part').toBe(before + 6);
    expect((await used(account))['daily_test_windows'].used).toBe('36');
    const made = replies.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
    const refused = await collect(account);
    expect(refused.status).toBe(413);
    expect(refused.body.message).toMatch(
      /^The account keeps 3 collecting models; its limit is 3\. Fit or delete a collecting model; the largest are clf_\w+ \(.* KiB\), .*\. The next one expires \d{4}-/,
    );
    expect(refused.body.details).toMatchObject({ quota: 'collecting_models', used: '3', limit: '3' });
    expect(new Set(refused.body.details.delete)).toEqual(new Set(made));
    expect(refused.body.details.next_expiry_at).toBeGreaterThan(Date.now() / 1000 + 6.9 * 86_400);
    await remove(account, made[0]!);
    expect((await collect(account)).status).toBe(201);
    expect((await post(account, `${path}/${made[1]}/fit`, undefined)).status).toBe(200);
    expect((await collect(account)).status).toBe(201);
  });

  it('have no more bytes of features than the quota; the error names the largest model first', async () => {
    const account = await withQuotas({});
    const [first, second] = [(await collect(account)).body.id, (await collect(account)).body.id];
    const more = { ...signal, labels: createBody().labels };
    expect((await post(account, `${path}/${second}/trials`, more)).status).toBe(200);
    const bytes = BigInt((await used(account))['batch_bytes'].used);
    await raise(account, { batchBytes: bytes + 10n });
    const replies = [await post(account, `${path}/${first}/trials`, more), await collect(account)];
    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [413, 'PAYLOAD_TOO_LARGE'],
      [413, 'PAYLOAD_TOO_LARGE'],
    ]);
    expect(replies[0]!.body.message).toMatch(/^The account keeps .* of features of collecting models; its limit is /);
    expect(replies.map(({ body }) => body.details.delete)).toEqual([[second], [second, first]]);
    expect((await used(account))['batch_bytes'].used).toBe(String(bytes));
    await remove(account, second);
    const both = await atOnce(6, () => post(account, `${path}/${first}/trials`, more));
    expect(codes(both)[200]).toBe(2);
    expect(BigInt((await used(account))['batch_bytes'].used)).toBeLessThanOrEqual(bytes + 10n);
  });
});

describe('fitted models', () => {
  it('of test keys do not exceed the quota; a refused create stages nothing', async () => {
    const account = await withQuotas({ testModels: 2n });
    const replies = await atOnce(6, () => create(account));
    expect(codes(replies)).toEqual({ 201: 2, PAYLOAD_TOO_LARGE: 4 });
    const threads = { ...api.deps.threads, stage: () => Promise.reject(new Error('staged')) };
    const refused = await post(account, path, createBody(small), api.second({ threads }));
    expect([refused.status, refused.body.details.quota]).toEqual([413, 'test_models']);
    const { id } = (await collect(account)).body;
    expect((await post(account, `${path}/${id}/fit`, undefined)).body.details).toMatchObject({ quota: 'test_models' });
    await remove(account, replies.find(({ status }) => status === 201)!.body.id);
    expect((await post(account, `${path}/${id}/fit`, undefined)).status).toBe(200);
  });

  it('of live keys do not exceed it either, and no credit is reserved', async () => {
    const account = await withQuotas({ liveModels: 1n }, 'live');
    expect(codes(await atOnce(3, () => create(account)))).toEqual({ 201: 1, PAYLOAD_TOO_LARGE: 2 });
    const { rows } = await api.database.pool.query('SELECT balance, held FROM wallets WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(rows).toEqual([{ balance: 3_000_000n, held: 0n }]);
  });
});

it('running fits do not exceed the quota: 429 CONCURRENCY_LIMITED with Retry-After', async () => {
  const account = await withQuotas({ runningFits: 1n });
  const { pool } = api.database;
  const { accountId } = account;
  const job = { jobId: 'running', modelId: `clf_${'1'.repeat(32)}`, accountId, mode: 'test' } as FitRequest;
  await enqueueFit(pool, job, new Date());
  const refused = await create(account);
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
    429,
    'CONCURRENCY_LIMITED',
    '15',
  ]);
  await pool.query(`DELETE FROM fit_requests WHERE job_id = 'running'`);
  expect((await create(account)).status).toBe(201);
});

it('the counters agree with what is stored, and a check finds one that does not', async () => {
  const { admin, pool } = api.database;
  expect((await checkLedger(pool)).problems).toEqual([]);
  await admin.query(`UPDATE task_models SET batch_bytes = batch_bytes + 1 WHERE status = 'collecting'`);
  const { problems } = await checkLedger(pool);
  expect(new Set(problems.map(({ invariant }) => invariant))).toEqual(
    new Set(['the bytes of a collecting model are the sum of its batches']),
  );
});
