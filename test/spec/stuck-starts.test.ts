import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { createCost, reserve } from '../../infra/records/ledger/holds.ts';
import { abandonOverdueFits } from '../../activities/reconcile/overdue-fits.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf, enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { insertCollecting, insertFitting, readStored } from '../../infra/records/task-models/models.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { undoStuckStarts } from '../../infra/records/fit-jobs/stuck.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newAccount, newModel } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const began = new Date(Date.now() - 3_600_000);
const now = new Date();
const sweep = async () =>
  await transaction(database.pool, async (sql) => await undoStuckStarts(sql, new Date(now.getTime() - 900_000), now));

/** What a request leaves whose process dies after it held the credit: hold, row, and the job under its key. */
async function begin(o: { at?: Date; lockedForSeconds?: number; collecting?: boolean; asked?: boolean } = {}) {
  const accountId = await newAccount(database.pool, began);
  const model = newModel(accountId, o.at ?? began);
  const key = randomUUID();
  await transaction(database.pool, async (sql) => {
    const holdId = await reserve(sql, { accountId, mode: 'live', modelId: model.id, at: model.at });
    await (o.collecting ? insertCollecting : insertFitting)(sql, model);
    await sql.query(
      `INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, lock_id, locked_until, job, created_at)
       VALUES ($1, 'live', $2, 'h', 'running', gen_random_uuid(), clock_timestamp() + make_interval(secs => $3), $4, $5)`,
      [accountId, key, o.lockedForSeconds ?? -60, JSON.stringify({ modelId: model.id, jobId: key, holdId }), model.at],
    );
    if (o.asked)
      await sql.query(
        `INSERT INTO fit_requests (job_id, model_id, account_id, request, created_at) VALUES ($1, $2, $3, $5, $4)`,
        [
          key,
          model.id,
          accountId,
          model.at,
          JSON.stringify({ jobId: key, modelId: model.id, accountId, holdId: null }),
        ],
      );
  });
  const keys = async () => (await database.pool.query('SELECT FROM idempotency_keys WHERE key = $1', [key])).rowCount;
  return { accountId, id: model.id, keys };
}

test('a create whose process died before its job began returns its credit, leaves no row and frees its key', async () => {
  const { accountId, id, keys } = await begin();
  expect(await sweep()).toContain(id);
  expect(await balance(database.pool, accountId)).toEqual({ available: 5_000_000n, held: 0n });
  expect(await readStored(database.pool, id)).toBeNull();
  expect(await keys()).toBe(0);
  expect(await sweep()).not.toContain(id);
});

test('a fit of a collecting model that never began returns its credit, and the model stays collecting', async () => {
  const { accountId, id } = await begin({ collecting: true });
  expect(await sweep()).toContain(id);
  expect((await balance(database.pool, accountId)).held).toBe(0n);
  expect((await readStored(database.pool, id))?.status).toBe('collecting');
});

test.each([
  ['is young', { at: now }],
  ['has a job that will end by itself', { asked: true }],
  ['is being taken up by a retry right now', { lockedForSeconds: 60 }],
])('a create that %s is not touched', async (_, how) => {
  const { accountId, id, keys } = await begin(how);
  expect(await sweep()).not.toContain(id);
  expect((await balance(database.pool, accountId)).held).toBe(createCost);
  expect((await readStored(database.pool, id))?.status).toBe('fitting');
  expect(await keys()).toBe(1);
});

test('a test model whose fit never ended does not stay collecting: the fit is given up and the model ends', async () => {
  const accountId = await newAccount(database.pool, began);
  const at = new Date(now.getTime() - 31 * 86_400_000);
  const model = newModel(accountId, at, 'test');
  await insertCollecting(database.pool, model);
  const request: FitRequest = {
    jobId: randomUUID(),
    modelId: model.id,
    accountId,
    mode: 'test',
    taskKind: 'motor',
    source: { batches: true },
    candidates: [],
    skipped: [],
    bytes: 0,
    cpuSeconds: 0,
    featureSets: [],
    warnings: [],
    idempotencyKey: null,
    holdId: null,
    requestId: 'r',
  };
  const asked = new Date(now.getTime() - 5 * 3_600_000);
  await enqueueFit(database.pool, request, asked);
  const settled = async (hours: number) => {
    const then = new Date(now.getTime() + hours * 3_600_000);
    const given = await abandonOverdueFits({ pool: database.pool }, then);
    await transaction(database.pool, (sql) => settleDue(sql, model.id, then));
    return { given, status: (await readStored(database.pool, model.id))!.status };
  };
  expect(await settled(0.9)).toEqual({ given: 0, status: 'collecting' });
  expect(await settled(1.1)).toEqual({ given: 1, status: 'deleted' });
  expect(await answerOf(database.pool, request.jobId)).toMatchObject({ status: 502, microUsd: 0n });
});

test('a live fit that never ended returns its credit and frees its key', async () => {
  const accountId = await newAccount(database.pool, began);
  const model = newModel(accountId, began);
  const key = randomUUID();
  await transaction(database.pool, async (sql) => {
    const holdId = await reserve(sql, { accountId, mode: 'live', modelId: model.id, at: began });
    await insertFitting(sql, model);
    await sql.query(
      `INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, lock_id, locked_until, created_at)
       VALUES ($1, 'live', $2, 'h', 'running', gen_random_uuid(), now() - interval '1 hour', $3)`,
      [accountId, key, began],
    );
    const job = { jobId: key, modelId: model.id, accountId, mode: 'live', taskKind: 'motor', holdId, requestId: 'r' };
    const rest = {
      source: { staged: 's' },
      candidates: [],
      skipped: [],
      featureSets: [],
      bytes: 0,
      cpuSeconds: 0,
      warnings: [],
    };
    await enqueueFit(sql, { ...job, ...rest, idempotencyKey: key } as FitRequest, began);
  });
  await abandonOverdueFits({ pool: database.pool }, new Date(began.getTime() + 6.1 * 3_600_000));
  expect(await balance(database.pool, accountId)).toEqual({ available: 5_000_000n, held: 0n });
  expect(await readStored(database.pool, model.id)).toBeNull();
  expect((await database.pool.query('SELECT FROM idempotency_keys WHERE key = $1', [key])).rowCount).toBe(0);
});

test('the books are sound', async () => {
  expect(
    (await checkLedger(database.pool, { at: new Date(Date.now() + 7 * 3_600_000), overdue: false })).problems,
  ).toEqual([]);
});
