import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextDue, statusAt } from '../../infra/contract/lifecycle.ts';
import {
  activate,
  dropFitting,
  markCleaned,
  markExpired,
  markDeleted,
} from '../../infra/records/task-models/transitions.ts';
import { addBatch, batchesOf, batchTotals } from '../../infra/records/task-models/batches.ts';
import {
  findModel,
  insertCollecting,
  insertFitting,
  listModels,
  readStored,
} from '../../infra/records/task-models/models.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { readProgress, recordProgress } from '../../infra/records/task-models/progress.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, newAccount, newModel, signal } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const start = new Date('2026-03-01T00:00:00Z');
const day = (days: number): Date => new Date(start.getTime() + days * 86_400_000);

test('a create in progress is not visible, and a failed one leaves nothing', async () => {
  const { pool } = database;
  const accountId = await newAccount(pool, start);
  const model = newModel(accountId, start);
  await insertFitting(pool, model);
  expect(await findModel(pool, accountId, model.id)).toBeNull();
  expect((await listModels(pool, accountId, { limit: 10, before: null, at: start })).models).toEqual([]);
  expect(await markDeleted(pool, accountId, model.id, start)).toBeNull();
  expect((await readStored(pool, model.id))?.status).toBe('fitting');
  expect(await dropFitting(pool, model.id)).toBe(true);
  expect(await readStored(pool, model.id)).toBeNull();
});

test('another account does not see a model', async () => {
  const accountId = await newAccount(database.pool, start);
  const id = await createModel(database.pool, accountId, start);
  const other = await newAccount(database.pool, start);
  expect(await findModel(database.pool, other, id)).toBeNull();
  expect(await markDeleted(database.pool, other, id, start)).toBeNull();
});

test('deleting again changes nothing, and the instant of the first deletion stays', async () => {
  const accountId = await newAccount(database.pool, start);
  const id = await createModel(database.pool, accountId, start);
  const first = await markDeleted(database.pool, accountId, id, day(1));
  expect(first).toMatchObject({ status: 'deleted', deletedAt: day(1), nextChargeAt: null });
  expect(await markDeleted(database.pool, accountId, id, day(2))).toEqual(first);
  await markCleaned(database.pool, id, 'all');
  expect((await readStored(database.pool, id))?.cleanup).toBe('none');
});

test.each(['deleted', 'expired'] as const)(
  'after a model is %s and its objects are deleted, no text of its owner is left',
  async (status) => {
    const accountId = await newAccount(database.pool, start);
    const model = {
      ...newModel(accountId, start),
      name: 'Zanzibar',
      description: 'hands of Zanzibar',
      classes: ['zanzibar left', 'zanzibar right'],
      channels: ['Zanzibar1'],
      signal: { ...signal, warnings: ['Zanzibar is flat.'], renamed_channels: { ZANZIBAR1: 'Zanzibar1' } },
    };
    await insertCollecting(database.pool, model);
    const words = async () =>
      (await database.pool.query(`SELECT FROM task_models m WHERE id = $1 AND m::text ILIKE '%zanzibar%'`, [model.id]))
        .rowCount;
    if (status === 'expired') {
      const fitted = { pins: [], id: model.id, fittedAt: start, classes: model.classes, modelRef: 'x' };
      const method = { id: 'm', version: '1', title: 'M' };
      await transaction(database.pool, (sql) =>
        activate(sql, { ...fitted, method, trainingReport: { best: 'zanzibar left' } }),
      );
      await markExpired(database.pool, model.id, day(1));
    } else await markDeleted(database.pool, accountId, model.id, day(1));
    expect(await words()).toBe(1);
    await markCleaned(database.pool, model.id, 'all');
    expect(await words()).toBe(0);
    expect(await findModel(database.pool, accountId, model.id)).toMatchObject({ status });
  },
);

test('a model deleted while its fit runs is not activated', async () => {
  const accountId = await newAccount(database.pool, start);
  const model = newModel(accountId, start);
  await insertCollecting(database.pool, model);
  await markDeleted(database.pool, accountId, model.id, start);
  const activated = await transaction(
    database.pool,
    async (sql) =>
      await activate(sql, {
        pins: [],
        id: model.id,
        fittedAt: start,
        method: { id: 'm', version: '1', title: 'M' },
        classes: ['a', 'b'],
        trainingReport: {},
        modelRef: 'x',
      }),
  );
  expect(activated).toBeNull();
});

test('batches are numbered in order, add their classes, and are removed by the clean-up', async () => {
  const accountId = await newAccount(database.pool, start);
  const model = { ...newModel(accountId, start), classes: ['left'] };
  await insertCollecting(database.pool, model);
  const add = async (label: string) =>
    await transaction(
      database.pool,
      async (sql) =>
        await addBatch(sql, {
          pins: [],
          modelId: model.id,
          featuresRef: `features/${model.id}/${label}`,
          trials: 5,
          windows: 5,
          classCounts: { left: 2, [label]: 3 },
          signal,
          bytes: 100,
          at: start,
        }),
    );
  expect((await Promise.all(['right', 'feet', 'rest'].map(add))).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  expect((await findModel(database.pool, accountId, model.id))?.classes).toEqual(['feet', 'left', 'rest', 'right']);
  expect(await batchTotals(database.pool, model.id)).toMatchObject({
    batches: 3,
    trials: 15,
    bytes: 300,
    trialsPerClass: { left: 6, right: 3, feet: 3, rest: 3 },
  });
  await settleDue(database.pool, model.id, day(7));
  expect(await findModel(database.pool, accountId, model.id)).toMatchObject({ status: 'deleted', deletedAt: day(7) });
  await expect(add('late')).rejects.toThrow(/not collecting/);
  await markCleaned(database.pool, model.id, 'all');
  expect(await batchesOf(database.pool, model.id)).toEqual([]);
});

test('a fit that was requested within 7 days may end after them', async () => {
  const accountId = await newAccount(database.pool, start);
  const model = newModel(accountId, start);
  await insertCollecting(database.pool, model);
  await database.pool.query(
    `INSERT INTO fit_requests (job_id, model_id, account_id, request, created_at) VALUES ('j', $1, $2, '{}', $3)`,
    [model.id, accountId, day(6.99)],
  );
  const stored = await readStored(database.pool, model.id);
  expect(stored).toMatchObject({ fitPending: true });
  expect(nextDue(stored!)).toBeNull();
  expect(statusAt((await findModel(database.pool, accountId, model.id))!, day(8))).toBe('collecting');
  await database.pool.query(`UPDATE fit_requests SET finished_at = $1, status = 422, body = '{}' WHERE job_id = 'j'`, [
    day(7.1),
  ]);
  expect((await settleDue(database.pool, model.id, day(7.2))).model?.status).toBe('deleted');
});

test('pages are newest first, complete and without repetition while models come and go', async () => {
  const accountId = await newAccount(database.pool, start);
  const ids: string[] = [];
  for (let i = 0; i < 7; i += 1) {
    const model = newModel(accountId, day(Math.floor(i / 2) / 1000));
    await insertCollecting(database.pool, model);
    ids.push(model.id);
  }
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const page = await listModels(database.pool, accountId, { limit: 2, before, at: day(1) });
    seen.push(...page.models.map((model) => model.id));
    if (seen.length === 2) {
      await insertCollecting(database.pool, newModel(accountId, day(0.5)));
      await markDeleted(database.pool, accountId, seen[1]!, day(1));
    }
    before = page.nextBefore;
  } while (before);
  expect(seen.toSorted()).toEqual(ids.toSorted());
  await expect(
    listModels(database.pool, accountId, { limit: 2, before: 'nonsense', at: day(1) }),
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'before' });
});

test('the list holds exactly the models whose status at that instant is collecting or active', async () => {
  const accountId = await newAccount(database.pool, start);
  await database.admin.query(
    `INSERT INTO task_models (id, account_id, mode, description, status, task_kind, classes, channels, signal, created_at, collect_until, expires_at, fitted_at, paid_through,
                              unpaid_since, retry_at, deleted_at, model_ref, method)
     SELECT 'clf_' || replace(gen_random_uuid()::text, '-', ''), $1, mode, '', status, 'other', '{a,b}', '{Cz}', '{}', created, created + interval '7 days', expires,
            created, CASE mode WHEN 'live' THEN created + interval '30 days' END, unpaid, unpaid + interval '1 day', CASE status WHEN 'deleted' THEN created END, 'x', '{}'
     FROM unnest(ARRAY['live', 'test']) mode, unnest(ARRAY['collecting', 'active', 'expired', 'deleted']) status,
          unnest(ARRAY[$2::timestamptz, $2::timestamptz + interval '4 days']) created, unnest(ARRAY[NULL, $2::timestamptz + interval '10 days']) expires,
          unnest(ARRAY[NULL, $2::timestamptz + interval '5 days']) unpaid`,
    [accountId, start],
  );
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM task_models WHERE account_id = $1', [
    accountId,
  ]);
  const records = await Promise.all(rows.map(async ({ id }) => (await findModel(database.pool, accountId, id))!));
  for (const at of [0, 6.999, 7, 9.999, 10, 11, 11.999, 12, 29.999, 30, 34, 60].map(day)) {
    const { models } = await listModels(database.pool, accountId, { limit: 100, before: null, at });
    const expected = records.filter((record) => ['collecting', 'active'].includes(statusAt(record, at)));
    expect(models.map((model) => model.id).toSorted()).toEqual(expected.map((model) => model.id).toSorted());
  }
});

test('progress lists the candidates of a job with their state', async () => {
  const row = { method: 'csp-lda', title: 'CSP + LDA', balancedAccuracy: null, reason: null, seconds: null };
  const accountId = await newAccount(database.pool, start);
  await enqueueFit(database.pool, { jobId: 'job', modelId: 'm', accountId } as unknown as FitRequest, day(0));
  await recordProgress(database.pool, 'job', [{ ...row, status: 'running' }], day(0));
  await recordProgress(
    database.pool,
    'job',
    [{ ...row, method: 'tangent', status: 'failed', reason: 'too few trials' }],
    day(1),
  );
  const last = { ...row, method: 'average', status: 'running' } as const;
  await recordProgress(
    database.pool,
    'job',
    [{ ...row, status: 'scored', balancedAccuracy: 0.75, seconds: 1.5 }, last],
    day(2),
  );
  const read = await readProgress(database.pool, 'job');
  expect(read.map(({ method, status }) => [method, status])).toEqual([
    ['tangent', 'failed'],
    ['csp-lda', 'scored'],
    ['average', 'running'],
  ]);
  expect(read[1]).toEqual({ ...row, status: 'scored', balancedAccuracy: 0.75, seconds: 1.5 });
  await recordProgress(database.pool, 'job', [], day(3));
  expect(await readProgress(database.pool, 'job')).toEqual(read);
});
