import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiError } from '../../infra/contract/errors.ts';
import { prices } from '../../infra/contract/prices.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { capture, reserve } from '../../infra/records/ledger/holds.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf, enqueueFit, finishFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { activate } from '../../infra/records/task-models/transitions.ts';
import { insertFitting } from '../../infra/records/task-models/models.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
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
])('a hold that is open while the prices are %s is captured at its own prices', async (_word, before, after) => {
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

test('fewer windows are offered as a fix only for requests that are charged by the window', async () => {
  const accountId = await newAccount(database.pool, at);
  const id = await createModel(database.pool, accountId, at);
  const offered = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing was refused',
      ({ message }: ApiError) => message.slice(message.indexOf('Ask the operator')),
    );
  const missing = (usd: string) => `Ask the operator for at least $${usd} of credit, then send the request again.`;
  // $6 and $4.002 are whole multiples of the price of a window.
  const dear = { ...prices, createFee: 3_000_000n, hostingMonth: 3_000_000n };
  const target = { accountId, mode: 'live', modelId: id, at } as const;
  expect(await offered(transaction(database.pool, (sql) => reserve(sql, target, dear)))).toBe(missing('3.00'));
  const month = { ...target, kind: 'task_models.hosting', period: 2, fittedAt: at } as const;
  const monthly = { ...raised, hostingMonth: 4_002_000n };
  expect(await offered(transaction(database.pool, (sql) => charge(sql, month, monthly)))).toBe(missing('1.002'));
  expect(await offered(predict(accountId, id, 1_001))).toBe(
    `${missing('0.003')} Send at most 1000 windows in a request.`,
  );
  expect(await offered(predict(accountId, id, 1_001, raised))).toBe(
    `${missing('1.004')} Send at most 750 windows in a request.`,
  );
});

test('a charge without a unit price is refused by the database', async () => {
  const accountId = await newAccount(database.pool, at);
  const bare = `INSERT INTO ledger_transactions (account_id, kind, model_id, windows, at) VALUES ($1, 'task_models.predict', 'x', 1, now())`;
  await expect(database.pool.query(bare, [accountId])).rejects.toThrow(/ledger_charges_have_a_unit_price/);
});
