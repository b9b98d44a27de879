import { afterAll, beforeAll, expect, test } from 'vitest';
import { resume, suspend } from '../../infra/records/accounts/accounts.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { spending } from '../../infra/records/ledger/spending.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { payDueHosting, renewUnpaid } from '../../infra/records/task-models/hosting.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { day, hostingOn, start } from '../support/hosting.ts';
import { createModel, newAccount } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());
const { settle, spend, months, walk, rich } = hostingOn(() => database.pool);

const pin = async (id: string, pins: readonly string[]) =>
  await database.pool.query('UPDATE task_models SET pins = $2 WHERE id = $1', [id, pins]);
const waived = async (id: string) =>
  (
    await database.pool.query(
      'SELECT period, starts_at, ends_at, reason, at FROM hosting_waivers WHERE model_id = $1 ORDER BY period',
      [id],
    )
  ).rows;

test('months that begin while the service cannot serve the model are waived, and charged again once it can', async () => {
  const { accountId, id } = await rich();
  await pin(id, ['method:csp-lda@1', 'method:never-made@7']);
  expect(await settle(id, day(65))).toMatchObject({
    renewed: 2,
    happened: [
      'Hosting month 2 waived: the model needs version 7 of the method never-made, which this service does not have',
      'Hosting month 3 waived: the model needs version 7 of the method never-made, which this service does not have',
    ],
  });
  expect(await waived(id)).toEqual([
    { period: 2, starts_at: day(30), ends_at: day(60), reason: expect.stringContaining('never-made'), at: day(65) },
    { period: 3, starts_at: day(60), ends_at: day(90), reason: expect.stringContaining('never-made'), at: day(65) },
  ]);
  expect(await readStored(database.pool, id)).toMatchObject({ paidThrough: day(90), nextChargeAt: day(90) });
  await pin(id, ['method:csp-lda@1']);
  await walk(id, day(100));
  expect((await months(id)).map(({ period }) => period)).toEqual([1, 4]);
  expect(await balance(database.pool, accountId)).toMatchObject({ available: 105_000_000n - 3_000_000n });
  const { problems } = await checkLedger(database.pool, { at: day(100) });
  expect(problems.filter(({ row }) => row.includes(id))).toEqual([]);
});

test('an unpaid month of a model that can no longer be served is waived by any caller', async () => {
  const asks = [
    async (id: string) => await transaction(database.pool, async (sql) => await payDueHosting(sql, id, day(32))),
    async (_id: string, accountId: string) =>
      expect(await transaction(database.pool, async (sql) => await renewUnpaid(sql, accountId, day(32)))).toEqual([]),
    async (id: string) => await walk(id, day(32)),
  ];
  for (const ask of asks) {
    const accountId = await newAccount(database.pool, start);
    const id = await createModel(database.pool, accountId, start);
    await spend(accountId, id, 1, start);
    await walk(id, day(30));
    await pin(id, ['resampler@99']);
    await ask(id, accountId);
    expect((await waived(id)).map(({ period }) => period)).toEqual([2]);
    expect(await months(id)).toHaveLength(1);
    expect(await readStored(database.pool, id)).toMatchObject({
      unpaidSince: null,
      retryAt: null,
      paidThrough: day(60),
    });
  }
});

test('a suspended account pays no renewals: its months are waived, unpaid ones too, and charged again after it resumes', async () => {
  const { accountId, id } = await rich();
  await suspend(database.pool, accountId, day(10));
  expect(await settle(id, day(35))).toMatchObject({
    renewed: 1,
    happened: ['Hosting month 2 waived: the account is suspended'],
  });
  expect(await transaction(database.pool, async (sql) => await renewUnpaid(sql, accountId, day(36)))).toEqual([]);
  await resume(database.pool, accountId);
  await walk(id, day(65));
  expect((await months(id)).map(({ period }) => period)).toEqual([1, 3]);
  expect(await balance(database.pool, accountId)).toMatchObject({ available: 105_000_000n - 3_000_000n });

  const poor = await newAccount(database.pool, start);
  const unpaid = await createModel(database.pool, poor, start);
  await spend(poor, unpaid, 1, start);
  await walk(unpaid, day(31));
  expect((await readStored(database.pool, unpaid))?.unpaidSince).toEqual(day(30));
  await suspend(database.pool, poor, day(31));
  await walk(unpaid, day(50));
  expect(await readStored(database.pool, unpaid)).toMatchObject({
    status: 'active',
    unpaidSince: null,
    paidThrough: day(60),
  });
  expect((await waived(unpaid)).map(({ period, reason }) => [period, reason])).toEqual([
    [2, 'the account is suspended'],
  ]);
});

const lines = async (id: string) =>
  (
    await database.pool.query(
      `SELECT kind, period, unit_price AS price, at FROM ledger_transactions WHERE model_id = $1 AND period > 1 ORDER BY id`,
      [id],
    )
  ).rows;

test('a DELETE stamped before a renewal that commits first is not charged for that month', async () => {
  const { accountId, id } = await rich();
  await settle(id, day(30.001));
  expect((await balance(database.pool, accountId)).available).toBe(105_000_000n - 3_000_000n);
  const erase = async (at: Date) =>
    await transaction(database.pool, async (sql) => await markDeleted(sql, accountId, id, at));
  expect(await erase(day(29.999))).toMatchObject({ status: 'deleted', deletedAt: day(29.999), paidThrough: day(30) });
  await erase(day(29.999));
  const month = { period: 2, price: 1_000_000n, at: day(30.001) };
  expect(await lines(id)).toEqual([
    { kind: 'task_models.hosting', ...month },
    { kind: 'task_models.hosting_refund', ...month },
  ]);
  expect((await balance(database.pool, accountId)).available).toBe(105_000_000n - 2_000_000n);
  const { today } = await spending(database.pool, accountId, day(30.001));
  expect(today?.microUsd).toBe(0n);
});

test('an expiry that was set before a month began cancels its charge; a month that began before the end is not refunded', async () => {
  const { accountId, id } = await rich();
  await settle(id, day(30.001));
  await database.pool.query('UPDATE task_models SET expires_at = $2 WHERE id = $1', [id, day(30)]);
  await settle(id, day(30.002));
  expect((await lines(id)).map(({ kind }) => kind)).toEqual(['task_models.hosting', 'task_models.hosting_refund']);
  const other = await createModel(database.pool, accountId, start);
  await settle(other, day(30.001));
  await transaction(database.pool, async (sql) => await markDeleted(sql, accountId, other, day(30.0005)));
  expect((await lines(other)).map(({ kind }) => kind)).toEqual(['task_models.hosting']);
});

test('after all of this the books are sound', async () => {
  expect((await checkLedger(database.pool)).problems).toEqual([]);
});
