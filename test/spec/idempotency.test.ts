import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorObject } from '../../api/contract/responses.ts';
import { credit, balance, checkLedger } from '../../infra/records/ledger/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { createFrailApp, createSteadyJobs, type Fault } from '../support/frail-api.ts';
import { base64, createBody, nested } from '../support/requests.ts';

let api: TestApi;
let account: TestAccount;
let predictUrl: string;
const path = '/v1/task-models';
const small = { x: base64(nested()), shape: [12, 3, 80] };
const { description: _description, labels: _labels, ...signal } = createBody(small);

beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database, {
    limits: { rps: 100_000, burst: 1_000_000, concurrency: 10_000, dailyEstimates: 1_000_000 },
  });
  await transaction(api.database.pool, (sql) =>
    credit(sql, { accountId: account.accountId, amount: 100_000_000_000n, source: 'operator', at: new Date() }),
  );
  predictUrl = `${path}/${(await post(path, createBody(small))).body.id}/predictions`;
});
afterAll(() => api.close());

const post = (url: string, body?: unknown, key?: string, app = api.app): Promise<Reply> =>
  send(app, account.key, 'POST', url, body, key === undefined ? {} : { 'idempotency-key': key });
const spent = async () => (await balance(api.database.pool, account.accountId)).available;

describe('an Idempotency-Key', () => {
  it.each([
    ['a create', () => path, createBody(small)],
    ['an estimate', () => path, createBody({ ...small, dry_run: true })],
    ['a deferred create', () => path, createBody({ ...small, defer_fit: true })],
    ['a prediction', () => predictUrl, signal],
  ])('makes %s answer once and bill once, byte for byte', async (_name, url, body) => {
    const key = randomUUID();
    const first = await post(url(), body, key);
    expect(first.status, first.text).toBeLessThan(300);
    const after = await spent();
    const again = await post(url(), body, key);
    expect([again.status, again.text, again.headers['idempotent-replayed'], again.headers.location]).toEqual([
      first.status,
      first.text,
      'true',
      first.headers.location,
    ]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(await spent()).toBe(after);
  });

  it('covers /trials and /fit, whose replay survives the model being active', async () => {
    const { id } = (await post(path, createBody({ ...small, defer_fit: true }))).body;
    const batchKey = randomUUID();
    const batch = { ...signal, labels: createBody().labels };
    const one = await post(`${path}/${id}/trials`, batch, batchKey);
    expect((await post(`${path}/${id}/trials`, batch, batchKey)).text).toBe(one.text);
    const fitKey = randomUUID();
    const fit = await post(`${path}/${id}/fit`, undefined, fitKey);
    expect(fit.status, fit.text).toBe(200);
    const again = await post(`${path}/${id}/fit`, {}, fitKey);
    expect([again.status, again.text]).toEqual([200, fit.text]);
    expect((await post(`${path}/${id}/trials`, batch, batchKey)).headers['idempotent-replayed']).toBe('true');
  });

  it('with another body, or on another route, is 422 IDEMPOTENCY_KEY_REUSED; a fresh key is the fix', async () => {
    const key = randomUUID();
    await post(predictUrl, signal, key);
    for (const [url, body] of [
      [predictUrl, { ...signal, align: 'batch' }],
      [path, createBody(small)],
    ] as const) {
      const reply = await post(url, body, key);
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([
        422,
        'IDEMPOTENCY_KEY_REUSED',
        'Idempotency-Key',
      ]);
      expect((await post(url, body, reply.body.alternatives[0])).status).toBeLessThan(300);
    }
  });

  it('of a running request is 409 CONFLICT with progress and Retry-After', async () => {
    const key = randomUUID();
    const run = createSteadyJobs(api.database.pool, () => 300);
    const { app } = createFrailApp(api.deps, run, 'none');
    const running = post(path, createBody(small), key, app);
    let reply: Reply;
    do {
      await new Promise((resolve) => setTimeout(resolve, 30));
      reply = await post(path, createBody(small), key);
    } while (reply.status === 409 && reply.body.details.progress === null);
    expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
    expect(reply.body.details.progress).toMatchObject({ candidates_scored: 0, candidates: [] });
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    errorObject.parse(reply.body);
    expect((await running).status).toBe(201);
    await app.close();
  });

  it('stores nothing for a validation error, a refusal or a missing balance', async () => {
    const key = randomUUID();
    expect((await post(path, createBody({ ...small, units: 'unknown' }), key)).status).toBe(422);
    expect((await post(path, createBody({ ...small, description: 'emotion' }), key)).body.code).toBe(
      'TASK_UNSUPPORTED',
    );
    await api.database.pool.query(`UPDATE accounts SET daily_windows = 0 WHERE id = $1`, [account.accountId]);
    expect((await post(predictUrl, signal, key)).body.code).toBe('USAGE_CAP_EXCEEDED');
    await api.database.pool.query(`UPDATE accounts SET daily_windows = NULL WHERE id = $1`, [account.accountId]);
    expect((await post(predictUrl, { ...signal, channels: ['C3', 'Cz', 'Pz'] }, key)).status).toBe(422);
    const { rows } = await api.database.pool.query('SELECT FROM idempotency_keys WHERE key = $1', [key]);
    expect(rows).toHaveLength(0);
    expect((await post(predictUrl, signal, key)).status).toBe(200);
  });

  it('has 1 to 255 visible characters', async () => {
    for (const bad of ['', 'a b', 'k'.repeat(256), 'ключ']) {
      const reply = await post(predictUrl, signal, bad).catch(() => null);
      if (reply) expect([reply.status, reply.body.field]).toEqual([422, 'Idempotency-Key']);
    }
  });

  it('replays an answer whose request has since become invalid', async () => {
    const key = randomUUID();
    const body = createBody({ ...small, defer_fit: true, expires_at: new Date(Date.now() + 1_500).toISOString() });
    const first = await post(path, body, key);
    expect(first.status, first.text).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect((await post(path, body, key)).text).toBe(first.text);
    expect((await post(path, body, randomUUID())).body.field).toBe('expires_at');
  });
});

type Kind = 'create' | 'collect' | 'predict';
interface Attempt {
  readonly wait: number;
  readonly fault: Fault;
  readonly hangsUpAfter: number | null;
}

const faults: readonly Fault[] = [
  'none',
  'none',
  'dies before the job',
  'dies during the job',
  'dies after the job',
  'the job fails',
];
const attempt: fc.Arbitrary<Attempt> = fc.record({
  wait: fc.integer({ min: 0, max: 12 }),
  fault: fc.constantFrom(...faults),
  hangsUpAfter: fc.option(fc.integer({ min: 1, max: 15 }), { freq: 5 }),
});
const schedule = fc.record({
  kind: fc.constantFrom<Kind>('create', 'create', 'collect', 'predict'),
  attempts: fc.array(attempt, { minLength: 1, maxLength: 4 }),
  jobTakes: fc.integer({ min: 0, max: 10 }),
});

/** The locks of processes that died expire; here at once. */
const passTime = (key: string) =>
  api.database.pool.query(`UPDATE idempotency_keys SET locked_until = now() WHERE key = $1 AND state = 'running'`, [
    key,
  ]);

async function runSchedule({
  kind,
  attempts,
  jobTakes,
}: {
  kind: Kind;
  attempts: readonly Attempt[];
  jobTakes: number;
}): Promise<void> {
  const key = randomUUID();
  const run = createSteadyJobs(api.database.pool, () => jobTakes);
  const body = kind === 'predict' ? signal : createBody({ ...small, name: key, defer_fit: kind === 'collect' });
  const url = kind === 'predict' ? predictUrl : path;
  const before = await spent();
  const replies = await Promise.all(
    attempts.map(async ({ wait, fault, hangsUpAfter }) => {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const frail = createFrailApp(api.deps, run, fault);
      if (hangsUpAfter !== null) setTimeout(frail.die, hangsUpAfter);
      return post(url, body, key, frail.app);
    }),
  );
  for (let i = 0; i < 60; i++) {
    const last = await post(url, body, key, createFrailApp(api.deps, run, 'none').app);
    replies.push(last);
    if (last.status < 300) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
    await passTime(key);
  }
  const good = replies.filter(({ status }) => status < 300);
  expect(good.length).toBeGreaterThan(0);
  expect(new Set(good.map(({ text }) => text)).size).toBe(1);
  for (const { status } of replies) expect([200, 201, 409, 500, 502]).toContain(status);
  expect(before - (await spent())).toBe(kind === 'create' ? 2_000_000n : 36_000n);
  if (kind === 'predict') return;
  const { rows } = await api.database.pool.query(`SELECT status FROM task_models WHERE name = $1`, [key]);
  expect(rows).toEqual([{ status: kind === 'create' ? 'active' : 'collecting' }]);
}

describe('1,000 random schedules of duplicate, concurrent and interrupted requests with one key', () => {
  it('end with one charge, one model and equal answers', { timeout: 600_000 }, async () => {
    await fc.assert(fc.asyncProperty(schedule, runSchedule), { numRuns: 1_000, endOnFailure: true });
    const { rows } = await api.database.pool.query(`SELECT FROM holds WHERE state = 'open'`);
    expect(rows).toHaveLength(0);
    expect(await checkLedger(api.database.pool)).toMatchObject({ ok: true });
  });
});
