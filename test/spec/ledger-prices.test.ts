import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiError } from '../../infra/contract/errors.ts';
import { prices } from '../../infra/contract/prices.ts';
import { readMigrations } from '../../infra/drivers/postgres/migration-files.ts';
import { createPool, migrate, transaction } from '../../infra/drivers/postgres/index.ts';
import { balance, capture, charge, checkLedger, reserve } from '../../infra/records/ledger/index.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf, enqueueFit, finishFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { activate, insertFitting } from '../../infra/records/task-models/index.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { createModel, newAccount, newModel } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const at = new Date('2026-05-14T12:00:00Z');
const later = new Date(at.getTime() + 30 * 86_400_000);
const raised = { createFee: 1_500_000n, hostingMonth: 700_000n, window: 4_000n, newAccountCredit: 6_000_000n };

const predict = async (accountId: string, modelId: string, windows: number, current = prices as typeof raised) =>
  await transaction(database.pool, async (sql) => {
    const kind = 'task_models.predict';
    await charge(sql, { accountId, mode: 'live', modelId, kind, windows, at }, current);
  });

const lines = async (modelId: string) =>
  (
    await database.pool.query(
      `SELECT t.kind, t.unit_price AS price, e.amount FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id AND e.amount > 0
       WHERE t.model_id = $1 AND t.kind LIKE 'task_models.%' ORDER BY t.id`,
      [modelId],
    )
  ).rows;

test('a new charge uses the new price, and the old lines stay sound beside it', async () => {
  const accountId = await newAccount(database.pool, at);
  const id = await createModel(database.pool, accountId, at);
  await predict(accountId, id, 5);
  await predict(accountId, id, 5, raised);
  await transaction(database.pool, async (sql) => {
    const kind = 'task_models.hosting';
    await charge(sql, { accountId, mode: 'live', modelId: id, kind, period: 2, fittedAt: at, at: later }, raised);
    await sql.query(`UPDATE task_models SET paid_through = paid_through + interval '720 hours' WHERE id = $1`, [id]);
  });
  expect(await lines(id)).toEqual([
    { kind: 'task_models.create_fee', price: 1_000_000n, amount: 1_000_000n },
    { kind: 'task_models.hosting', price: 1_000_000n, amount: 1_000_000n },
    { kind: 'task_models.predict', price: 3_000n, amount: 15_000n },
    { kind: 'task_models.predict', price: 4_000n, amount: 20_000n },
    { kind: 'task_models.hosting', price: 700_000n, amount: 700_000n },
  ]);
  expect((await checkLedger(database.pool)).problems).toEqual([]);
});

test.each([
  ['raised', prices as typeof raised, raised],
  ['lowered', raised, prices as typeof raised],
])('a hold in flight while the prices are %s is captured at its own', async (_word, before, after) => {
  const accountId = await newAccount(database.pool, at);
  const model = newModel(accountId, at);
  const target = { accountId, mode: 'live', modelId: model.id, at } as const;
  const holdId = await transaction(database.pool, async (sql) => {
    await insertFitting(sql, model);
    return await reserve(sql, target, before);
  });
  const other = newModel(accountId, at);
  const charged = await transaction(database.pool, async (sql) => {
    await reserve(sql, { ...target, modelId: other.id }, after);
    await activate(sql, {
      pins: [],
      id: model.id,
      fittedAt: at,
      method: { id: 'm', version: '1', title: 'M' },
      classes: ['a', 'b'],
      trainingReport: {},
      modelRef: model.id,
    });
    const request = { jobId: model.id, modelId: model.id, accountId, holdId } as FitRequest;
    await enqueueFit(sql, request, at);
    await finishFit(sql, request.jobId, { status: 201, body: '{}' }, at);
    return await capture(sql, holdId, { ...target, fittedAt: at });
  });
  expect((await answerOf(database.pool, model.id))?.microUsd).toBe(charged);
  expect(charged).toBe(before.createFee + before.hostingMonth);
  expect((await lines(model.id)).map(({ price }) => price)).toEqual([before.createFee, before.hostingMonth]);
  expect(await balance(database.pool, accountId)).toEqual({
    available: prices.newAccountCredit - charged - after.createFee - after.hostingMonth,
    held: after.createFee + after.hostingMonth,
  });
});

test('fewer windows are offered for what is charged by the window, and for nothing else', async () => {
  const accountId = await newAccount(database.pool, at);
  const id = await createModel(database.pool, accountId, at);
  const offered = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing was refused',
      ({ alternatives }: ApiError) => alternatives,
    );
  const missing = (usd: string) => `Ask the operator for at least ${usd} USD of credit, then send the request again.`;
  // 6 USD and 4.002 USD are whole multiples of the price of a window.
  const dear = { ...prices, createFee: 3_000_000n, hostingMonth: 3_000_000n };
  const target = { accountId, mode: 'live', modelId: id, at } as const;
  expect(await offered(transaction(database.pool, (sql) => reserve(sql, target, dear)))).toEqual([missing('3.00')]);
  const month = { ...target, kind: 'task_models.hosting', period: 2, fittedAt: at } as const;
  const monthly = { ...raised, hostingMonth: 4_002_000n };
  expect(await offered(transaction(database.pool, (sql) => charge(sql, month, monthly)))).toEqual([missing('1.002')]);
  expect(await offered(predict(accountId, id, 1_001))).toEqual([
    missing('0.003'),
    'Send at most 1000 windows in a request.',
  ]);
  expect(await offered(predict(accountId, id, 1_001, raised))).toEqual([
    missing('1.004'),
    'Send at most 750 windows in a request.',
  ]);
});

test('a charge without a unit price is refused by the database', async () => {
  const accountId = await newAccount(database.pool, at);
  const bare = `INSERT INTO ledger_transactions (account_id, kind, model_id, windows, at) VALUES ($1, 'task_models.predict', 'x', 1, now())`;
  await expect(database.pool.query(bare, [accountId])).rejects.toThrow(/ledger_charges_have_a_unit_price/);
});

test('books written before unit prices were stored are filled from their own entries and stay append-only', async () => {
  const name = `old_${process.pid}`;
  await database.admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  const old = createPool(url.href, { max: 1 });
  try {
    const folder = new URL('../../infra/drivers/postgres/migrations/', import.meta.url);
    await old.query('CREATE TABLE schema_migrations (name text PRIMARY KEY, hash text NOT NULL)');
    for (const file of (await readMigrations()).filter((each) => each.name < '0030')) {
      await old.query(await readFile(new URL(file.name, folder), 'utf8'));
      await old.query('INSERT INTO schema_migrations VALUES ($1, $2)', [file.name, file.hash]);
    }
    await old.query(`
      INSERT INTO accounts (id, email) VALUES ('00000000-0000-4000-8000-000000000001', 'old@example.org');
      INSERT INTO wallets (account_id) SELECT id FROM accounts;
      INSERT INTO holds (account_id, model_id, amount, created_at) SELECT id, 'clf_1', 2000000, now() FROM accounts;
      BEGIN;
      INSERT INTO ledger_transactions (account_id, kind, model_id, windows, at)
        SELECT id, k, m, w, now() FROM accounts, (VALUES ('credit.free', NULL, NULL), ('task_models.predict', 'clf_1', 7)) AS v (k, m, w);
      INSERT INTO ledger_entries SELECT t.id, t.account_id, v.a, v.n FROM ledger_transactions t JOIN (VALUES
        ('credit.free', 'source.free', -5000000), ('credit.free', 'wallet', 5000000),
        ('task_models.predict', 'wallet', -21000), ('task_models.predict', 'revenue.task_models.predict', 21000)) AS v (k, a, n) ON v.k = t.kind;
      COMMIT`);
    await migrate(old);
    const { rows } = await old.query('SELECT kind, unit_price FROM ledger_transactions ORDER BY kind');
    expect(rows).toEqual([
      { kind: 'credit.free', unit_price: 5_000_000n },
      { kind: 'task_models.predict', unit_price: 3_000n },
    ]);
    const { rows: holds } = await old.query('SELECT create_fee, hosting_month FROM holds');
    expect(holds).toEqual([{ create_fee: 1_000_000n, hosting_month: 1_000_000n }]);
    await expect(old.query('UPDATE ledger_transactions SET unit_price = 1')).rejects.toThrow(/append-only/);
    await expect(old.query(`UPDATE holds SET create_fee = 1, hosting_month = 1999999`)).rejects.toThrow(
      /cannot change/,
    );
  } finally {
    await old.end();
    await database.admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
});
