import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { wasClosed } from '../../infra/records/accounts/sign-up.ts';
import { enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { release, reserve } from '../../infra/records/ledger/holds.ts';
import { insertFitting } from '../../infra/records/task-models/models.ts';
import { markCleaned } from '../../infra/records/task-models/transitions.ts';
import { recordProgress } from '../../infra/records/task-models/progress.ts';
import { send, startTestApi, type TestApi } from '../support/api.ts';
import { createBrowser } from '../support/browser.ts';
import { createModel, newModel } from '../support/money.ts';
import { createBody } from '../support/requests.ts';
import { password, signedInAccount, type SignedIn } from '../support/two-accounts.ts';

let api: TestApi;
let ann: SignedIn;
let bob: SignedIn;
const refreshed: string[] = [];
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  ann = await signedInAccount(api, 'ann');
  bob = await signedInAccount(api, 'bob');
  const more = { accountId: ann.accountId, amount: 20_000_000n, source: 'operator', at } as const;
  await transaction(api.database.pool, (sql) => credit(sql, more));
  const { refresh } = api.deps.jobs;
  Object.assign(api.deps.jobs, {
    async refresh(id: string) {
      refreshed.push(id);
      await refresh(id);
    },
  });
});
afterAll(() => api.close());

const at = new Date();

/** An immediate create whose fit runs, with two candidates under way. */
async function running(
  { accountId }: SignedIn,
  words: string,
): Promise<{ jobId: string; modelId: string; holdId: string }> {
  const { pool } = api.database;
  const model = { ...newModel(accountId, at), name: `name of ${words}`, description: `task of ${words}` };
  const own = { accountId, mode: 'live', modelId: model.id, at } as const;
  const jobId = `job_${words}`;
  const holdId = await transaction(pool, async (sql) => {
    const hold = await reserve(sql, own);
    await insertFitting(sql, model);
    await enqueueFit(sql, { ...own, jobId, holdId: hold } as unknown as FitRequest, at);
    return hold!;
  });
  const candidate = { reason: null, seconds: null, balancedAccuracy: null };
  const scored = { method: 'csp-lda', title: 'CSP', status: 'scored', balancedAccuracy: 0.8, seconds: 1.5 } as const;
  await recordProgress(pool, jobId, [{ ...candidate, ...scored }], at);
  await recordProgress(pool, jobId, [{ ...candidate, method: 'm', title: 'M', status: 'running' }], new Date());
  return { jobId, modelId: model.id, holdId };
}

/** As the end of a fit leaves it. */
async function end({ jobId, modelId, holdId }: Awaited<ReturnType<typeof running>>): Promise<void> {
  await transaction(api.database.pool, (sql) => release(sql, holdId, at));
  await api.database.admin.query('DELETE FROM fit_requests WHERE job_id = $1', [jobId]);
  await api.database.admin.query('DELETE FROM task_models WHERE id = $1', [modelId]);
}

it('running fits, immediate creates included, are shown with their candidates, only to their own account', async () => {
  const job = await running(ann, 'ann');
  expect((await ann.browser.get('/jobs')).body.data).toEqual([
    {
      job_id: job.jobId,
      model_id: job.modelId,
      name: 'name of ann',
      description: 'task of ann',
      mode: 'live',
      started: at.toISOString(),
      candidates: [
        { id: 'csp-lda', title: 'CSP', status: 'scored', balanced_accuracy: 0.8, reason: null, seconds: 1.5 },
        { id: 'm', title: 'M', status: 'running', balanced_accuracy: null, reason: null, seconds: null },
      ],
    },
  ]);
  expect((await bob.browser.get('/jobs')).body).toEqual({ data: [] });
  await end(job);
  expect((await ann.browser.get('/jobs')).body).toEqual({ data: [] });
});

it('an export contains all data of the account, no secret, and nothing of another account', async () => {
  const id = await createModel(api.database.pool, ann.accountId, at);
  const theirs = await createModel(api.database.pool, bob.accountId, at);
  const deferred = createBody({ defer_fit: true, name: 'collected by ann' });
  const collecting = (await send(api.app, ann.key, 'POST', '/v1/task-models', deferred)).body.id;
  const job = await running(ann, 'ann');
  const reply = await ann.browser.get('/export');
  expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="eeg-task-classifier-[\d-]{10}\.json"$/);
  const { body } = reply;
  expect(body.account).toMatchObject({ account_id: ann.accountId, email: ann.email });
  expect(body.not_included.join(' ')).toContain('Fitted parameters');
  expect(body.terms).toHaveLength(1);
  expect(body.sessions).toEqual([
    { created: expect.any(String), last_seen: expect.any(String), expires_at: expect.any(String) },
  ]);
  expect(body.keys.map((key: { key_id: string }) => key.key_id)).toEqual([ann.keyId]);
  const models = new Map<string, any>(body.models.map((model: { id: string }) => [model.id, model]));
  expect(new Set(models.keys())).toEqual(new Set([id, collecting]));
  expect(models.get(id)).toMatchObject({
    description: 'Left or right hand',
    training_report: { balanced_accuracy: 0.9 },
  });
  expect(models.get(collecting)).toMatchObject({
    name: 'collected by ann',
    batches: [{ n: 1, trials: 12, class_counts: { left: 6, right: 6 } }],
  });
  expect(body.running_jobs).toMatchObject([{ job_id: job.jobId, description: 'task of ann' }]);
  expect(body.ledger.at(-1).balance_usd).toBe((await ann.browser.get('/billing')).body.balance_usd);
  expect(body.usage_by_day).toHaveLength(1);
  expect(body.requests).toMatchObject([{ route: 'POST /v1/task-models', status: 201 }]);
  for (const secret of [ann.key.slice(-48), ann.browser.cookie.split('=')[1]!, '_hash', 'bob', bob.accountId, theirs])
    expect(reply.text).not.toContain(secret);
  await end(job);
});

const closing = (email: string, word = password) => ann.browser.post('/close', { password: word, email });

it('closing asks for address and password, and is refused while a fit runs or credit is held', async () => {
  const job = await running(ann, 'ann');
  expect((await ann.browser.get('/close')).body).toMatchObject({
    possible: false,
    reasons: [expect.stringContaining('1 fit is running')],
    models: 2,
    keys: 1,
  });
  const refused = await closing(ann.email);
  expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
  expect(refused.body.message).toContain('wait');
  await end(job);
  const own = { accountId: ann.accountId, mode: 'live', modelId: job.modelId, at } as const;
  const hold = await transaction(api.database.pool, (sql) => reserve(sql, own));
  expect((await closing(ann.email)).body.message).toContain('Credit is held');
  await transaction(api.database.pool, (sql) => release(sql, hold, at));
  expect((await closing(bob.email)).body).toMatchObject({ code: 'INVALID_REQUEST', field: 'email' });
  expect((await closing(ann.email, 'wrong')).body).toMatchObject({ code: 'INVALID_REQUEST', field: 'password' });
  expect((await ann.browser.get('/me')).status).toBe(200);
  expect((await send(api.app, ann.key, 'GET', '/v1/task-models')).body.data).toHaveLength(2);
});

it('of a closed account only the ledger and dates stay', async () => {
  const { pool, admin } = api.database;
  const models = (await send(api.app, ann.key, 'GET', '/v1/task-models')).body.data.map(({ id }: { id: string }) => id);
  const told = (await ann.browser.get('/close')).body;
  expect(told).toMatchObject({ possible: true, reasons: [], models: 2 });
  const other = createBrowser(api.app);
  await other.post('/sign-in', { email: ann.email, password });
  const reply = await closing(ann.email);
  expect(reply.body).toEqual({
    account_id: ann.accountId,
    closed_at: expect.any(String),
    models_deleted: 2,
    keys_revoked: 1,
    unspent_usd: told.unspent_usd,
    unspent: expect.stringContaining('the operator returns paid credit on request'),
    kept: told.kept,
  });
  expect(ann.browser.cookie).toBe('');
  expect((await other.get('/me')).status).toBe(401);
  expect((await send(api.app, ann.key, 'GET', '/v1/task-models')).body.code).toBe('KEY_REVOKED');
  expect(refreshed).toEqual(expect.arrayContaining(models));
  for (const id of models) await markCleaned(pool, id, 'all');

  const { rows } = await admin.query('SELECT email, password_hash FROM accounts WHERE id = $1', [ann.accountId]);
  expect(rows).toEqual([{ email: `closed-${ann.accountId}@account.invalid`, password_hash: null }]);
  const { rows: kept } = await admin.query(
    `SELECT (SELECT count(*)::int FROM task_models WHERE account_id = $1
               AND (status <> 'deleted' OR description <> '' OR name IS NOT NULL)) AS models,
            (SELECT count(*)::int FROM sessions WHERE account_id = $1) AS sessions,
            (SELECT count(*)::int FROM request_log WHERE account_id = $1 AND code <> 'KEY_REVOKED') AS requests,
            (SELECT count(*)::int FROM idempotency_keys WHERE account_id = $1) AS answers,
            (SELECT count(*)::int FROM api_keys WHERE account_id = $1
               AND (name IS NOT NULL OR revoked_at IS NULL)) AS keys,
            (SELECT count(*)::int > 4 FROM ledger_transactions WHERE account_id = $1) AS ledger`,
    [ann.accountId],
  );
  expect(kept).toEqual([{ models: 0, sessions: 0, requests: 0, answers: 0, keys: 0, ledger: true }]);
  expect((await checkLedger(pool)).problems).toEqual([]);
  await expect(
    transaction(pool, (sql) => insertFitting(sql, newModel(ann.accountId, new Date()))),
  ).rejects.toMatchObject({ code: 'KEY_REVOKED' });
});

it('its address can sign up again, without a second automatic free credit', async () => {
  const { pool, admin } = api.database;
  expect(await wasClosed(pool, ann.email.toUpperCase())).toBe(true);
  expect(await wasClosed(pool, bob.email)).toBe(false);
  await admin.query(`UPDATE sign_up_policy SET mode = 'open'`);
  const again = createBrowser(api.app);
  const reply = await again.post('/sign-up', { email: ann.email, password: 'another long one' });
  expect(reply.body).toMatchObject({ email: ann.email, balance_usd: '0.00', credit_waits: true });
  expect(reply.body.account_id).not.toBe(ann.accountId);
  expect((await again.get('/billing')).body.data).toEqual([]);
  expect((await again.post('/close', { password: 'another long one', email: ann.email })).body.closed_at).toBeDefined();
  expect((await checkLedger(pool)).problems).toEqual([]);
  expect((await again.post('/sign-in', { email: 'a\u0000@example.org', password })).body.field).toBe('email');
  const { rows } = await admin.query(
    `SELECT count(*)::int AS n FROM closed_addresses WHERE email_hash = sha256(convert_to($1, 'UTF8'))`,
    [ann.email],
  );
  expect(rows).toEqual([{ n: 0 }]);
});

it('and the other account is as it was', async () => {
  expect((await bob.browser.get('/me')).body).toMatchObject({ email: bob.email, balance_usd: '3.00' });
  expect((await send(api.app, bob.key, 'GET', '/v1/task-models')).body.data).toHaveLength(1);
});

it('a prediction that was charged before stays in the books of a closed account', async () => {
  const carl = await signedInAccount(api, 'carl');
  const modelId = await createModel(api.database.pool, carl.accountId, at);
  const own = { accountId: carl.accountId, mode: 'live', modelId, at } as const;
  await transaction(api.database.pool, (sql) => charge(sql, { ...own, kind: 'task_models.predict', windows: 2 }));
  expect((await carl.browser.post('/close', { password, email: carl.email })).status).toBe(200);
  expect((await checkLedger(api.database.pool, { at: new Date() })).problems).toEqual([]);
});
