import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { logUnservable } from '../../infra/main/unservable.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { enqueueFit, finishFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { addBatch } from '../../infra/records/task-models/batches.ts';
import { insertCollecting, insertFitting } from '../../infra/records/task-models/models.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { textLog } from '../../infra/observe/log.ts';
import { openAdmin } from '../support/admin.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, newAccount, newModel, signal } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const sha256 = '5e'.repeat(32);
const start = new Date('2026-01-31T10:20:30.400Z');
const pinned = async () => {
  const { out, exitCode } = await runAdmin(['models', 'pinned'], openAdmin(database.pool));
  expect(exitCode).toBe(0);
  return JSON.parse(out!);
};
const said = async (): Promise<string[]> => {
  const lines: string[] = [];
  await logUnservable(
    database.pool,
    'API',
    textLog((line) => lines.push(line)),
  );
  return lines;
};
const hosted = async (accountId: string, pins: readonly string[]): Promise<string> => {
  const id = await createModel(database.pool, accountId, start, 'test');
  await database.pool.query('UPDATE task_models SET pins = $2 WHERE id = $1', [id, pins]);
  return id;
};
const batch = (modelId: string, pins: readonly string[], n: number) =>
  ({
    modelId,
    featuresRef: `features/${modelId}/${n}`,
    trials: 4,
    windows: 4,
    classCounts: { left: 2, right: 2 },
    signal,
    pins,
    bytes: 100,
    at: start,
  }) as const;

test('an empty service has no pins and says nothing at start', async () => {
  expect(await pinned()).toEqual({ pins: [], processes: [], blocked: [], unservable: [] });
  expect(await said()).toEqual([]);
});

test('pins of active models and of collecting batches are counted; ended models and fitted batches are not', async () => {
  const accountId = await newAccount(database.pool, start);
  await hosted(accountId, ['features:cov@1', 'method:csp-lda@1']);
  await hosted(accountId, ['features:cov@1', 'method:csp-lda@1', 'resampler@1']);
  const ended = await hosted(accountId, ['method:fgmdm@1']);
  await transaction(database.pool, async (sql) => await markDeleted(sql, accountId, ended, start));
  const collecting = newModel(accountId, start, 'test');
  await transaction(database.pool, async (sql) => {
    await insertCollecting(sql, collecting);
    await addBatch(sql, batch(collecting.id, ['features:cov@1', 'features:erp@1'], 1));
    await addBatch(sql, batch(collecting.id, ['features:cov@1'], 2));
  });
  expect(await pinned()).toEqual({
    pins: [
      { pin: 'features:cov@1', models: 2, batches: 2, fits: 0, held: true },
      { pin: 'features:erp@1', models: 0, batches: 1, fits: 0, held: true },
      { pin: 'method:csp-lda@1', models: 2, batches: 0, fits: 0, held: true },
      { pin: 'resampler@1', models: 1, batches: 0, fits: 0, held: true },
    ],
    processes: [],
    blocked: [],
    unservable: [],
  });
  expect(await said()).toEqual([]);
});

test('pins of running fits are counted until they end: of a create, which no reader sees, and of a collecting model', async () => {
  const accountId = await newAccount(database.pool, start);
  const request = (modelId: string): FitRequest => ({
    jobId: `job-${modelId}`,
    modelId,
    accountId,
    mode: 'test',
    taskKind: 'motor',
    source: { batches: true },
    skipped: [],
    bytes: 0,
    cpuSeconds: 0,
    featureSets: ['cov', `robust-sleep-net/${sha256}/alone`, `robust-sleep-net/${sha256}/neighbours`],
    warnings: [],
    idempotencyKey: null,
    holdId: null,
    requestId: 'req',
    candidates: ['1', '7'].map((version) => ({ id: 'csp-lda', version, title: 'CSP', family: 'csp' })),
  });
  const creating = newModel(accountId, start, 'test');
  const collecting = newModel(accountId, start, 'test');
  await transaction(database.pool, async (sql) => {
    await insertFitting(sql, creating);
    await insertCollecting(sql, collecting);
    for (const { id } of [creating, collecting]) await enqueueFit(sql, request(id), start);
  });
  const counted = async () =>
    ((await pinned()).pins as { pin: string }[]).filter(({ pin }) => pin.includes('csp-lda@'));
  expect(await counted()).toEqual([
    { pin: 'method:csp-lda@1', models: 2, batches: 0, fits: 2, held: true },
    { pin: 'method:csp-lda@7', models: 0, batches: 0, fits: 2, held: false },
  ]);
  expect((await pinned()).pins).toContainEqual({
    pin: `weights:robust-sleep-net@${sha256}`,
    models: 0,
    batches: 0,
    fits: 2,
    held: true,
  });
  for (const { id } of [creating, collecting])
    await finishFit(database.pool, request(id).jobId, { status: 422, body: '{}' }, start);
  expect(await counted()).toEqual([{ pin: 'method:csp-lda@1', models: 2, batches: 0, fits: 0, held: true }]);
});

test('a model that needs code that is missing is named with its needs, in the command and at the start', async () => {
  const accountId = await newAccount(database.pool, start);
  const id = await hosted(accountId, ['features:cov@98', 'method:csp-lda@1', 'method:csp-lda@99']);
  const { pins, unservable } = await pinned();
  expect(pins).toContainEqual({ pin: 'method:csp-lda@99', models: 1, batches: 0, fits: 0, held: false });
  const needs = ['version 98 of the features cov', 'version 99 of the method csp-lda'];
  expect(unservable).toEqual([{ model_id: id, account_id: accountId, needs }]);
  expect(await said()).toEqual([
    `This API cannot serve model ${id}: it needs ${needs.join(', ')}, which this API does not hold.`,
  ]);
});

test('more than twenty such models are named in twenty lines and a count', async () => {
  const accountId = await newAccount(database.pool, start);
  for (let n = 0; n < 21; n++) await hosted(accountId, ['resampler@99']);
  const lines = await said();
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('This API cannot serve 2 further models: see admin models pinned.');
});
