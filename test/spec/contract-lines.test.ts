import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setServing } from '../../infra/records/admission/serving.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { createTestDesk, type TestDesk } from '../support/reference-desk.ts';
import { createBody } from '../support/requests.ts';

const path = '/v1/task-models';
let api: TestApi;
let desk: TestDesk;
let account: TestAccount;
beforeAll(async () => {
  desk = createTestDesk();
  api = await startTestApi({ reference: desk }, { inProcess: true });
  account = await newAccount(api.database);
});
afterAll(() => api.close());

it.each([
  ['GET', `${path}/`],
  ['GET', `${path}/%zz`],
  ['POST', `${path}//fit`],
  ['GET', '/v1/jobs/'],
  ['DELETE', `${path}/`],
])('%s %s is no endpoint', async (method, url) => {
  const reply = await send(api.app, account.key, method, url);
  expect([reply.status, reply.body?.code], reply.text).toEqual([404, 'NOT_FOUND']);
});

it('an id that is none is a model that does not exist', async () => {
  expect((await send(api.app, account.key, 'GET', `${path}/zz`)).body.code).toBe('CLASSIFIER_NOT_FOUND');
});

it('a pause for maintenance is one line of the log, without a stack', async () => {
  await setServing(api.database.pool, { serving: false });
  const before = api.logged.length;
  try {
    expect((await send(api.app, account.key, 'GET', path)).body.code).toBe('SERVING_DISABLED');
  } finally {
    await setServing(api.database.pool, { serving: true });
  }
  const lines = api.logged.slice(before);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^SERVING_DISABLED in GET \/v1\/task-models/);
  expect(lines[0]).not.toMatch(/\n|at .*\.ts/);
});

it('a key that was used for an estimate says that it stands for the bytes of that body', async () => {
  const key = { 'idempotency-key': randomUUID() };
  expect((await send(api.app, account.key, 'POST', path, createBody({ dry_run: true }), key)).status).toBe(200);
  const create = await send(api.app, account.key, 'POST', path, createBody(), key);
  expect(create.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(create.body.message).toContain('exact bytes');
  expect(create.body.message).toContain('estimate');
});

describe('a zero-shot create whose recordings will not become ready by themselves', () => {
  const body = {
    mode: 'zero_shot',
    description: 'eyes closed versus eyes open at rest',
    channels: ['O1', 'Oz', 'O2'],
    sampling_rate_hz: 250,
    trial_seconds: 4,
  };

  it.each(['required', 'failed'] as const)('(%s) is refused with what the operator must do', async (status) => {
    desk.preparationIs({ status, retryable: false, reason: 'The source cannot be reached from here.' });
    const reply = await send(api.app, account.key, 'POST', path, body, { 'idempotency-key': randomUUID() });
    expect([reply.status, reply.body.code, reply.body.field], reply.text).toEqual([422, 'NO_REFERENCE_DATA', '']);
    expect(reply.body.message).toContain('The source cannot be reached from here.');
    expect(reply.body.message).toContain('npm run reference -- prepare eegmmidb --task');
    const estimate = await send(api.app, account.key, 'POST', path, { ...body, dry_run: true });
    expect([estimate.status, estimate.body.preparation.status]).toEqual([200, status]);
  });

  it('is answered 202 where the same attempt may succeed later', async () => {
    desk.preparationIs({ status: 'failed', retryable: true });
    expect((await send(api.app, account.key, 'POST', path, body)).status).toBe(202);
  });
});
