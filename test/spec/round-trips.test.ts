import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { newKey, send } from '../support/api.ts';
import { predictingBy } from '../support/predicting-by.ts';
import { path, signal, small, startKeyedApi, type KeyedApi } from '../support/keyed-api.ts';
import { createBody } from '../support/requests.ts';

type Query = (...args: unknown[]) => Promise<unknown>;

/** Statements that went to the database, one after another. */
const sent: string[] = [];
const asked: string[] = [];

/** The pool, with each statement noted; `asked` has the names of those whose plans are kept. */
function counting(pool: Pool): Pool {
  const noted =
    (query: Query): Query =>
    (...args) => {
      const [statement] = args as [string | { text: string; name: string }];
      sent.push(typeof statement === 'string' ? statement : statement.text);
      if (typeof statement !== 'string') asked.push(statement.name);
      return query(...args);
    };
  return Object.assign(Object.create(pool) as Pool, {
    query: noted(pool.query.bind(pool) as Query),
    connect: async () => {
      const client = await pool.connect();
      return Object.assign(Object.create(client) as typeof client, {
        query: noted(client.query.bind(client) as Query),
        release: (error?: Error) => client.release(error),
      });
    },
  });
}

let keyed: KeyedApi;
let app: FastifyInstance;
beforeAll(async () => {
  keyed = await startKeyedApi();
  app = keyed.api.second({ pool: counting(keyed.api.database.pool) });
  expect((await keyed.post(keyed.predictUrl, signal, undefined, app)).status).toBe(200);
});
afterAll(() => keyed.api.close());

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  sent.length = 0;
  await work();
  return sent.length;
}

const predict = (key?: string) => async (): Promise<void> => {
  const reply = await keyed.post(keyed.predictUrl, signal, key, app);
  expect(reply.status, reply.text).toBe(200);
};
const get = (url: string) => async (): Promise<void> =>
  expect((await send(app, keyed.account.key, 'GET', url)).status).toBe(200);
const begun = async (): Promise<number> =>
  (await keyed.api.database.pool.query(`SELECT FROM idempotency_keys WHERE state = 'running'`)).rowCount!;
const leases = async (): Promise<number> =>
  (await keyed.api.database.pool.query('SELECT FROM request_leases')).rowCount!;

describe('a warm prediction costs two round trips', () => {
  it.each([
    ['without a key', undefined],
    ['with one', randomUUID()],
  ])('%s, and leaves neither lease nor lock', async (_name, key) => {
    expect(await statementsOf(predict(key)), sent.join('\n---\n')).toBe(2);
    expect(sent[0]).toContain('admit_request');
    expect(sent[1]).toContain('charge_predictions');
    expect([await leases(), await begun()]).toEqual([0, 0]);
  });

  it('with statements that the connection has planned', async () => {
    asked.length = 0;
    await predict()();
    await predict()();
    expect(asked).toHaveLength(4);
    expect(new Set(asked).size).toBe(2);
    const { rows } = await keyed.api.database.pool.query('SELECT count(*)::int AS n FROM pg_prepared_statements');
    expect(rows[0].n).toBeGreaterThan(0);
  });

  it('with a key of the test mode, too', async () => {
    const test = await newKey(keyed.api.database, keyed.account.accountId, { mode: 'test' });
    const { id } = (await send(keyed.api.app, test.key, 'POST', path, createBody(small))).body;
    const headers = { 'idempotency-key': randomUUID() };
    const once = () => send(app, test.key, 'POST', `${path}/${id}/predictions`, signal, headers);
    expect(await statementsOf(once)).toBe(2);
    expect((await once()).headers['idempotent-replayed']).toBe('true');
  });
});

it('reading a model costs two, and usage three', async () => {
  expect(await statementsOf(get(keyed.predictUrl.replace('/predictions', '')))).toBe(2);
  expect(await statementsOf(get('/v1/usage'))).toBe(3);
});

describe('a key that is begun before the body is known', () => {
  it('is released with the refusal in one statement, whatever the reason', async () => {
    const key = randomUUID();
    const gone = `${path}/clf_${'0'.repeat(32)}/predictions`;
    for (const [url, body, code] of [
      [gone, signal, 'CLASSIFIER_NOT_FOUND'],
      [keyed.predictUrl, 'not json', 'INVALID_REQUEST'],
      [keyed.predictUrl, { ...signal, channels: ['C3', 'Cz', 'Pz'] }, 'INVALID_REQUEST'],
      [keyed.predictUrl, undefined, 'INVALID_REQUEST'],
    ] as const) {
      let reply;
      const count = await statementsOf(async () => (reply = await keyed.post(url, body, key, app)));
      expect(reply).toMatchObject({ body: { code } });
      expect([count, await begun(), await leases()]).toEqual([2, 0, 0]);
    }
    await predict(key)();
  });

  const both = ['apart', 'at once'] as const;

  it.each(both)(
    'is 409 CONFLICT for other requests while its request is labelled %s; afterwards a replay, or reused',
    async (where) => {
      const key = randomUUID();
      const { promise: reached, resolve: reaches } = Promise.withResolvers<void>();
      const { promise: goOn, resolve: goesOn } = Promise.withResolvers<void>();
      const { threads } = keyed.api.deps;
      const slow = keyed.api.second({
        threads: predictingBy(
          threads,
          async (...args) => {
            reaches();
            await goOn;
            return threads.predict(...args);
          },
          where,
        ),
      });
      const running = keyed.post(keyed.predictUrl, signal, key, slow);
      await reached;
      const before = await keyed.available();
      const other = { ...signal, align: 'batch' };
      for (const [url, body] of [
        [keyed.predictUrl, signal],
        [keyed.predictUrl, other],
        [path, createBody(small)],
      ] as const)
        expect(await keyed.post(url, body, key)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect(await keyed.available()).toBe(before);
      goesOn();
      const first = await running;
      expect(first.status, first.text).toBe(200);
      const again = await keyed.post(keyed.predictUrl, signal, key);
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
      expect((await keyed.post(keyed.predictUrl, other, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    },
  );

  it.each(both)(
    'is taken over from a process that died, labelling %s; one that was only slow is not charged',
    async (where) => {
      const key = randomUUID();
      const { promise: reached, resolve: reaches } = Promise.withResolvers<void>();
      const { promise: goOn, resolve: goesOn } = Promise.withResolvers<void>();
      const { threads, pool } = keyed.api.deps;
      const slow = keyed.api.second({
        threads: predictingBy(
          threads,
          async (...args) => {
            reaches();
            await goOn;
            return threads.predict(...args);
          },
          where,
        ),
      });
      const running = keyed.post(keyed.predictUrl, signal, key, slow);
      await reached;
      await pool.query('UPDATE idempotency_keys SET locked_until = now() WHERE key = $1', [key]);
      const before = await keyed.available();
      const other = { ...signal, align: 'batch' };
      const second = await keyed.post(keyed.predictUrl, other, key);
      expect(second.status, second.text).toBe(200);
      const after = await keyed.available();
      expect(after).toBeLessThan(before);
      goesOn();
      expect(await running).toMatchObject({ status: 409, body: { code: 'CONFLICT', field: 'Idempotency-Key' } });
      expect(await keyed.available()).toBe(after);
      expect((await keyed.post(keyed.predictUrl, other, key)).text).toBe(second.text);
    },
  );
});

it('and the books are sound', async () => {
  expect((await checkLedger(keyed.api.database.pool)).problems).toEqual([]);
});
