import { afterAll, beforeAll, expect, it } from 'vitest';
import { limits } from '../../infra/contract/limits.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { path, signal } from '../support/keyed-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
});
afterAll(() => api.close());

const description = 'imagined movement: left hand or right hand';
const post = (account: TestAccount, url: string, body: unknown): Promise<Reply> =>
  send(api.app, account.key, 'POST', url, body);
const named = (from: number, to: number, filler: string): string[] =>
  Array.from({ length: to - from }, (_, at) => `${from + at} `.padEnd(200, filler));
/** A batch of short trials, one for each label. */
const batch = (labels: readonly string[]) => ({
  ...signal,
  x: Buffer.from(Float32Array.from({ length: labels.length * 3 * 80 }, (_, at) => Math.sin(at * at)).buffer).toString(
    'base64',
  ),
  shape: [labels.length, 3, 80],
  labels,
});
const collect = async (account: TestAccount, labels: readonly string[]): Promise<Reply> =>
  await post(account, path, { ...batch(labels), description, defer_fit: true });

it('a collecting model has few classes, because each answer about it contains their names', async () => {
  const account = await newAccount(api.database, { key: { mode: 'test' } });
  const many = await collect(
    account,
    Array.from({ length: 1_001 }, (_, at) => `class ${at}`),
  );
  expect([many.status, many.body.code, many.body.field]).toEqual([413, 'PAYLOAD_TOO_LARGE', 'labels']);
  expect(many.body.message).toMatch(/1,001 classes.*at most 1,000 classes and 65,536 bytes/);
  expect((await collect(account, named(0, 300, '漢'))).body.message).toMatch(
    /300 classes, whose names have 1\d\d,\d\d\d/,
  );

  const made = await collect(account, named(0, 80, '漢'));
  expect(made.status).toBe(201);
  const url = `${path}/${made.body.id}`;
  expect((await post(account, `${url}/trials`, batch(named(0, 80, '漢')))).status).toBe(200);
  const more = await post(account, `${url}/trials`, batch(named(80, 160, '漢')));
  expect([more.status, more.body.code, more.body.field]).toEqual([413, 'PAYLOAD_TOO_LARGE', 'labels']);
  const shown = await send(api.app, account.key, 'GET', url);
  expect(shown.body.classes).toHaveLength(80);
  expect(Buffer.byteLength(shown.text)).toBeLessThan(2 * limits.classNameBytesPerModel);
});

it('simultaneous batches together do not exceed the limit of trials', async () => {
  const account = await newAccount(api.database, { key: { mode: 'test' } });
  const { body } = await collect(account, ['left', 'right']);
  await api.database.pool.query(
    `INSERT INTO task_model_batches (model_id, n, features_ref, trials, windows, class_counts, signal, created_at)
     SELECT model_id, 2, 'filler', $2, 1, '{}', signal, created_at FROM task_model_batches WHERE model_id = $1`,
    [body.id, limits.trialsPerModel - 2 - 12],
  );
  const url = `${path}/${body.id}/trials`;
  const twelve = batch(Array.from({ length: 12 }, (_, at) => (at % 2 ? 'left' : 'right')));
  const replies = await Promise.all(Array.from({ length: 4 }, () => post(account, url, twelve)));
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 413, 413, 413]);
});

it('rows of batches contain no long names of sessions', async () => {
  const account = await newAccount(api.database, { key: { mode: 'test' } });
  const sessions = named(0, 400, '漢');
  const labels = sessions.map((_, at) => (at % 2 ? 'left' : 'right'));
  const { body } = await post(account, path, { ...batch(labels), description, sessions, defer_fit: true });
  const { rows } = await api.database.pool.query<{ bytes: number; sessions: number }>(
    `SELECT octet_length(signal::text) AS bytes, jsonb_array_length(signal #> '{fit,sessions}') AS sessions
     FROM task_model_batches WHERE model_id = $1`,
    [body.id],
  );
  expect(rows[0]!.sessions).toBe(400);
  expect(rows[0]!.bytes).toBeLessThan(10_000);
});
