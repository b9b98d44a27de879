import { connect, type AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../infra/drivers/objects/bytes.ts';
import { packError, unpackError } from '../../infra/drivers/threads/messages.ts';
import { errorTable, type ErrorCode, ApiError } from '../../infra/contract/errors.ts';
import { errorObject } from '../../api/contract/responses.ts';
import { setLimits, suspend } from '../../infra/records/accounts/accounts.ts';
import { revokeKey } from '../../infra/records/accounts/keys.ts';
import { setServing } from '../../infra/records/admission/serving.ts';
import { newAccount, newKey, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { predictingBy } from '../support/predicting-by.ts';
import { badBodies } from '../support/bad-bodies.ts';
import { applyAlternative, createBody, labels } from '../support/requests.ts';

let api: TestApi;
let account: TestAccount;
let predictUrl: string;
let testKey: string;
const path = '/v1/task-models';
const { description: _description, labels: _labels, ...signal } = createBody();
const failing = (error: Error) => ({
  runFit: () => Promise.reject(error),
  stopFit: async () => undefined,
  startCollecting: async () => undefined,
  refresh: async () => undefined,
});
const fitFailed = {
  ...failing(new Error('unused')),
  runFit: async ({ requestId }: { requestId: string }) => ({
    status: 422,
    microUsd: 0n,
    body: JSON.stringify({
      type: 'invalid_request_error',
      code: 'CLASSIFIER_FIT_FAILED',
      message: 'No method could be fitted.',
      field: 'x',
      alternatives: [],
      details: { request_id: requestId },
    }),
  }),
};

beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
  testKey = (await newKey(api.database, (await newAccount(api.database)).accountId, { mode: 'test' })).key;
  predictUrl = `${path}/${(await post(path, createBody())).body.id}/predictions`;
});
afterAll(() => api.close());

const post = (
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
  app = api.app,
  key: string | null = account.key,
) => send(app, key, 'POST', url, body, headers);
const freshKey = async (options = {}, limits = {}) => (await newAccount(api.database, { key: options, limits })).key;
const listAs = (key: string | null, app = api.app, headers = {}) => send(app, key, 'GET', path, undefined, headers);

/** How each code of the table is reached over HTTP. */
const ways: Record<ErrorCode, () => Promise<Reply>> = {
  UNAUTHENTICATED: () => listAs(null),
  async KEY_REVOKED() {
    const { key, keyId } = await newAccount(api.database);
    await revokeKey(api.database.pool, keyId, new Date());
    return listAs(key);
  },
  async KEY_EXPIRED() {
    const { key, keyId } = await newAccount(api.database);
    await api.database.pool.query('UPDATE api_keys SET expires_at = now() WHERE key_id = $1', [keyId]);
    return listAs(key);
  },
  async INSUFFICIENT_CREDIT() {
    const key = await freshKey();
    for (let i = 0; i < 2; i++) await post(path, createBody(), {}, api.app, key);
    return post(path, createBody(), {}, api.app, key);
  },
  BUDGET_EXCEEDED: async () =>
    post(path, createBody(), {}, api.app, await freshKey({}, { dailyCapMicroUsd: 1_000_000n })),
  SCOPE_MISSING: async () => post(path, createBody(), {}, api.app, await freshKey({ scopes: ['usage:read'] })),
  async TENANT_SUSPENDED() {
    const { key, accountId } = await newAccount(api.database);
    await suspend(api.database.pool, accountId, new Date());
    return listAs(key);
  },
  IP_NOT_ALLOWED: async () => listAs(await freshKey({ allowIps: ['192.0.2.0/24'] })),
  CLASSIFIER_NOT_FOUND: () => send(api.app, account.key, 'GET', `${path}/clf_${'f'.repeat(32)}`),
  NOT_FOUND: () => send(api.app, account.key, 'GET', '/v2/task-models'),
  async CONFLICT() {
    const key = randomUUID();
    const {
      rows: [row],
    } = await api.database.pool.query('SELECT account_id FROM api_keys WHERE key_id = $1', [account.keyId]);
    const app = api.second({
      jobs: {
        ...failing(new Error('unused')),
        runFit: () => new Promise((_, reject) => setTimeout(() => reject(new ApiError('BACKEND_FAILURE', 'end')), 400)),
      },
    });
    const running = post(path, createBody(), { 'idempotency-key': key }, app);
    for (let i = 0; i < 100; i++) {
      const { rowCount } = await api.database.pool.query(
        'SELECT FROM idempotency_keys WHERE account_id = $1 AND key = $2',
        [row.account_id, key],
      );
      if (rowCount) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const reply = await post(path, createBody(), { 'idempotency-key': key });
    await running;
    return reply;
  },
  PAYLOAD_TOO_LARGE: () => post(path, createBody(), { 'content-length': String(65 * 1024 * 1024) }),
  INVALID_REQUEST: () => post(path, createBody({ model: 'large' })),
  TOO_FEW_TRIALS: () => post(path, createBody({ labels: labels.map(() => 'one') })),
  CLASSIFIER_FIT_FAILED: async () => post(path, createBody(), {}, api.second({ jobs: fitFailed }), await freshKey()),
  UNITS_REQUIRED: () => post(path, createBody({ units: 'normalized' })),
  async IDEMPOTENCY_KEY_REUSED() {
    const headers = { 'idempotency-key': randomUUID() };
    await post(predictUrl, signal, headers);
    return post(predictUrl, { ...signal, align: 'batch' }, headers);
  },
  TASK_UNSUPPORTED: () => post(path, createBody({ description: 'emotion recognition from EEG' })),
  NO_REFERENCE_DATA: () =>
    post(path, {
      mode: 'zero_shot',
      description: 'left ear or right ear tone',
      channels: ['O1', 'O2'],
      sampling_rate_hz: 250,
      trial_seconds: 4,
    }),
  async RATE_LIMITED() {
    const key = await freshKey({}, { burst: 1 });
    await listAs(key);
    return listAs(key);
  },
  async CONCURRENCY_LIMITED() {
    const { key, accountId } = await newAccount(api.database, { limits: { concurrency: 1 } });
    await api.database.pool.query(
      `INSERT INTO request_leases VALUES (gen_random_uuid(), $1, clock_timestamp() + interval '1 minute')`,
      [accountId],
    );
    return listAs(key);
  },
  USAGE_CAP_EXCEEDED: async () =>
    post(path, createBody({ dry_run: true }), {}, api.app, await freshKey({}, { dailyEstimates: 0 })),
  INTERNAL: () =>
    listAs(account.key, api.second({ pool: { query: () => Promise.reject(new Error('boom')) } as never })),
  async BACKEND_FAILURE() {
    const threads = predictingBy(api.deps.threads, () => Promise.reject(new Error('thread died')));
    return post(predictUrl, signal, {}, api.second({ threads }));
  },
  POOL_UNAVAILABLE: async () =>
    post(
      path,
      createBody(),
      {},
      api.second({ jobs: failing(new ApiError('POOL_UNAVAILABLE', 'No worker has taken the job.')) }),
      await freshKey(),
    ),
  POOL_SATURATED: () => post(path, createBody(), {}, api.second({ queueLimit: 0 })),
  async SERVING_DISABLED() {
    await setServing(api.database.pool, { serving: false });
    try {
      return await listAs(account.key);
    } finally {
      await setServing(api.database.pool, { serving: true });
    }
  },
  BILLING_UNAVAILABLE: () =>
    listAs(
      account.key,
      api.second({
        pool: { query: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) } as never,
      }),
    ),
};

describe('every code of the error table', () => {
  it('has the 28 codes of the spec', () => {
    expect(Object.keys(errorTable)).toHaveLength(28);
  });

  it.each(Object.entries(ways) as [ErrorCode, () => Promise<Reply>][])(
    '%s is reached, with its status and type',
    async (code, way) => {
      const reply = await way();
      const error = errorObject.parse(reply.body);
      expect([error.code, reply.status, error.type], reply.text).toEqual([
        code,
        errorTable[code].status,
        errorTable[code].type,
      ]);
      expect(error.details.request_id).toBe(reply.headers['x-request-id']);
      if (errorTable[code].retryAfter) expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      if (code === 'INVALID_REQUEST') expect(error.details.errors!.length).toBeGreaterThan(0);
    },
  );

  it('is POOL_UNAVAILABLE for a prediction while the model store is unreachable', async () => {
    const away = new StoreUnavailable('unreachable', 'The bucket cannot be reached.');
    const threads = predictingBy(api.deps.threads, () => Promise.reject(unpackError(packError(away))));
    const reply = await post(predictUrl, signal, {}, api.second({ threads }));
    expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'POOL_UNAVAILABLE', '5']);
  });

  it('is answered to a create whose fit or backend failed, which leaves only its usage record', async () => {
    const { rows } = await api.database.pool.query(`SELECT code FROM usage_days WHERE status >= 400 GROUP BY code`);
    const recorded = new Set(rows.map(({ code }) => code));
    const unrecorded = Object.keys(errorTable).filter((code) => !recorded.has(code));
    expect(unrecorded.sort()).toEqual(['BILLING_UNAVAILABLE', 'INTERNAL', 'NOT_FOUND', 'UNAUTHENTICATED']);
  });
});

describe('bad bodies over HTTP', () => {
  it.each(badBodies)('$name → $code at $field', async ({ body, code, field }) => {
    const reply = await post(path, typeof body === 'string' ? Buffer.from(body) : body);
    expect([reply.body.code, reply.body.field], reply.text).toEqual([code, field]);
    expect(reply.status).toBe(errorTable[code].status);
    expect(reply.headers['x-ratelimit-limit-requests']).toBeDefined();
    errorObject.parse(reply.body);
  });

  /** The answer to a body after the first alternative of each answer was applied, as long as one is offered. */
  const repaired = async (body: unknown): Promise<Reply> => {
    let fixed: Record<string, unknown> = { ...(JSON.parse(JSON.stringify(body)) as object), dry_run: true };
    for (let round = 0; ; round++) {
      const reply = await post(path, fixed, {}, api.app, testKey);
      const [first] = reply.body.details?.errors ?? [];
      const [alternative] = reply.body.alternatives?.length ? reply.body.alternatives : (first?.alternatives ?? []);
      if (reply.status < 300 || alternative === undefined || round === 4) return reply;
      const next = applyAlternative(fixed, reply.body.field, alternative);
      expect(next, reply.text).not.toEqual(fixed);
      fixed = next;
    }
  };
  const objects = badBodies.filter(({ body }) => typeof body === 'object' && !Array.isArray(body));
  it.each(objects.filter(({ fix }) => fix !== undefined))(
    '$name: applying alternatives[0] literally makes the request succeed',
    async ({ body }) => {
      const reply = await repaired(body);
      expect(reply.status, reply.text).toBe(200);
    },
  );
  it.each(objects.filter(({ fix }) => fix === undefined))(
    '$name: no alternative is offered that would not help',
    async ({ body }) => {
      const reply = await repaired(body);
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(413);
      expect(reply.body.alternatives).toEqual([]);
    },
  );

  it.each([
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 'Content-Type'],
    ['text', 'hello', { 'content-type': 'text/plain' }, 'Content-Type'],
    ['an unreadable type', '{}', { 'content-type': ';;' }, 'Content-Type'],
    ['compressed JSON', '{}', { 'content-encoding': 'gzip' }, 'Content-Encoding'],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), {}, 'body'],
  ])('%s is refused, never a 500', async (_name, body, headers, field) => {
    const reply = await post(path, body, headers as unknown as Record<string, string>);
    expect([reply.status, reply.body.code, reply.body.field], reply.text).toEqual([422, 'INVALID_REQUEST', field]);
  });

  it('a body over 64 MiB without a Content-Length is cut off with 413', async () => {
    const address = await api.app.listen({ port: 0 });
    const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 66) controller.enqueue(megabyte);
        else controller.close();
      },
    });
    const reply = await fetch(`${address}${path}`, {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
    } as RequestInit);
    expect(reply.status).toBe(413);
    expect(((await reply.json()) as { code: string }).code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('input that is not HTTP is answered with the error object', async () => {
    const { port } = api.app.server.address() as AddressInfo;
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(port, '127.0.0.1', () => socket.write('BANANA\r\n\r\n'));
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('close', () => resolve(received));
    });
    expect(text).toMatch(/^HTTP\/1\.1 422 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1]).code).toBe('INVALID_REQUEST');
  });
});

it('limits set on one account do not leak into another', async () => {
  await setLimits(api.database.pool, account.accountId, { rps: 999 });
  expect(
    (await listAs((await newKey(api.database, account.accountId)).key)).headers['x-ratelimit-limit-requests'],
  ).toBe('9990');
  expect((await listAs(await freshKey())).headers['x-ratelimit-limit-requests']).toBe('10000');
});
