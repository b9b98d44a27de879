import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../infra/contract/limits.ts';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { reapRequestLog, reapUsageDays } from '../../infra/records/admission/request-log.ts';
import { recordUsage } from '../../infra/records/admission/usage.ts';
import { readBooksSummary } from '../../infra/records/books-summary.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { release, reserve } from '../../infra/records/ledger/holds.ts';
import { reapHolds } from '../../infra/records/ledger/reap-holds.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { problemsAfter } from '../support/planted.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, newAccount, modelId } from '../support/money.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 4, 14, 12);
const day = (n: number): Date => new Date(start + n * dayMs);
let database: TestDatabase;
let accountId: string;
/** With the rights of the service. */
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  accountId = await newAccount(database.pool, day(0));
  pool = createPool(database.url, { max: 1, role: 'eeg_service' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const request = (at: Date): Promise<unknown> =>
  recordUsage(pool, {
    accountId,
    keyId: 'k',
    mode: 'test',
    endpoint: 'task_models.predict',
    status: 200,
    code: 'ok',
    windows: 1,
    microUsd: 0n,
    requestId: randomUUID(),
    at,
  });
const places = async (): Promise<unknown[]> =>
  (
    await database.admin.query(
      'SELECT tableoid::regclass::text AS place, count(*)::int AS n FROM request_log GROUP BY 1 ORDER BY 1',
    )
  ).rows;

test('each day of the log is a partition, which is dropped whole after 30 days', async () => {
  await request(day(0));
  expect(await reapRequestLog(pool, day(0))).toEqual({ partitions: 0, rows: 0 });
  for (const n of [1, 1, 2]) await request(day(n));
  expect(await places()).toEqual([
    { place: 'request_log_20260515', n: 2 },
    { place: 'request_log_20260516', n: 1 },
    { place: 'request_log_others', n: 1 },
  ]);
  // The first day had no partition when its row came, so the row is deleted by itself.
  expect(await reapRequestLog(pool, day(30.1))).toEqual({ partitions: 0, rows: 1 });
  expect(await reapRequestLog(pool, day(31.6))).toEqual({ partitions: 1, rows: 0 });
  expect(await places()).toEqual([{ place: 'request_log_20260516', n: 1 }]);
});

test('partitions are no fault of the schema', async () => {
  expect((await checkLedger(database.pool)).problems).toEqual([]);
});

test('counters of days end after 400 days, and the oldest rows are shown against their promise', async () => {
  const { oldest } = await readBooksSummary(pool);
  expect(oldest.map(({ table, promise }) => [table, promise / 86_400])).toEqual([
    ['request_log', 30],
    ['usage_days', 400],
    ['spending_days', 400],
    ['holds', 400],
    ['idempotency_keys', 30],
  ]);
  expect(oldest[1]!.seconds).toBeGreaterThan((Date.now() - start) / 1000 - 86_400);
  await database.admin.query(
    `INSERT INTO spending_days (account_id, mode, day, kind) VALUES ($1, 'test', '2026-05-15', 'task_models.predict')`,
    [accountId],
  );
  expect(await reapUsageDays(pool, day(400))).toBe(0);
  expect(await reapUsageDays(pool, day(402))).toBe(3);
});

/** Days before now, by the clock of the database: Postgres itself refuses to delete younger holds. */
const ago = (days: number): Date => new Date(Date.now() - days * dayMs);
const holdsOf = async (account: string): Promise<string[]> =>
  (
    await pool.query<{ state: string }>('SELECT state FROM holds WHERE account_id = $1 ORDER BY created_at', [account])
  ).rows.map(({ state }) => state);

test('a hold ends 400 days after it was captured or released, and the books stay complete without it', async () => {
  const account = await newAccount(pool, ago(500));
  await credit(pool, { accountId: account, amount: 5_000_000n, source: 'operator', at: ago(450) });
  const hold = async (at: Date): Promise<string> =>
    (await reserve(pool, { accountId: account, mode: 'live', modelId: modelId(), at }))!;
  await createModel(pool, account, ago(403));
  const released = await hold(ago(402));
  await release(pool, released, ago(401));
  await release(pool, await hold(ago(401.5)), ago(limits.holdDays - 1));
  await hold(ago(400.5));
  await createModel(pool, account, ago(10));
  const of = `WHERE account_id = '${account}'`;
  for (const state of ['open', 'released'])
    await expect(
      database.admin.query(`DELETE FROM holds ${of} AND state = '${state}'
      AND id <> '${released}'`),
    ).rejects.toThrow(/kept for 400 days/);

  expect(await reapHolds(pool, ago(2))).toBe(1);
  expect(await reapHolds(pool, ago(-1_000))).toBe(1);
  expect(await holdsOf(account)).toEqual(['released', 'open', 'captured']);
  expect((await checkLedger(database.pool)).problems).toEqual([]);

  const problems = await problemsAfter(database.admin, async (sql) => {
    await sql.query(`DELETE FROM ledger_entries e USING ledger_transactions t
      WHERE t.id = e.transaction_id AND t.hold_id = '${released}' AND t.kind = 'hold.release'`);
    await sql.query(`DELETE FROM ledger_transactions WHERE hold_id = '${released}' AND kind = 'hold.release'`);
  });
  expect(problems).toContainEqual(
    expect.objectContaining({ row: `holds ${released}`, problem: expect.stringMatching(/^no such hold/) as string }),
  );
});
