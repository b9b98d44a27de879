import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { StoreUnavailable } from '../../infra/drivers/objects/bytes.ts';
import { packError } from '../../infra/drivers/threads/messages.ts';
import { prices } from '../../infra/contract/prices.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import type { ApiThreads } from '../../api/threads/client.ts';
import { newAccount, send } from '../support/api.ts';
import { predictingBy } from '../support/predicting-by.ts';
import { createBody, nested } from '../support/requests.ts';
import { path, signal, small, startKeyedApi, type KeyedApi } from '../support/keyed-api.ts';

/** What the threads did, in order: a body was read alone, read and labelled at once, or its trials were labelled. */
const done: ('read' | 'at once' | 'labelled')[] = [];
let keyed: KeyedApi;
let app: FastifyInstance;
beforeAll(async () => {
  keyed = await startKeyedApi();
  const { threads } = keyed.api.deps;
  const noting: ApiThreads = {
    ...threads,
    // Something to do, so that nothing is labelled before its admission: see `ahead.test.ts`.
    load: 1,
    intake: (...args) => {
      done.push('read');
      return threads.intake(...args);
    },
    label: async (...args) => {
      const result = await threads.label(...args);
      done.push(result.labelled ? 'at once' : 'read');
      return result;
    },
    predict: (...args) => {
      done.push('labelled');
      return threads.predict(...args);
    },
  };
  app = keyed.api.second({ threads: noting });
});
afterAll(() => keyed.api.close());
beforeEach(() => void (done.length = 0));

const predict = (body: unknown = signal, key?: string) => keyed.post(keyed.predictUrl, body, key, app);
const few = { ...signal, x: nested(3), shape: undefined };

it('labels a few trials in the task that reads them, with and without a key, with the same answer as two tasks', async () => {
  const [plain, named] = [await predict(few), await predict(few, randomUUID())];
  expect(done).toEqual(['at once', 'at once']);
  done.length = 0;
  await setLimits(keyed.api.database.pool, keyed.account.accountId, { monthlyWindows: 1_000_000n });
  const apart = await predict(few);
  await setLimits(keyed.api.database.pool, keyed.account.accountId, { monthlyWindows: null });
  expect(done).toEqual(['read', 'labelled']);
  expect([plain.status, plain.text, named.text]).toEqual([200, apart.text, apart.text]);
});

it('labels many trials, or trials that the account cannot pay, in a separate task', async () => {
  await predict({ ...signal, x: nested(17), shape: undefined });
  expect(done.splice(0)).toEqual(['read', 'labelled']);
  const { pool } = keyed.api.database;
  const poor = await newAccount(keyed.api.database);
  const { id } = (await send(app, poor.key, 'POST', path, createBody(small))).body;
  const { accountId } = poor;
  const windows = Number((await balance(pool, accountId)).available / prices.window) - 2;
  await transaction(pool, (sql) =>
    charge(sql, { accountId, mode: 'live', modelId: id, kind: 'task_models.predict', windows, at: new Date() }),
  );
  done.length = 0;
  const refused = await send(app, poor.key, 'POST', `${path}/${id}/predictions`, few);
  expect([refused.status, refused.body.code, done]).toEqual([402, 'INSUFFICIENT_CREDIT', ['read']]);
});

it('labels nothing for a replay, nor under a key of another request', async () => {
  const key = randomUUID();
  const first = await predict(few, key);
  expect((await predict(few, key)).text).toBe(first.text);
  expect((await predict({ ...few, align: 'batch' }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(done).toEqual(['at once', 'read', 'read']);
});

it('refuses the same requests as two tasks, and charges nothing for them', async () => {
  const before = await keyed.available();
  const short = { ...few, x: nested(3, 3, 60) };
  const other = { ...few, x: nested(3, 4), channels: ['C3', 'Cz', 'C4', 'Pz'] };
  done.length = 0;
  const [tooShort, moreChannels] = [await predict(short), await predict(other)];
  expect([tooShort.status, tooShort.body.code, tooShort.body.field]).toEqual([422, 'INVALID_REQUEST', 'x']);
  expect([moreChannels.status, moreChannels.body.field]).toEqual([422, 'channels']);
  expect(done).toEqual(['at once', 'read']);
  expect(await predict({ ...few, align: 'no' })).toMatchObject({ status: 422, body: { field: 'align' } });
  expect((await keyed.post(`${path}/clf_${'0'.repeat(32)}/predictions`, few, undefined, app)).status).toBe(404);
  expect(await keyed.available()).toBe(before);
  expect((await keyed.post(path, createBody({ dry_run: true }), undefined, app)).status).toBe(200);
});

it('answers as two tasks if a model or the store failed, and tries neither twice', async () => {
  const { threads } = keyed.api.deps;
  const away = new StoreUnavailable('unreachable', 'The bucket cannot be reached.');
  for (const [cause, status, code] of [
    [new Error('no probability'), 502, 'BACKEND_FAILURE'],
    [away, 503, 'POOL_UNAVAILABLE'],
  ] as const) {
    let asked = 0;
    const failing = predictingBy(threads, () => Promise.reject(new Error('a second attempt')));
    const label: ApiThreads['label'] = async (share, task) => {
      asked += 1;
      return { ...(await failing.label(share, task)), labelled: { ok: false, error: packError(cause) } };
    };
    const broken = keyed.api.second({ threads: { ...failing, label } });
    const before = await keyed.available();
    const reply = await keyed.post(keyed.predictUrl, few, randomUUID(), broken);
    expect([reply.status, reply.body.code, asked]).toEqual([status, code, 1]);
    expect(await keyed.available()).toBe(before);
  }
});

it('labels overlapping windows and long trials in a separate task', async () => {
  await predict({ ...few, x: nested(3, 3, 160), stride_seconds: 0.1 });
  expect(done.splice(0)).toEqual(['read', 'labelled']);
  const rows = Array.from({ length: 3 }, () => Array.from({ length: 6_500 }, (_, at) => at % 7));
  expect((await predict({ ...few, x: Array.from({ length: 16 }, () => rows) })).status).toBe(200);
  expect(done.splice(0)).toEqual(['read', 'labelled']);
});

it('and the books are sound', async () => {
  expect((await checkLedger(keyed.api.database.pool)).problems).toEqual([]);
});
