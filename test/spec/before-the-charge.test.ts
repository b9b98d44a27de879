import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../api/deps.ts';
import { fitRequestBytes, type FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf, requestOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { forgetWeightsReport, reportWeights } from '../../infra/records/weights-reports.ts';
import { activitiesInProcess, threadsHere } from '../support/activities-in-process.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { path, small } from '../support/keyed-api.ts';
import { base64, createBody, nested } from '../support/requests.ts';
import { withPin } from '../support/with-pin.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => await api.close());

const funds = async ({ accountId }: TestAccount) => await balance(api.database.pool, accountId);
const post = (account: TestAccount, url: string, body?: unknown, app = api.app): Promise<Reply> =>
  send(app, account.key, 'POST', url, body);
const { description: _, ...batch } = createBody(small);
const { labels: _labels, ...signal } = batch;
/** A fit of the first candidate alone. */
const fitOf = (request: FitRequest) => ({
  request: { ...request, candidates: request.candidates.slice(0, 1) },
  at: Date.now(),
});
const collecting = async (account: TestAccount): Promise<string> =>
  (await post(account, path, createBody({ ...small, defer_fit: true }))).body.id;
const drain = async ({ accountId }: TestAccount, rest: bigint): Promise<void> => {
  await api.database.pool.query('UPDATE accounts SET daily_cap_micro_usd = $2 WHERE id = $1', [accountId, rest]);
};

describe('while a fit runs', () => {
  it('/trials and a second /fit are 409 and cost nothing; the job was recorded with its credit hold', async () => {
    const account = await newAccount(api.database);
    const id = await collecting(account);
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<FitRequest>();
    const runFit: ApiDeps['jobs']['runFit'] = async (request) => {
      begun.resolve((await requestOf(api.database.pool, request.jobId))!);
      await end.promise;
      return api.deps.jobs.runFit(request);
    };
    const fitting = post(account, `${path}/${id}/fit`, undefined, api.second({ jobs: { ...api.deps.jobs, runFit } }));
    expect(await begun.promise).toMatchObject({ modelId: id, accountId: account.accountId });
    const before = await funds(account);
    expect(before.held).toBe(2_000_000n);
    for (const [url, body] of [
      [`${path}/${id}/trials`, batch],
      [`${path}/${id}/fit`, undefined],
    ] as const) {
      const reply = await post(account, url, body);
      expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([409, 'CONFLICT', '5']);
      expect(reply.body.message).toContain(`A fit of the task model ${id} is running`);
    }
    expect(await funds(account)).toEqual(before);
    end.resolve();
    expect((await fitting).status).toBe(200);
    const { rows } = await api.database.pool.query(
      `SELECT count(*)::int AS batches FROM ledger_transactions WHERE model_id = $1 AND kind = 'task_models.predict'`,
      [id],
    );
    expect(rows).toEqual([{ batches: 1 }]);
  });
});

describe('the request of a fit', () => {
  it('passes through Temporal with any labels: no credit is held for one that is too large', async () => {
    const account = await newAccount(api.database);
    const classes = Array.from({ length: 60 }, (_each, n) => `${n} ${'ä"'.repeat(98)}`.slice(0, 200));
    const labels = classes.flatMap((name) => Array.from({ length: 5 }, () => name));
    const sessions = labels.map((_label, n) => `${n % 3} ${'"'.repeat(150)}`);
    const x = base64(Array.from({ length: 25 }, () => nested()).flat());
    let bytes = 0;
    const runFit: ApiDeps['jobs']['runFit'] = (request) => {
      bytes = Buffer.byteLength(JSON.stringify(request));
      return Promise.resolve({ status: 201, body: '{}', microUsd: 0n });
    };
    const app = api.second({ jobs: { ...api.deps.jobs, runFit } });
    const reply = await post(account, path, createBody({ x, shape: [300, 3, 80], labels, sessions }), app);
    expect(reply.status, reply.text).toBe(201);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(fitRequestBytes);
  });
});

describe('a model whose expires_at has passed', () => {
  it('is not fitted: 422 names expires_at, nothing is charged, and clearing the field helps', async () => {
    const account = await newAccount(api.database);
    const id = await collecting(account);
    await api.database.pool.query(`UPDATE task_models SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
    const before = await funds(account);
    const reply = await post(account, `${path}/${id}/fit`);
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'INVALID_REQUEST', 'expires_at']);
    expect(reply.body.details.errors).toEqual([expect.objectContaining({ field: 'expires_at' })]);
    expect(await funds(account)).toEqual(before);
    expect((await send(api.app, account.key, 'PATCH', `${path}/${id}`, { expires_at: null })).status).toBe(200);
    expect((await post(account, `${path}/${id}/fit`)).status).toBe(200);
  });

  it('during its create is neither activated nor charged', async () => {
    const account = await newAccount(api.database);
    const activities = activitiesInProcess({ pool: api.database.pool, objects: api.deps.objects });
    const runFit: ApiDeps['jobs']['runFit'] = async (request) => {
      const past = `UPDATE task_models SET expires_at = now() - interval '1 s' WHERE id = $1`;
      await api.database.pool.query(past, [request.modelId]);
      const error = await activities.fitModel(fitOf(request)).catch((each: unknown) => each);
      expect(error).toMatchObject({ type: 'INVALID_REQUEST', nonRetryable: true, details: [{ field: 'expires_at' }] });
      const failure = { code: 'INVALID_REQUEST', message: 'm', field: 'expires_at', reasons: [] } as const;
      const { status } = await activities.abandonFit({ request, failure, at: Date.now() });
      return { status, body: JSON.stringify({ code: 'INVALID_REQUEST', details: { request_id: 'r' } }), microUsd: 0n };
    };
    const reply = await post(account, path, createBody(small), api.second({ jobs: { ...api.deps.jobs, runFit } }));
    expect(reply.status, reply.text).toBe(422);
    expect(await funds(account)).toEqual({ available: 5_000_000n, held: 0n });
  });
});

describe('a model fitted on weights that the worker lacks', () => {
  it('is activated and charged only if a live API has them', async () => {
    const account = await newAccount(api.database);
    const { pool } = api.database;
    const pin = `weights:robust-sleep-net@${'5e'.repeat(32)}`;
    const threads = withPin(threadsHere, pin);
    const activities = activitiesInProcess({ pool, objects: api.deps.objects, threads });
    const runFit: ApiDeps['jobs']['runFit'] = async (request) => {
      await reportWeights(pool, { process: 'one', role: 'api', weights: [] });
      await expect(activities.fitModel(fitOf(request))).rejects.toMatchObject({
        type: 'BACKEND_FAILURE',
        message: expect.stringContaining(
          'sha256 5e5e5e5e5e5e…, which this service does not have; nothing was charged.',
        ),
      });
      await reportWeights(pool, { process: 'two', role: 'api', weights: [pin] });
      await activities.fitModel(fitOf(request));
      for (const each of ['one', 'two']) await forgetWeightsReport(pool, each);
      return (await answerOf(pool, request.jobId))!;
    };
    const reply = await post(account, path, createBody(small), api.second({ jobs: { ...api.deps.jobs, runFit } }));
    expect(reply.status, reply.text).toBe(201);
    expect(await funds(account)).toEqual({ available: 3_000_000n, held: 0n });
  });
});

describe('a job as its workflow passes it to the activity', () => {
  it('is charged by its row in Postgres: mode and hold of the row, whatever the request says', async () => {
    const account = await newAccount(api.database);
    const runFit: ApiDeps['jobs']['runFit'] = (request) =>
      api.deps.jobs.runFit({ ...request, mode: 'test', holdId: null, accountId: crypto.randomUUID() });
    const reply = await post(account, path, createBody(small), api.second({ jobs: { ...api.deps.jobs, runFit } }));
    expect([reply.status, reply.body.cost]).toEqual([201, { usd: '2.00', windows: 0 }]);
    expect(await funds(account)).toEqual({ available: 3_000_000n, held: 0n });
  });
});

describe('a request that cannot be paid', () => {
  it('is refused before anything is computed or stored: predictions, batches, creates', async () => {
    const account = await newAccount(api.database);
    const url = `${path}/${(await post(account, path, createBody(small))).body.id}/predictions`;
    const id = await collecting(account);
    const computed: string[] = [];
    const note = (name: string) => (): Promise<never> => {
      computed.push(name);
      return Promise.reject(new Error(`${name} was called`));
    };
    const threads = {
      ...api.deps.threads,
      predict: note('predict'),
      storeBatch: note('storeBatch'),
      stage: note('stage'),
    };
    const app = api.second({ threads });
    await drain(account, 0n);
    for (const [where, body] of [
      [url, signal],
      [`${path}/${id}/trials`, batch],
      [path, createBody({ ...small, defer_fit: true })],
      [path, createBody(small)],
    ] as const) {
      const reply = await post(account, where, body, app);
      expect([reply.status, reply.body.code]).toEqual([402, 'BUDGET_EXCEEDED']);
    }
    expect(computed).toEqual([]);
  });

  it('names the hosting month that is due, too', async () => {
    const account = await newAccount(api.database);
    const { id } = (await post(account, path, createBody(small))).body;
    await api.database.admin.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE task_models SET created_at = created_at - interval '31 days', fitted_at = fitted_at - interval '31 days',
        paid_through = paid_through - interval '31 days' WHERE id = '${id}';
      UPDATE ledger_transactions SET starts_at = starts_at - interval '31 days', ends_at = ends_at - interval '31 days'
      WHERE model_id = '${id}'; COMMIT`);
    const threads = { ...api.deps.threads, predict: () => Promise.reject(new Error('predict was called')) };
    await drain(account, 2_500_000n);
    const reply = await post(account, `${path}/${id}/predictions`, signal, api.second({ threads }));
    expect([reply.status, reply.body.code]).toEqual([402, 'BUDGET_EXCEEDED']);
    expect(reply.body.message).toMatch(/^The hosting month of clf_/);
    await drain(account, 3_500_000n);
    expect((await post(account, `${path}/${id}/predictions`, signal)).status).toBe(200);
    expect(await funds(account)).toEqual({ available: 1_964_000n, held: 0n });
  });
});

it('after all of this the books are sound', async () => {
  expect((await checkLedger(api.database.pool)).problems).toEqual([]);
});
