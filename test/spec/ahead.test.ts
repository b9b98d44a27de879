import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { suspend, resume, setLimits } from '../../infra/records/accounts/accounts.ts';
import { prices } from '../../infra/contract/prices.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import type { ApiThreads } from '../../api/threads/client.ts';
import { newKey, send } from '../support/api.ts';
import { path, signal, startKeyedApi, type KeyedApi } from '../support/keyed-api.ts';
import { createBody, nested } from '../support/requests.ts';

/** What the threads did, in order: labelled before the admission was known, or after it, read a body, labelled trials. */
const done: ('ahead' | 'at once' | 'read' | 'labelled')[] = [];
let load = 0;
let keyed: KeyedApi;
let app: FastifyInstance;
beforeAll(async () => {
  keyed = await startKeyedApi();
  const { threads } = keyed.api.deps;
  const noting: ApiThreads = {
    ...threads,
    get load() {
      return load;
    },
    intake: (...args) => {
      done.push('read');
      return threads.intake(...args);
    },
    label: (share, task) => {
      done.push(task.returnsBody ? 'ahead' : 'at once');
      return threads.label(share, task);
    },
    predict: (...args) => {
      done.push('labelled');
      return threads.predict(...args);
    },
  };
  app = keyed.api.second({ threads: noting, bodies: { bodyBytes: 64 * 1024 } });
});
afterAll(() => keyed.api.close());
beforeEach(async () => {
  load = 0;
  await predict();
  done.length = 0;
});

const few = { ...signal, x: nested(3), shape: undefined };
const predict = (body: unknown = few, key?: string) => keyed.post(keyed.predictUrl, body, key, app);

it('labels while the database admits the request, and answers and charges the same as without', async () => {
  load = 1;
  const later = await predict();
  load = 0;
  const before = await keyed.available();
  const [plain, named] = [await predict(), await predict(few, randomUUID())];
  expect(done).toEqual(['at once', 'ahead', 'ahead']);
  expect([plain.status, plain.text, named.text]).toEqual([200, later.text, later.text]);
  expect(before - (await keyed.available())).toBe(6n * prices.window);
});

it('refuses a bad body with the same message', async () => {
  const wrong = { ...few, align: 'no', units: 'ohm' };
  load = 1;
  const later = await predict(wrong);
  load = 0;
  const ahead = await predict(wrong);
  expect(done).toEqual(['at once', 'ahead']);
  expect([ahead.status, ahead.body.message]).toEqual([422, later.body.message]);
});

it('begins nothing for other requests: another key, another model, another route', async () => {
  const { key } = await newKey(keyed.api.database, keyed.account.accountId);
  expect((await send(app, key, 'POST', keyed.predictUrl, few)).status).toBe(200);
  expect((await keyed.post(`${path}/clf_${'0'.repeat(32)}/predictions`, few, undefined, app)).status).toBe(404);
  expect((await keyed.post(path, createBody({ dry_run: true }), undefined, app)).status).toBe(200);
  expect(done).toEqual(['at once', 'read']);
});

it('uses no result for a refused caller, and begins nothing for that caller again', async () => {
  const { pool } = keyed.api.database;
  const before = await keyed.available();
  await suspend(pool, keyed.account.accountId, new Date());
  const refused = [await predict(), await predict()];
  await resume(pool, keyed.account.accountId);
  expect(refused.map(({ body }) => body.code)).toEqual(['TENANT_SUSPENDED', 'TENANT_SUSPENDED']);
  expect(done).toEqual(['ahead']);
  expect(await keyed.available()).toBe(before);
  expect((await predict()).status).toBe(200);
  expect(done).toEqual(['ahead', 'at once']);
});

it('reads again if a payment comes first, or if another request has the key', async () => {
  const key = randomUUID();
  const first = await predict(few, key);
  expect((await predict(few, key)).text).toBe(first.text);
  expect(done.splice(0)).toEqual(['ahead', 'ahead', 'read']);
  await predict();
  await setLimits(keyed.api.database.pool, keyed.account.accountId, { monthlyWindows: 1_000_000n });
  done.length = 0;
  const capped = await predict();
  await setLimits(keyed.api.database.pool, keyed.account.accountId, { monthlyWindows: null });
  expect([capped.status, capped.text]).toEqual([200, first.text]);
  expect(done).toEqual(['ahead', 'read', 'labelled']);
});

it('frees the memory of bodies, also of refused ones', async () => {
  const { pool } = keyed.api.database;
  for (let round = 0; round < 30; round += 1) {
    if (round % 2) await suspend(pool, keyed.account.accountId, new Date());
    await predict();
    await resume(pool, keyed.account.accountId);
    await predict();
  }
  expect((await predict()).status).toBe(200);
});

it('and the books are sound', async () => {
  expect((await checkLedger(keyed.api.database.pool)).problems).toEqual([]);
});
