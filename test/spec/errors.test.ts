import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../infra/drivers/objects/bytes.ts';
import { packError, unpackError } from '../../infra/drivers/threads/messages.ts';
import { errorTable, type ErrorCode } from '../../infra/contract/errors.ts';
import { errorObject } from '../../api/contract/responses.ts';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { newAccount, newKey, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { predictingBy } from '../support/predicting-by.ts';
import { badBodies } from '../support/bad-bodies.ts';
import { applyAlternative, createBody } from '../support/requests.ts';
import { waysToErrors } from '../support/ways-to-errors.ts';

let api: TestApi;
let account: TestAccount;
let predictUrl: string;
let testKey: string;
const path = '/v1/task-models';
const { description: _description, labels: _labels, ...signal } = createBody();

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

describe('every code of the error table', () => {
  it('has the 28 codes of the spec', () => {
    expect(Object.keys(errorTable)).toHaveLength(28);
  });

  it.each(Object.keys(errorTable) as ErrorCode[])('%s is reached, with its status and type', async (code) => {
    const reply = await waysToErrors(api, account, predictUrl)[code]();
    const error = errorObject.parse(reply.body);
    expect([error.code, reply.status, error.type], reply.text).toEqual([
      code,
      errorTable[code].status,
      errorTable[code].type,
    ]);
    expect(error.details.request_id).toBe(reply.headers['x-request-id']);
    if (errorTable[code].retryAfter) expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    if (code === 'INVALID_REQUEST') expect(error.details.errors!.length).toBeGreaterThan(0);
  });

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
      const next = applyAlternative(fixed, alternative);
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
