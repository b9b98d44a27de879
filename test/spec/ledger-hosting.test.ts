import { afterAll, beforeAll, expect, test } from 'vitest';
import { statusAt } from '../../infra/contract/lifecycle.ts';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { findModel, patchModel, readStored } from '../../infra/records/task-models/models.ts';
import { hostingIsDue, payDueHosting, renewUnpaid } from '../../infra/records/task-models/hosting.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { day, hostingOn, start } from '../support/hosting.ts';
import { createModel, newAccount } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());
const { settle, add, spend, months, walk, rich } = hostingOn(() => database.pool);

test('a year of hosting is 13 charges, each at the instant its 30 days begin', async () => {
  const { accountId, id } = await rich();
  await walk(id, day(365));
  const rows = await months(id);
  expect(rows.map((row) => row.period)).toEqual(Array.from({ length: 13 }, (_, i) => i + 1));
  expect(rows.map((row) => row.at)).toEqual(Array.from({ length: 13 }, (_, i) => day(30 * i)));
  expect(rows.map((row) => row.starts_at)).toEqual(rows.map((row) => row.at));
  expect((await balance(database.pool, accountId)).available).toBe(105_000_000n - 14_000_000n);
});

test('an expiry set in month 3 and cleared again changes no charge; one that stays ends hosting at that instant', async () => {
  const { accountId, id } = await rich();
  await walk(id, day(70));
  await patchModel(database.pool, accountId, id, { expiresAt: day(90) });
  expect((await findModel(database.pool, accountId, id))?.nextChargeAt).toBeNull();
  await patchModel(database.pool, accountId, id, { expiresAt: null });
  expect((await findModel(database.pool, accountId, id))?.nextChargeAt).toEqual(day(90));
  await walk(id, day(95));
  expect(await months(id)).toHaveLength(4);
  await patchModel(database.pool, accountId, id, { expiresAt: day(100.5) });
  await walk(id, day(365));
  expect(await months(id)).toHaveLength(4);
  const ended = await readStored(database.pool, id);
  expect(ended).toMatchObject({ status: 'expired', expiresAt: day(100.5), cleanup: 'all' });
});

test('an unpaid month is retried every day; credit that arrives pays it from its beginning', async () => {
  const accountId = await newAccount(database.pool, start);
  const id = await createModel(database.pool, accountId, start);
  await spend(accountId, id, 1, start);
  await walk(id, day(30));
  expect(await readStored(database.pool, id)).toMatchObject({
    status: 'active',
    unpaidSince: day(30),
    retryAt: day(31),
    paidThrough: day(30),
  });
  await walk(id, day(32.5));
  expect((await readStored(database.pool, id))?.retryAt).toEqual(day(33));
  await add(accountId, 1, day(32.6));
  await walk(id, day(33));
  const rows = await months(id);
  expect(rows[1]).toMatchObject({ period: 2, starts_at: day(30), at: day(33) });
  expect(await readStored(database.pool, id)).toMatchObject({
    unpaidSince: null,
    retryAt: null,
    paidThrough: day(60),
    nextChargeAt: day(60),
  });
});

test('predictions of an unpaid model answer 402 until credit arrives and then pay the month themselves', async () => {
  const accountId = await newAccount(database.pool, start);
  const id = await createModel(database.pool, accountId, start);
  await spend(accountId, id, 1, start);
  const pay = async (at: Date) => await transaction(database.pool, async (sql) => await payDueHosting(sql, id, at));
  expect(hostingIsDue((await readStored(database.pool, id))!, day(29.9))).toBe(false);
  expect(hostingIsDue((await readStored(database.pool, id))!, day(30))).toBe(true);
  await expect(pay(day(30))).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDIT',
    status: 402,
    message: /hosting month of clf_.* began 2026-03-02.*\$1.00 is missing/,
  });
  await add(accountId, 1, day(30.5));
  await pay(day(30.5));
  await pay(day(30.5));
  expect(await months(id)).toHaveLength(2);
});

test('hosting that stays unpaid for 7 days expires without a charge', async () => {
  const accountId = await newAccount(database.pool, start);
  const id = await createModel(database.pool, accountId, start);
  await spend(accountId, id, 1, start);
  await walk(id, day(36.99));
  expect((await readStored(database.pool, id))?.status).toBe('active');
  expect(statusAt((await findModel(database.pool, accountId, id))!, day(37))).toBe('expired');
  await walk(id, day(37));
  expect(await readStored(database.pool, id)).toMatchObject({
    status: 'expired',
    expiresAt: day(37),
    unpaidSince: null,
  });
  await add(accountId, 50, day(38));
  expect(await transaction(database.pool, async (sql) => await renewUnpaid(sql, accountId, day(38)))).toEqual([]);
  expect(await months(id)).toHaveLength(1);
});

test('credit pays unpaid months at once, oldest first, and so does a raised cap', async () => {
  const accountId = await newAccount(database.pool, start);
  const [a, b] = [
    await createModel(database.pool, accountId, start),
    await createModel(database.pool, accountId, start),
  ];
  await walk(a, day(30));
  await walk(b, day(31));
  expect((await readStored(database.pool, b))?.unpaidSince).toEqual(day(30));
  await add(accountId, 5, day(31));
  await setLimits(database.pool, accountId, { dailyCapMicroUsd: 10n });
  const renewNow = async () =>
    await transaction(database.pool, async (sql) => await renewUnpaid(sql, accountId, day(31)));
  expect(await renewNow()).toEqual([]);
  await setLimits(database.pool, accountId, { dailyCapMicroUsd: null });
  expect(await renewNow()).toEqual([b]);
});

test('after an outage every month that began is charged once, in order, and models that ended meanwhile end at their own instant', async () => {
  const { accountId, id } = await rich();
  await patchModel(database.pool, accountId, id, { expiresAt: day(100) });
  expect(await settle(id, day(200))).toMatchObject({
    renewed: 3,
    happened: ['Hosting month 2 charged', 'Hosting month 3 charged', 'Hosting month 4 charged', 'Expires'],
  });
  expect((await months(id)).map((row) => row.starts_at)).toEqual([0, 30, 60, 90].map(day));
  expect(await settle(id, day(201))).toMatchObject({ renewed: 0, happened: [] });
});

test('twenty settlements at once charge a month once', async () => {
  const { id } = await rich();
  const results = await Promise.all(Array.from({ length: 20 }, async () => await settle(id, day(30))));
  expect(results.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(1);
});

test('a model deleted in mid-month is charged no more', async () => {
  const { accountId, id } = await rich();
  await walk(id, day(45));
  await database.pool.query(
    `UPDATE task_models SET status = 'deleted', deleted_at = $2, cleanup = 'all' WHERE id = $1`,
    [id, day(45)],
  );
  await walk(id, day(365));
  expect(await months(id)).toHaveLength(2);
  expect((await findModel(database.pool, accountId, id))?.nextChargeAt).toBeNull();
});

test('a test model is deleted after 30 days and never charged', async () => {
  const { id } = await rich('test');
  await walk(id, day(29.99));
  expect((await readStored(database.pool, id))?.status).toBe('active');
  await walk(id, day(30));
  expect(await readStored(database.pool, id)).toMatchObject({ status: 'deleted', deletedAt: day(30), cleanup: 'all' });
  expect(await months(id)).toEqual([]);
});

test('after all of this the books are sound', async () => {
  expect((await checkLedger(database.pool, { at: day(370), overdue: false })).problems).toEqual([]);
});
