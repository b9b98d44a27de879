import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { serviceStatus } from '../../api/contract/service-responses.ts';
import { limits } from '../../infra/contract/limits.ts';
import { silentLog } from '../../infra/observe/log.ts';
import { revokeKey } from '../../infra/records/accounts/keys.ts';
import { resume, suspend } from '../../infra/records/accounts/accounts.ts';
import { setServing } from '../../infra/records/admission/serving.ts';
import { statusOfWeights } from '../../infra/weights/weights-status.ts';
import { newAccount, newKey, send, startTestApi, type TestApi } from '../support/api.ts';
import { modelMissing, modelsFolder } from '../support/published-models.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ leaseSeconds: 1 });
});
afterAll(() => api.close());

const list = (key: string | null, app = api.app, headers: Record<string, string> = {}) =>
  send(app, key, 'GET', '/v1/task-models', undefined, headers);

describe('authentication', () => {
  it('refuses a request without a key, with a malformed and with an unknown key', async () => {
    const { key } = await newAccount(api.database);
    const flipped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    for (const bad of [null, 'nonsense', flipped]) {
      const reply = await list(bad);
      expect([reply.status, reply.body.code, reply.body.type]).toEqual([
        401,
        'UNAUTHENTICATED',
        'authentication_error',
      ]);
      expect(reply.body.details.request_id).toBe(reply.headers['x-request-id']);
    }
    await api.database.admin.query('DELETE FROM api_keys WHERE key_id = $1', [key.split('_')[2]]);
    const unknown = await list(key);
    expect([unknown.status, unknown.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(unknown.headers['x-ratelimit-limit-requests']).toBeUndefined();
  });

  it('does not query the database for a key with a wrong checksum', async () => {
    const { key } = await newAccount(api.database);
    const app = api.second({ pool: { query: () => Promise.reject(new Error('asked')) } as never });
    const reply = await list(`${key.slice(0, -3)}xyz`, app);
    expect(reply.body.code).toBe('UNAUTHENTICATED');
  });

  it('refuses a wrong secret for a known key id', async () => {
    const one = await newAccount(api.database);
    const two = await newKey(api.database, one.accountId);
    await api.database.admin.query(
      'UPDATE api_keys SET secret_hash = (SELECT secret_hash FROM api_keys WHERE key_id = $2) WHERE key_id = $1',
      [one.keyId, two.keyId],
    );
    expect((await list(one.key)).body.code).toBe('UNAUTHENTICATED');
    expect((await list(two.key)).status).toBe(200);
  });

  it('refuses a revoked key on the next request, in both API processes', async () => {
    const { key, keyId } = await newAccount(api.database);
    const other = api.second();
    expect([(await list(key)).status, (await list(key, other)).status]).toEqual([200, 200]);
    await revokeKey(api.database.pool, keyId, new Date());
    for (const app of [api.app, other]) expect((await list(key, app)).body.code).toBe('KEY_REVOKED');
  });

  it('refuses an expired key and a paused account', async () => {
    const account = await newAccount(api.database);
    await api.database.pool.query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE key_id = $1`, [
      account.keyId,
    ]);
    expect((await list(account.key)).body.code).toBe('KEY_EXPIRED');
    const { key } = await newKey(api.database, account.accountId);
    await suspend(api.database.pool, account.accountId, new Date());
    const paused = await list(key);
    expect([paused.status, paused.body.code]).toEqual([403, 'TENANT_SUSPENDED']);
    await resume(api.database.pool, account.accountId);
    expect((await list(key)).status).toBe(200);
  });

  it('lets the owner of a paused account delete models, and nothing else', async () => {
    const { key, accountId } = await newAccount(api.database);
    const { id } = (await send(api.app, key, 'POST', '/v1/task-models', createBody({ defer_fit: true }))).body;
    await suspend(api.database.pool, accountId, new Date());
    const of = async (method: string, url = `/v1/task-models/${id}`) => await send(api.app, key, method, url);
    expect((await of('GET')).body.code).toBe('TENANT_SUSPENDED');
    expect((await of('PATCH')).body.code).toBe('TENANT_SUSPENDED');
    expect((await of('POST', `/v1/task-models/${id}/fit`)).body.code).toBe('TENANT_SUSPENDED');
    const reply = await of('DELETE');
    expect([reply.status, reply.body.status]).toEqual([200, 'deleted']);
    expect((await of('DELETE')).status).toBe(200);
  });

  it('names the permission that is missing', async () => {
    const { accountId } = await newAccount(api.database);
    const { key } = await newKey(api.database, accountId, { scopes: ['models:read'] });
    const reply = await send(api.app, key, 'GET', '/v1/usage');
    expect([reply.status, reply.body.code]).toEqual([403, 'SCOPE_MISSING']);
    expect(reply.body.message).toContain('usage:read');
    expect(reply.body.message).toContain('models:read');
    expect(reply.headers['x-ratelimit-limit-requests']).toBe('10000');
    expect((await list(key)).status).toBe(200);
    expect((await send(api.app, key, 'DELETE', `/v1/task-models/clf_${'0'.repeat(32)}`)).body.code).toBe(
      'SCOPE_MISSING',
    );
  });
});

describe('the IP allow-list', () => {
  it('contains IPv4 and IPv6 ranges, and trusts only known proxies', async () => {
    const { accountId } = await newAccount(api.database);
    const { key } = await newKey(api.database, accountId, { allowIps: ['192.0.2.0/24', '2001:db8::/32'] });
    const behind = api.second({ trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] });
    const refused = await list(key, api.app, { 'x-forwarded-for': '192.0.2.7' });
    expect([refused.status, refused.body.code]).toEqual([403, 'IP_NOT_ALLOWED']);
    expect(refused.body.message).toContain('127.0.0.1');
    const from = async (forwarded: string) => (await list(key, behind, { 'x-forwarded-for': forwarded })).status;
    expect(await from('192.0.2.7')).toBe(200);
    expect(await from('2001:db8::5')).toBe(200);
    expect(await from('::ffff:192.0.2.9, 10.1.2.3')).toBe(200);
    expect(await from('192.0.2.7, 203.0.113.5')).toBe(403);
    expect(await from('2001:db9::5')).toBe(403);
    expect(await from('nonsense')).toBe(403);
  });
});

describe('the limits of an account', () => {
  it('are exact over two API processes and two keys: 10 × the limit at once admits the limit', async () => {
    const account = await newAccount(api.database, { limits: { rps: 2, burst: 1_000, concurrency: 1_000 } });
    const second = await newKey(api.database, account.accountId);
    const other = api.second();
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) => list(i % 3 ? account.key : second.key, i % 2 ? api.app : other)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['RATE_LIMITED']));
    for (const { headers } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headers['x-ratelimit-remaining-requests']).toBe('0');
    }
    expect(new Set(replies.map(({ headers }) => headers['x-ratelimit-limit-requests']))).toEqual(new Set(['20']));
    expect(replies[0].headers['x-ratelimit-reset-requests']).toMatch(/^\d+s$/);
  });

  it('count requests in windows of the length that the texts name', async () => {
    const { key, accountId } = await newAccount(api.database);
    const seconds = limits.rateWindowSeconds;
    const fillWindow = (begunBefore: number) =>
      api.database.admin.query(
        `UPDATE rate_windows SET window_count = 1000000, window_start = clock_timestamp() - make_interval(secs => $2)
         WHERE account_id = $1`,
        [accountId, begunBefore],
      );
    expect((await list(key)).headers['x-ratelimit-reset-requests']).toBe(`${seconds}s`);
    await fillWindow(seconds / 2);
    const refused = await list(key);
    expect([refused.body.code, refused.headers['retry-after']]).toEqual(['RATE_LIMITED', String(seconds / 2)]);
    await fillWindow(seconds);
    const admitted = await list(key);
    expect([admitted.status, admitted.headers['x-ratelimit-reset-requests']]).toEqual([200, `${seconds}s`]);
  });

  it('refuse a burst within one second, and admit again in the next one', async () => {
    const { key } = await newAccount(api.database, { limits: { rps: 100, burst: 5, concurrency: 100 } });
    const replies = await Promise.all(Array.from({ length: 50 }, () => list(key)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused.body.message).toContain('burst of 5');
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect((await list(key)).status).toBe(200);
  });

  it('count running requests, and a leaked lease expires by itself', async () => {
    const { key, accountId } = await newAccount(api.database, { limits: { rps: 100, burst: 100, concurrency: 1 } });
    await api.database.pool.query(
      `INSERT INTO request_leases VALUES (gen_random_uuid(), $1, clock_timestamp() + interval '1 second')`,
      [accountId],
    );
    const refused = await list(key);
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      429,
      'CONCURRENCY_LIMITED',
      '1',
    ]);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect([(await list(key)).status, (await list(key)).status]).toEqual([200, 200]);
    const { rows } = await api.database.pool.query('SELECT FROM request_leases WHERE account_id = $1', [accountId]);
    expect(rows).toHaveLength(0);
  });
});

describe('the serving switch', () => {
  it('answers 503 with Retry-After while the service is paused; health and status still answer', async () => {
    const { key } = await newAccount(api.database);
    await setServing(api.database.pool, { serving: false, retryAfterSeconds: 120 });
    try {
      const reply = await list(key);
      expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'SERVING_DISABLED', '120']);
      expect((await send(api.app, null, 'GET', '/healthz')).status).toBe(200);
      expect((await send(api.app, null, 'GET', '/v1/status')).body).toMatchObject({ object: 'status', serving: false });
    } finally {
      await setServing(api.database.pool, { serving: true });
    }
    expect((await list(key)).status).toBe(200);
  });
});

describe('GET /v1/status', () => {
  const statusWith = async (folder: string) => {
    const config = { modelStoreUrl: pathToFileURL(folder).href, modelsEnabled: null, cacheDir: folder };
    const models = await statusOfWeights(config, silentLog);
    const { body } = await send(api.second({ models: () => models }), null, 'GET', '/v1/status');
    expect(serviceStatus.strict().safeParse(body).error?.issues ?? []).toEqual([]);
    return body.pretrained_models as z.infer<typeof serviceStatus>['pretrained_models'];
  };

  it('says why pretrained models are not tried, without weights, and shows no path', async () => {
    const shown = await statusWith('/nonexistent');
    expect(shown.map(({ id, status }) => [id, status])).toEqual([
      ['movement', 'ready'],
      ['robust-sleep-net', 'not_installed'],
      ['labram-base', 'not_installed'],
      ['dcrnn-tusz', 'off'],
      ['neurorvq-eeg', 'forbidden'],
    ]);
    expect(shown[0]).toMatchObject({ reason: null, card: '/docs/movement-network' });
    expect(shown[1]).toMatchObject({ reason: 'weights not installed' });
    expect(JSON.stringify(shown)).not.toContain('/nonexistent');
  });

  it.skipIf(modelMissing('robust-sleep-net'))('says which models are tried, with weights', async () => {
    const [, sleep] = await statusWith(modelsFolder);
    expect(sleep).toMatchObject({ id: 'robust-sleep-net', status: 'ready', reason: null });
  });
});

describe('GET /v1/usage', () => {
  it('counts refused requests and shows the limits as decimal strings', async () => {
    const { key, accountId } = await newAccount(api.database, { limits: { rps: 7, burst: 9, concurrency: 3 } });
    await send(api.app, key, 'GET', '/v1/task-models?limit=0');
    const { body } = await send(api.app, key, 'GET', '/v1/usage');
    expect(body.limits).toMatchObject({
      rps: '7',
      burst: '9',
      concurrency: '3',
      daily_estimates: '200',
      daily_cap_usd: null,
    });
    expect(body.month).toMatchObject({ usd: '0.00', windows: '0', requests: '1', refused: '1' });
    expect(body.month.refused_by_code).toEqual({ INVALID_REQUEST: '1' });
    expect(body.month).not.toHaveProperty('task_model_create_usd');
    const { rows } = await api.database.pool.query(
      'SELECT endpoint, code, status, requests FROM usage_days WHERE account_id = $1 AND status >= 400',
      [accountId],
    );
    expect(rows).toEqual([{ endpoint: 'task_models.list', code: 'INVALID_REQUEST', status: 422, requests: 1n }]);
  });

  it('counts refusals by code, for every key and endpoint, also before the body is read', async () => {
    const { key, accountId } = await newAccount(api.database);
    const { key: other } = await newKey(api.database, accountId, { scopes: ['usage:read'] });
    const missing = `/v1/task-models/clf_${'0'.repeat(32)}`;
    for (const url of ['/v1/task-models?limit=0', '/v1/task-models?limit=x', missing])
      await send(api.app, key, 'GET', url);
    expect((await list(other)).body.code).toBe('SCOPE_MISSING');
    const { body } = await send(api.app, key, 'GET', '/v1/usage');
    for (const block of [body.today, body.month]) {
      expect(block.refused).toBe('4');
      expect(block.refused_by_code).toEqual({ CLASSIFIER_NOT_FOUND: '1', INVALID_REQUEST: '2', SCOPE_MISSING: '1' });
    }
  });

  it('counts the requests of test keys, and never a charge', async () => {
    const { accountId } = await newAccount(api.database);
    const { key } = await newKey(api.database, accountId, { mode: 'test' });
    await list(key);
    const { body } = await send(api.app, key, 'GET', '/v1/usage');
    expect(body.month).toMatchObject({ usd: '0.00', windows: '0', requests: '1' });
    expect(body.month).not.toHaveProperty('task_model_create_usd');
    expect(body.month).not.toHaveProperty('task_model_hosting_usd');
  });
});

it('one account that sends far too often does not take all connections to the database: others are answered', async () => {
  const [greedy, other] = await Promise.all([newAccount(api.database), newAccount(api.database)]);
  const { key: second } = await newKey(api.database, greedy.accountId);
  const keys = [greedy.key, second];
  for (const key of keys) await list(key);
  const client = await api.database.admin.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM rate_windows WHERE account_id = $1 FOR UPDATE', [greedy.accountId]);
  const flood = Array.from({ length: 40 }, (_, at) => list(keys[at % 2]!));
  try {
    const answered = await Promise.race([list(other.key).then(({ status }) => status), sleep(5_000)]);
    expect(answered).toBe(200);
  } finally {
    await client.query('ROLLBACK');
    client.release();
    await Promise.all(flood);
  }
});

describe('every error', () => {
  it('is the one error object with X-Request-Id, for unknown paths, methods and broken URLs', async () => {
    const { key } = await newAccount(api.database);
    for (const [method, url] of [
      ['GET', '/v1/nothing'],
      ['GET', '/v2'],
      ['PUT', '/v1/task-models'],
      ['POST', '/healthz'],
      ['GET', `/v1/task-models/${'a'.repeat(600)}`],
      ['GET', '/%zz'],
    ]) {
      const reply = await send(api.app, key, method, url);
      expect([url, reply.status, reply.body.code, reply.body.type]).toEqual([url, 404, 'NOT_FOUND', 'not_found_error']);
      expect(reply.body.details.request_id).toBe(reply.headers['x-request-id']);
    }
  });

  it('shows a fault of the service only as INTERNAL, and an unreachable database only as 503', async () => {
    const { key } = await newAccount(api.database);
    const broken = api.second({ pool: { query: () => Promise.reject(new Error('secret detail')) } as never });
    const fault = await list(key, broken);
    expect([fault.status, fault.body.code]).toEqual([500, 'INTERNAL']);
    expect(fault.text).not.toContain('secret detail');
    const away = api.second({
      pool: { query: () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })) } as never,
    });
    const crowded = api.second({
      pool: { query: () => api.database.admin.query('SET LOCAL statement_timeout = 1; SELECT pg_sleep(1)') } as never,
    });
    for (const app of [away, crowded]) {
      const reply = await list(key, app);
      expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'BILLING_UNAVAILABLE', '5']);
    }
  });
});
