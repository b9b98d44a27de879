import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { createBody } from '../support/requests.ts';

const path = '/v1/task-models';
const { description: _, labels, ...signal } = createBody();
let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
});
afterAll(async () => await api.close());

const post = async (url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
  await send(api.app, account.key, 'POST', url, body, headers);
const create = async (change?: Record<string, unknown>): Promise<string> => {
  const reply = await post(path, createBody(change));
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
};

/** From now on the model needs a resampler, or its last batch a recipe, that the service does not hold. */
const loseResampler = (id: string) =>
  api.database.pool.query(
    `UPDATE task_models SET pins = array_replace(pins, 'resampler@1', 'resampler@99') WHERE id = $1`,
    [id],
  );
const loseRecipe = (id: string) =>
  api.database.pool.query(
    `UPDATE task_model_batches SET pins = array_append(pins, 'features:cov@98') WHERE model_id = $1
       AND n = (SELECT max(n) FROM task_model_batches WHERE model_id = $1)`,
    [id],
  );

async function expectRefused(id: string, what: string, work: () => Promise<Reply>): Promise<void> {
  const before = await balance(api.database.pool, account.accountId);
  const { status, body } = await work();
  expect({ status, code: body.code }).toEqual({ status: 502, code: 'BACKEND_FAILURE' });
  expect(body.message).toBe(
    `The task model ${id} needs ${what}, which this server does not have now. Nothing was charged, and hosting ` +
      'is waived while no server holds it.',
  );
  expect(await balance(api.database.pool, account.accountId)).toEqual(before);
}

describe('a model that the service cannot serve', () => {
  it('is refused before its trials are read, and names what is missing; stored answers are replayed', async () => {
    const id = await create();
    const url = `${path}/${id}/predictions`;
    const answered = await post(url, signal, { 'idempotency-key': 'k-before' });
    expect(answered.status).toBe(200);
    await loseResampler(id);
    const what = 'version 99 of the resampler';
    await expectRefused(id, what, () => post(url, signal));
    await expectRefused(id, what, () => post(url, '{"x":'));
    expect((await post(url, signal, { 'idempotency-key': 'k-before' })).text).toBe(answered.text);
    expect((await send(api.app, account.key, 'GET', `${path}/${id}`)).status).toBe(200);
  });

  it('takes no further batch, and is not fitted, if one of its batches cannot be read', async () => {
    const id = await create({ defer_fit: true });
    expect((await post(`${path}/${id}/trials`, { ...signal, labels })).status).toBe(200);
    await loseRecipe(id);
    const what = 'version 98 of the features cov';
    await expectRefused(id, what, () => post(`${path}/${id}/trials`, { ...signal, labels }));
    await expectRefused(id, what, () => post(`${path}/${id}/fit`));
    const { rows } = await api.database.pool.query(
      `SELECT (SELECT count(*)::int FROM holds WHERE model_id = $1) AS holds,
              (SELECT count(*)::int FROM fit_requests WHERE model_id = $1) AS fits`,
      [id],
    );
    expect(rows).toEqual([{ holds: 0, fits: 0 }]);
  });
});
