import { objectNames } from '../../infra/contract/object-names.ts';
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { path, small } from '../support/keyed-api.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => await api.close());

/**
 * The pool, but the first COMMIT of a transaction that wrote `statement`, or that statement where it commits by itself,
 * loses its connection after, or before, it happened.
 */
function losing(pool: Pool, statement: RegExp, happens: boolean): Pool {
  let lost = false;
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    let wrote = false;
    const query = async (...args: unknown[]): Promise<unknown> => {
      const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
      const alone = statement.test(text) && /charge_predictions/.test(text);
      wrote ||= statement.test(text);
      const loses = (alone || text === 'COMMIT') && wrote && !lost;
      if (loses) lost = true;
      if (loses && !happens) await client.query('ROLLBACK');
      else
        await (client.query as (...each: unknown[]) => Promise<unknown>)(...args).then((result) => (args[0] = result));
      if (loses) throw new Error('Connection terminated unexpectedly');
      return args[0];
    };
    return Object.assign(Object.create(client) as PoolClient, {
      query,
      release: (error?: Error) => client.release(error),
    });
  };
  return Object.assign(Object.create(pool) as Pool, { connect, query: pool.query.bind(pool) });
}

const { description: _, ...batch } = createBody(small);
const objectsOf = async (id: string) =>
  (await api.deps.objects.list(`features/${id}/`)).map(({ name }) => name).toSorted();
/** Of each batch, and of its only part. */
const refsOf = async (id: string) =>
  (await api.database.pool.query('SELECT features_ref FROM task_model_batches WHERE model_id = $1', [id])).rows
    .flatMap(({ features_ref: name }: { features_ref: string }) => [name, objectNames.batchPart(name, 0)])
    .toSorted();

test.each([
  ['kept where the COMMIT happened, so that the fit of what was paid for succeeds', true, 2],
  ['kept where it did not, until the model ends: nobody could tell', false, 1],
])('a lost acknowledgement of a batch: its features are %s', async (_name, happens, batches) => {
  const { key } = await newAccount(api.database);
  const { id } = (await send(api.app, key, 'POST', path, createBody({ ...small, defer_fit: true }))).body;
  const app = api.second({ pool: losing(api.database.pool, /INSERT INTO task_model_batches/, happens) });
  const reply = await send(app, key, 'POST', `${path}/${id}/trials`, batch);
  expect([reply.status, reply.body.code]).toEqual([503, 'BILLING_UNAVAILABLE']);
  expect(reply.body.message).toMatch(/whether the request was charged is not known/);
  const refs = await refsOf(id);
  expect(refs).toHaveLength(2 * batches);
  expect(await objectsOf(id)).toHaveLength(4);
  expect(await objectsOf(id)).toEqual(expect.arrayContaining(refs));
  expect((await send(api.app, key, 'POST', `${path}/${id}/fit`)).status).toBe(200);
});

test('a batch that is certainly rolled back leaves no features', async () => {
  const { key, accountId } = await newAccount(api.database);
  const { id } = (await send(api.app, key, 'POST', path, createBody({ ...small, defer_fit: true }))).body;
  const threads = {
    ...api.deps.threads,
    storeBatch: async (...args: Parameters<typeof api.deps.threads.storeBatch>) => {
      const stored = await api.deps.threads.storeBatch(...args);
      await api.database.pool.query('UPDATE accounts SET daily_cap_micro_usd = 0 WHERE id = $1', [accountId]);
      return stored;
    },
  };
  const capped = api.second({ threads });
  const reply = await send(capped, key, 'POST', `${path}/${id}/trials`, batch);
  expect([reply.status, reply.body.code]).toEqual([402, 'BUDGET_EXCEEDED']);
  expect(await objectsOf(id)).toEqual(await refsOf(id));
});

test.each([[true], [false]])(
  'a create whose first commit is not acknowledged (committed: %s) is charged once under its key',
  async (happens) => {
    const { key, accountId } = await newAccount(api.database);
    const app = api.second({ pool: losing(api.database.pool, /INSERT INTO fit_requests/, happens) });
    const headers = { 'idempotency-key': randomUUID() };
    expect((await send(app, key, 'POST', path, createBody(small), headers)).body.code).toBe('BILLING_UNAVAILABLE');
    const again = await send(app, key, 'POST', path, createBody(small), headers);
    expect(again.status, again.text).toBe(201);
    expect(await balance(api.database.pool, accountId)).toEqual({ available: 3_000_000n, held: 0n });
    expect((await api.database.pool.query('SELECT FROM holds WHERE account_id = $1', [accountId])).rowCount).toBe(1);
  },
);

test.each([[true], [false]])(
  'a prediction whose commit is not acknowledged (committed: %s) gets an error, and is charged once under its key',
  async (happens) => {
    const { key, accountId } = await newAccount(api.database);
    const { id } = (await send(api.app, key, 'POST', path, createBody(small))).body;
    const { labels: _labels, ...signal } = batch;
    const app = api.second({ pool: losing(api.database.pool, /charge_predictions/, happens) });
    const headers = { 'idempotency-key': randomUUID() };
    const post = (to: typeof app) => send(to, key, 'POST', `${path}/${id}/predictions`, signal, headers);
    const reply = await post(app);
    expect([reply.status, reply.body.code]).toEqual([503, 'BILLING_UNAVAILABLE']);
    expect(reply.body.message).toMatch(/whether the request was charged is not known/);
    const again = await post(api.app);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, happens ? 'true' : undefined]);
    const charges = `SELECT FROM ledger_transactions WHERE model_id = $1 AND kind = 'task_models.predict'`;
    expect((await api.database.pool.query(charges, [id])).rowCount).toBe(1);
    const leases = 'SELECT FROM request_leases WHERE account_id = $1';
    expect((await api.database.pool.query(leases, [accountId])).rowCount).toBe(0);
  },
);

test('the books are sound', async () => {
  expect((await checkLedger(api.database.pool)).problems).toEqual([]);
});
