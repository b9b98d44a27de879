import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { recordPredictionDeath } from '../../infra/records/deaths/prediction-deaths.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { openAdmin } from '../support/admin.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { createBody } from '../support/requests.ts';

const path = '/v1/task-models';
const { description: _, labels: _labels, ...signal } = createBody();
let api: TestApi;
let account: TestAccount;
let id: string;

beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
  const { accountId } = account;
  await credit(api.database.pool, { accountId, amount: 50_000_000n, source: 'operator', at: new Date() });
});
afterAll(() => api.close());
beforeEach(async () => {
  const reply = await send(api.app, account.key, 'POST', path, createBody());
  expect(reply.status, reply.text).toBe(201);
  id = reply.body.id;
});

const predict = (app = api.app) => send(app, account.key, 'POST', `${path}/${id}/predictions`, signal);
const die = (...models: string[]) => recordPredictionDeath(api.database.pool, { process: crypto.randomUUID(), models });
const admin = (...words: string[]) => runAdmin(words, openAdmin(api.database.pool));

it('a model in use at two deaths, alone at one of them, answers 502 in every API until an operator unblocks it', async () => {
  expect((await predict()).status).toBe(200);
  expect(await die(id, 'clf_'.padEnd(36, '0')), 'any process may die once').toEqual([]);
  expect((await predict()).status).toBe(200);
  expect(await die(id)).toEqual([id]);
  const before = await balance(api.database.pool, account.accountId);
  for (const app of [api.app, api.second()]) {
    const { status, body } = await predict(app);
    expect([status, body.code, body.field]).toEqual([502, 'BACKEND_FAILURE', 'model_id']);
    expect(body.message).toContain(`Predictions of the task model ${id} are blocked`);
  }
  expect(await balance(api.database.pool, account.accountId)).toEqual(before);
  const listed = JSON.parse((await admin('models', 'pinned')).out!).blocked;
  expect(listed).toEqual([{ model_id: id, account_id: account.accountId, blocked_at: expect.any(String), deaths: 2 }]);
  expect(JSON.parse((await admin('models', 'unblock', '--model', id)).out!)).toEqual({ model_id: id, blocked: false });
  expect((await predict()).status).toBe(200);
  const again = await admin('models', 'unblock', '--model', id);
  expect([again.exitCode, again.errors[0]]).toEqual([1, `The model ${id} is not blocked.`]);
});

it('a model that was never alone is blocked at its third death, its neighbours are not', async () => {
  const reply = await send(api.app, account.key, 'POST', path, createBody());
  const neighbour = reply.body.id as string;
  expect([await die(id, neighbour), await die(id, neighbour)]).toEqual([[], []]);
  expect((await predict()).status).toBe(200);
  expect(await die(id, 'clf_'.padEnd(36, '0'))).toEqual([id]);
  expect((await send(api.app, account.key, 'POST', `${path}/${neighbour}/predictions`, signal)).status).toBe(200);
  await admin('models', 'unblock', '--model', id);
  expect(await die(id, neighbour), 'an operator has forgiven the deaths of the one').toEqual([neighbour]);
});

it('a death is counted once, and not against models if a job ran in the process', async () => {
  const process = crypto.randomUUID();
  const twice = () => recordPredictionDeath(api.database.pool, { process, models: [id, 'clf_'.padEnd(36, '0')] });
  expect([await twice(), await twice()]).toEqual([[], []]);
  await api.database.pool.query(
    `INSERT INTO job_attempts (job, attempt, process, alone, started_at) VALUES ('j', 1, 'both', false, now())`,
  );
  expect(await recordPredictionDeath(api.database.pool, { process: 'both', models: [id] })).toEqual([]);
  expect((await predict()).status).toBe(200);
});
