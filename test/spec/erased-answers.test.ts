import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSettleLifecycle } from '../../activities/lifecycle/settle-lifecycle.ts';
import type { Tools } from '../../activities/tools.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { dayMs } from '../../infra/contract/limits.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { endUnfitted } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { answerOf, enqueueFit, requestOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { eraseAnswersOf } from '../../infra/records/task-models/erase-answers.ts';
import { recordProgress } from '../../infra/records/task-models/progress.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import type { Reply } from '../support/api.ts';
import { path, signal, small, startKeyedApi, type KeyedApi } from '../support/keyed-api.ts';
import { createBody, labels } from '../support/requests.ts';

/** In the name, the description and a class of each model. */
const word = 'zaffre';
const body = (change: Record<string, unknown> = {}) =>
  createBody({
    ...small,
    name: `name ${word}`,
    description: `left hand or ${word} hand`,
    labels: labels.map((label) => (label === 'right' ? `right ${word}` : label)),
    ...change,
  });

let keyed: KeyedApi;
beforeAll(async () => {
  keyed = await startKeyedApi();
});
afterAll(() => keyed.api.close());

const post = (url: string, sent?: unknown, key?: string): Promise<Reply> => keyed.post(url, sent, key);
const remove = (id: string) => keyed.call('DELETE', `${path}/${id}`);
const pool = () => keyed.api.database.pool;
/** Tables with a row that contains the word. */
async function tables(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND xpath_exists('//row', query_to_xml(
         format('SELECT 1 FROM public.%I t WHERE t::text LIKE %L', c.relname, '%${word}%'), false, false, ''))
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
const settle = async (modelId: string, at = Date.now()): Promise<void> => {
  const tools = { pool: pool(), objects: keyed.api.deps.objects, reach: () => undefined } as unknown as Tools;
  await new MockActivityEnvironment().run(createSettleLifecycle({ ...tools, clock: async (ms) => new Date(ms) }), {
    modelId,
    at,
  });
};
const refusal = ({ status, body: { code, field, details } }: Reply) => [status, code, field, details.status];

it('a deleted model leaves no word of it in an answer; the key of its create refuses, and charges nothing', async () => {
  const key = randomUUID();
  const { id } = (await post(path, body(), key)).body;
  expect(await tables()).toEqual(['fit_requests', 'idempotency_keys', 'task_models']);
  const before = await keyed.available();
  await remove(id);
  expect(await tables()).toEqual(['task_models']);
  const again = await post(path, body(), key);
  expect(refusal(again)).toEqual([404, 'CLASSIFIER_NOT_FOUND', 'Idempotency-Key', 'deleted']);
  expect(again.headers['x-request-id']).toBe(again.body.details.request_id);
  expect((await post(path, body({ name: 'other' }), key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(await keyed.available()).toBe(before);
  await settle(id);
  expect(await tables()).toEqual([]);
  expect((await checkLedger(pool())).problems).toEqual([]);
  const fresh = await post(path, body(), again.body.alternatives[0]['Idempotency-Key']);
  expect(fresh.status).toBe(201);
  await remove(fresh.body.id);
  await settle(fresh.body.id);
});

it('the answers of its first batch, further batches, fit and predictions go too; their keys charge nothing', async () => {
  const keys = ['create', 'batch', 'fit', 'predict'].map((what) => `${what} ${randomUUID()}`);
  const deferred = body({ defer_fit: true });
  const { name: _n, description: _d, defer_fit: _f, ...batch } = deferred;
  const { id } = (await post(path, deferred, keys[0])).body;
  const urls = ['trials', 'fit', 'predictions'].map((what) => `${path}/${id}/${what}`);
  const send = async (n: number) => post(urls[n]!, [batch, {}, signal][n], keys[n + 1]);
  const statuses = [await send(0), await send(1), await send(2)].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200]);
  const before = await keyed.available();
  await remove(id);
  await settle(id);
  const { rows } = await pool().query(
    'SELECT key, response_bytes::int AS bytes FROM idempotency_keys WHERE model_id = $1',
    [id],
  );
  expect(rows).toEqual([{ key: keys[0], bytes: 0 }]);
  expect(refusal(await post(path, deferred, keys[0]))).toEqual([
    404,
    'CLASSIFIER_NOT_FOUND',
    'Idempotency-Key',
    'deleted',
  ]);
  for (const n of [0, 1, 2])
    expect(refusal(await send(n))).toEqual([404, 'CLASSIFIER_NOT_FOUND', 'model_id', 'deleted']);
  expect(await keyed.available()).toBe(before);
  expect((await checkLedger(pool())).problems).toEqual([]);
});

it('a job is answered like its deleted model, and so is the request that started it', async () => {
  const key = randomUUID();
  const ask = () => keyed.call('POST', path, body(), { 'idempotency-key': key, prefer: 'respond-async, wait=60' });
  const { id } = (await ask()).body;
  const { rows } = await pool().query<{ id: string }>('SELECT job_id AS id FROM fit_requests WHERE model_id = $1', [
    id,
  ]);
  const jobId = rows[0]!.id;
  const url = `/v1/jobs/job_${jobId.replaceAll('-', '')}`;
  expect((await keyed.call('GET', url)).body.task_model.id).toBe(id);
  await remove(id);
  for (const [method, at] of [
    ['GET', url],
    ['POST', `${url}/cancel`],
  ] as const)
    expect(refusal(await keyed.call(method, at))).toEqual([404, 'CLASSIFIER_NOT_FOUND', 'model_id', 'deleted']);
  expect(refusal(await ask())).toEqual([404, 'CLASSIFIER_NOT_FOUND', 'Idempotency-Key', 'deleted']);
  // A process that still waits for the job reads the same.
  const late = await answerOf(pool(), jobId);
  expect([late!.status, JSON.parse(late!.body).code]).toEqual([404, 'CLASSIFIER_NOT_FOUND']);
  await settle(id);
  expect(await tables()).toEqual([]);
});

it('a model that expires takes its answers with it', async () => {
  const key = randomUUID();
  const sent = body({ expires_in_days: 40 });
  const { id } = (await post(path, sent, key)).body;
  await settle(id, Date.now() + 41 * dayMs);
  expect(await tables()).toEqual([]);
  expect(refusal(await post(path, sent, key))).toEqual([404, 'CLASSIFIER_NOT_FOUND', 'Idempotency-Key', 'expired']);
});

it('a create whose date has passed since is refused under its key like any other', async () => {
  const key = randomUUID();
  const sent = body({ expires_at: new Date(Date.now() + 3_000).toISOString() });
  const { id } = (await post(path, sent, key)).body;
  await remove(id);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(refusal(await post(path, sent, key))).toEqual([404, 'CLASSIFIER_NOT_FOUND', 'Idempotency-Key', 'deleted']);
  await settle(id);
});

it('a fit that fails after its model was deleted stores no answer, and keeps nothing of the model', async () => {
  const { id } = (await post(path, body({ defer_fit: true }))).body;
  const at = new Date();
  const { accountId } = keyed.account;
  const jobId = randomUUID();
  const key = randomUUID();
  const job = { jobId, modelId: id, accountId, mode: 'live', holdId: null, idempotencyKey: key, requestId: 'r' };
  await enqueueFit(pool(), { ...job, source: { batches: true }, warnings: [word] } as unknown as FitRequest, at, null, [
    word,
  ]);
  await recordProgress(
    pool(),
    jobId,
    [{ method: 'm', title: word, status: 'running', reason: null, seconds: null, balancedAccuracy: null }],
    at,
  );
  await pool().query(
    `INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, locked_until, created_at)
     VALUES ($1, 'live', $2, 'h', 'running', $3, $3)`,
    [accountId, key, at],
  );
  await remove(id);
  const failed = new ApiError('CLASSIFIER_FIT_FAILED', `The class ${word} has no signal.`);
  await transaction(pool(), (sql) => endUnfitted(sql, jobId, failed, at));
  expect((await pool().query('SELECT FROM idempotency_keys WHERE key = $1', [key])).rowCount).toBe(0);
  expect((await answerOf(pool(), jobId))!.status).toBe(404);
  expect((await requestOf(pool(), jobId))!.warnings).toEqual([]);
  await settle(id);
  expect(await tables()).toEqual([]);
});

it('progress that a worker writes after its job has ended and was erased is not stored', async () => {
  const { id } = (await post(path, body({ defer_fit: true }))).body;
  const { accountId } = keyed.account;
  const jobId = randomUUID();
  const job = { jobId, modelId: id, accountId, mode: 'live', holdId: null, idempotencyKey: null, requestId: 'r' };
  const request = { ...job, source: { batches: true }, warnings: [] } as unknown as FitRequest;
  await enqueueFit(pool(), request, new Date());
  await remove(id);
  await settle(id);
  const candidate = {
    method: 'm',
    title: word,
    status: 'scored',
    reason: null,
    seconds: 1,
    balancedAccuracy: 1,
  } as const;
  const ending = await pool().connect();
  await ending.query('BEGIN');
  await endUnfitted(ending, jobId, new ApiError('CLASSIFIER_FIT_FAILED', 'No.'), new Date());
  const late = recordProgress(pool(), jobId, [candidate], new Date());
  await new Promise((resolve) => setTimeout(resolve, 100));
  await ending.query('COMMIT');
  ending.release();
  await late;
  await recordProgress(pool(), jobId, [{ ...candidate, method: 'n' }], new Date());
  expect(await tables()).toEqual([]);
});

/** Stores answers to requests that name a model, under the keys `ID 1`, `ID 2`, …. */
const storeAnswers = (id: string, count: number) =>
  pool().query(
    `INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, response_status, response_body,
       response_bytes, model_id, created_at)
     SELECT $1, 'live', $2 || ' ' || n, 'h', 'done', 200, '{}', 2, $2, now() FROM generate_series(1, $3::integer) AS n`,
    [keyed.account.accountId, id, count],
  );

it('of two erasures at once, neither ends before all answers are removed', async () => {
  const { id } = (await post(path, body({ defer_fit: true }))).body;
  await storeAnswers(id, 6000);
  const first = await pool().connect();
  await first.query('BEGIN');
  await first.query(
    `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM idempotency_keys WHERE model_id = $1 LIMIT 5000))`,
    [id],
  );
  const second = eraseAnswersOf(pool(), id);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await first.query('COMMIT');
  first.release();
  await second;
  expect((await pool().query('SELECT FROM idempotency_keys WHERE model_id = $1', [id])).rowCount).toBe(0);
  await remove(id);
  await settle(id);
});

it('a model is deleted although its erasure deadlocks with a removal of old answers', async () => {
  const { id } = (await post(path, body({ defer_fit: true }))).body;
  await storeAnswers(id, 2);
  const removal = await keyed.api.database.admin.connect();
  const removed = (n: number) => removal.query('DELETE FROM idempotency_keys WHERE key = $1', [`${id} ${n}`]);
  await removal.query(`BEGIN; SET LOCAL deadlock_timeout = '60s'`);
  await removed(2);
  const reply = remove(id);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await removed(1);
  await removal.query('COMMIT');
  removal.release();
  expect((await reply).status).toBe(200);
  expect((await pool().query('SELECT FROM idempotency_keys WHERE model_id = $1', [id])).rowCount).toBe(0);
  await settle(id);
});

it('a deleted zero-shot model leaves nothing of what it read in its job', async () => {
  const { accountId } = keyed.account;
  const { id } = (await post(path, body({ defer_fit: true }))).body;
  const jobId = randomUUID();
  const source = { network: { task: 'left_right', classes: ['left', word], shape: { channelNames: ['C3', word] } } };
  const job = { jobId, modelId: id, accountId, mode: 'live', holdId: null, idempotencyKey: null, requestId: 'r' };
  const request = { ...job, source, warnings: [] } as unknown as FitRequest;
  await enqueueFit(pool(), request, new Date(), null, []);
  await remove(id);
  await transaction(pool(), (sql) => endUnfitted(sql, jobId, new ApiError('CLASSIFIER_FIT_FAILED', 'No.'), new Date()));
  await settle(id);
  expect(await tables()).toEqual([]);
});
