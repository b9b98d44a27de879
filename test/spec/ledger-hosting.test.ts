import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextDue, statusAt } from '../../infra/contract/lifecycle.ts';
import { resume, setLimits, suspend } from '../../infra/records/accounts/index.ts';
import { balance, charge, checkLedger, credit, spending } from '../../infra/records/ledger/index.ts';
import {
  findModel,
  hostingIsDue,
  markDeleted,
  patchModel,
  payDueHosting,
  readStored,
  renewUnpaid,
  settleDue,
} from '../../infra/records/task-models/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { createModel, newAccount } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const start = new Date('2026-01-31T10:20:30.400Z');
const day = (days: number): Date => new Date(start.getTime() + days * 86_400_000);
const settle = async (id: string, at: Date) =>
  await transaction(database.pool, async (sql) => await settleDue(sql, id, at));
const add = async (accountId: string, usd: number, at: Date) =>
  await transaction(
    database.pool,
    async (sql) => await credit(sql, { accountId, amount: BigInt(usd) * 1_000_000n, source: 'operator', at }),
  );
const spend = async (accountId: string, id: string, usd: number, at: Date) =>
  await transaction(
    database.pool,
    async (sql) =>
      await charge(sql, {
        accountId,
        mode: 'live',
        modelId: id,
        kind: 'task_models.predict',
        windows: usd * 1000,
        at,
      }),
  );
const months = async (id: string) =>
  (
    await database.pool.query(
      `SELECT period, starts_at, at FROM ledger_transactions WHERE model_id = $1 AND kind = 'task_models.hosting' ORDER BY period`,
      [id],
    )
  ).rows;

/** Lets time pass: at each due instant what is due is done, as the workflow does it. */
async function walk(id: string, until: Date): Promise<void> {
  for (;;) {
    const model = await readStored(database.pool, id);
    const next = model && nextDue(model);
    if (!next || next.at > until) return;
    await settle(id, next.at);
  }
}

async function rich(mode: 'live' | 'test' = 'live') {
  const accountId = await newAccount(database.pool, start);
  await add(accountId, 100, start);
  return { accountId, id: await createModel(database.pool, accountId, start, mode) };
}

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

test('an unpaid month is tried again every day; credit that arrives pays it from its own beginning', async () => {
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
    message: /hosting month of clf_.* began 2026-03-02.*1.00 USD is missing/,
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

test('credit pays what is unpaid at once, oldest first, and a raised cap does too', async () => {
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

test('after a standstill every month that began is charged once, in order, and what ended meanwhile ends at its own instant', async () => {
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
      'Hosting month 2 waived: the model needs version 7 of the method never-made, which this service does not hold',
      'Hosting month 3 waived: the model needs version 7 of the method never-made, which this service does not hold',
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

test('an unpaid month of a model that cannot be served any more is waived, whoever asks first', async () => {
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

test('so is an expiry that was set before the month began, and nothing that began before the end is given back', async () => {
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
