import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../api/routes/routes.ts';
import { routeName } from '../../api/account/routes/requests.ts';
import { recordUsage, type UsageEvent } from '../../infra/records/admission/usage.ts';
import { reapRequestLog } from '../../infra/records/admission/request-log.ts';
import { revokeKey } from '../../infra/records/accounts/keys.ts';
import { newKey, send, startTestApi, type TestApi } from '../support/api.ts';
import { createBody } from '../support/requests.ts';
import { signedInAccount, type SignedIn } from '../support/two-accounts.ts';

let api: TestApi;
let ann: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  ann = await signedInAccount(api, 'ann');
  bob = await signedInAccount(api, 'bob');
});
afterAll(() => api.close());

const rows = async ({ browser }: SignedIn, query = ''): Promise<Record<string, unknown>[]> =>
  (await browser.get(`/requests${query}`)).body.data;

it('each request is a row with its route, code, cost and id, and no body', async () => {
  const ask = (method: string, url: string, body?: unknown) => send(api.app, ann.key, method, url, body);
  const replies = [
    await ask('POST', '/v1/task-models', createBody({ dry_run: true, description: 'secret words of ann' })),
    await ask('GET', `/v1/task-models/clf_${'0'.repeat(32)}`),
    await ask('POST', '/v1/task-models', { description: 'secret words of ann' }),
  ];
  const own = await rows(ann);
  expect(own.map(({ request_id: id }) => id)).toEqual(
    replies.map(({ headers }) => headers['x-request-id']).toReversed(),
  );
  const common = { key_id: ann.keyId, key_name: 'key of ann', mode: 'live', windows: 0, usd: '0.00' };
  expect(own).toMatchObject([
    { ...common, route: 'POST /v1/task-models', endpoint: 'task_models.create', status: 422, code: 'INVALID_REQUEST' },
    { ...common, route: 'GET /v1/task-models/{model_id}', status: 404, code: 'CLASSIFIER_NOT_FOUND' },
    { ...common, route: 'POST /v1/task-models', endpoint: 'task_models.estimate', status: 200, code: 'ok' },
  ]);
  expect(JSON.stringify(own)).not.toContain('secret words');
});

it('requests of the account pages are in the log, too', async () => {
  await bob.browser.get('/v1/task-models', { 'x-key-mode': 'test' });
  expect((await rows(bob))[0]).toMatchObject({ key_id: 'dashboard', key_name: null, mode: 'test', code: 'ok' });
});

it('every endpoint of the interface has a route', () => {
  for (const { endpoint, method, path } of operations)
    if (endpoint !== undefined) expect(routeName(endpoint)).toBe(`${method.toUpperCase()} ${path}`);
  expect(routeName('task_models.estimate_again')).toBe('POST /v1/task-models');
});

const event = ({ accountId, keyId }: SignedIn, change: Partial<UsageEvent>): UsageEvent => ({
  accountId,
  keyId,
  mode: 'live',
  endpoint: 'task_models.list',
  status: 200,
  code: 'ok',
  windows: 0,
  microUsd: 0n,
  requestId: 'r',
  at: new Date(),
  ...change,
});

it('is filtered by code, by refusal, and paged without a gap, rows of one instant included', async () => {
  const { pool } = api.database;
  const carl = await signedInAccount(api, 'carl');
  for (let n = 0; n < 12; n += 1)
    await recordUsage(
      pool,
      event(carl, {
        requestId: `r${n}`,
        at: new Date(Date.now() - 60_000 * Math.floor(n / 4)),
        ...(n % 3 === 0 ? { status: 422, code: 'INVALID_REQUEST' } : {}),
        ...(n === 7 ? { status: 403, code: 'SCOPE_MISSING' } : {}),
      }),
    );
  expect((await rows(carl, '?code=SCOPE_MISSING')).map(({ request_id: id }) => id)).toEqual(['r7']);
  expect(
    (await rows(carl, '?code=refused')).map(({ code }) => String(code)).toSorted((a, b) => a.localeCompare(b)),
  ).toEqual([...Array<string>(4).fill('INVALID_REQUEST'), 'SCOPE_MISSING']);
  expect(await rows(carl, '?code=ok')).toHaveLength(7);
  for (const filter of ['', '&code=refused', '&code=INVALID_REQUEST', '&code=ok']) {
    const whole = await rows(carl, `?limit=200${filter}`);
    const found: unknown[] = [];
    for (let before = ''; ;) {
      const { body } = await carl.browser.get(`/requests?limit=2${filter}${before}`);
      found.push(...body.data);
      if (body.next_before === null) break;
      before = `&before=${encodeURIComponent(body.next_before)}`;
    }
    expect(found).toEqual(whole);
  }
  for (const [query, field] of [
    ['code=TEAPOT', 'code'],
    ['before=tomorrow', 'before'],
    ['limit=1000', 'limit'],
  ])
    expect((await carl.browser.get(`/requests?${query}`)).body).toMatchObject({ code: 'INVALID_REQUEST', field });
});

it('a flood of refusals leaves few rows and exact counters', async () => {
  const dora = await signedInAccount(api, 'dora');
  const { keyId, key } = await newKey(api.database, dora.accountId);
  await revokeKey(api.database.pool, keyId, new Date());
  const started = Date.now();
  const sent = 60;
  const replies = await Promise.all(Array.from({ length: sent }, () => send(api.app, key, 'GET', '/v1/task-models')));
  const seconds = (Date.now() - started) / 1000;
  expect(new Set(replies.map(({ body }) => body.code))).toEqual(new Set(['KEY_REVOKED']));
  const { rows: counted } = await api.database.admin.query(
    'SELECT sum(requests)::int AS n FROM usage_days WHERE account_id = $1',
    [dora.accountId],
  );
  expect(counted).toEqual([{ n: sent }]);
  const logged = await rows(dora);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.length).toBeLessThanOrEqual(3 * (1 + Math.ceil(seconds)));
});

it('rows older than 30 days are removed, and no others', async () => {
  const { pool } = api.database;
  const now = new Date();
  const ago = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
  const eve = await signedInAccount(api, 'eve');
  for (const days of [0, 29, 31, 45]) await recordUsage(pool, event(eve, { at: ago(days), requestId: `d${days}` }));
  expect(await reapRequestLog(pool, now)).toBe(2);
  expect((await rows(eve)).map(({ request_id: id }) => id)).toEqual(['d0', 'd29']);
});

it('an account sees nothing of the other one', async () => {
  const theirs = (await bob.browser.get('/requests')).text;
  expect(theirs).not.toContain(ann.keyId);
  expect(theirs).not.toContain('ann');
});
