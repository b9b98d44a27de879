import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTools } from '../../activities/tools.ts';
import { createSettleLifecycle } from '../../activities/lifecycle/settle-lifecycle.ts';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { keepSealed } from '../../infra/main/keep-sealed.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { ledgerHead } from '../../infra/records/ledger/check-seals.ts';
import { sealInTurn, sealLedger } from '../../infra/records/ledger/seal.ts';
import { sealHash } from '../../infra/records/ledger/seal-sql.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { activitiesInProcess } from '../support/activities-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, newAccount } from '../support/money.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.pool;
});
afterAll(async () => await database.drop());

const creditOf = async (accountId: string): Promise<void> =>
  await transaction(pool, (sql) => credit(sql, { accountId, amount: 1_000_000n, source: 'operator', at: new Date() }));
const unsealed = async (): Promise<number> => (await checkLedger(pool)).unsealed;

test('a transaction that commits late is sealed with later ones, and no charge waits for the seal', async () => {
  const [late, account] = [await newAccount(pool), await newAccount(pool)];
  const modelId = await createModel(pool, account, new Date());
  const client = await pool.connect();
  await client.query('BEGIN');
  await credit(client, { accountId: late, amount: 1_000_000n, source: 'operator', at: new Date() });
  await creditOf(account);
  const sealing = sealLedger(pool);
  // The seal waits for the late one alone.
  await transaction(pool, (sql) =>
    charge(sql, { accountId: account, mode: 'live', modelId, kind: 'task_models.predict', windows: 1, at: new Date() }),
  );
  expect(await ledgerHead(pool)).toBeNull();
  await client.query('COMMIT');
  client.release();
  expect(await sealing).toMatchObject({ seals: 1, left: null });
  expect(await unsealed()).toBe(1);
  expect((await checkLedger(pool, { all: true })).problems).toEqual([]);
});

test('one of two processes seals, and no transaction is sealed twice or left out', async () => {
  const account = await newAccount(pool);
  await Promise.all([sealLedger(pool), creditOf(account), sealLedger(pool), creditOf(account), sealLedger(pool)]);
  await sealLedger(pool);
  expect(await unsealed()).toBe(0);
  expect(await sealLedger(pool)).toEqual({ seals: 0, transactions: 0, left: null });
  expect((await checkLedger(pool, { all: true })).problems).toEqual([]);
});

test('a seal in turn waits for the process that seals now, and covers what was committed before the call', async () => {
  const [late, account] = [await newAccount(pool), await newAccount(pool)];
  const client = await pool.connect();
  await client.query('BEGIN');
  await credit(client, { accountId: late, amount: 1_000_000n, source: 'operator', at: new Date() });
  const sealing = [sealLedger(pool), sealLedger(pool)];
  expect(await Promise.race(sealing)).toMatchObject({ left: 'another process seals' });
  await creditOf(account);
  const next = sealInTurn(pool);
  await client.query('COMMIT');
  client.release();
  await Promise.all(sealing);
  expect(await next).toMatchObject({ left: null });
  expect(await unsealed()).toBe(0);
});

test('a worker seals in the background', async () => {
  const account = await newAccount(pool);
  const sealing = keepSealed(pool, { warn: () => undefined });
  await vi.waitFor(async () => expect(await unsealed()).toBe(0));
  await sealing.stop();
  expect(account).toBeTruthy();
});

test('every later check names transactions that were unsound when they were sealed', async () => {
  const account = await newAccount(pool);
  await database.admin.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     INSERT INTO ledger_entries SELECT id, account_id, 'held', 7 FROM ledger_transactions WHERE account_id = '${account}';
     COMMIT`,
  );
  await sealLedger(pool);
  await creditOf(account);
  await sealLedger(pool);
  const { problems } = await checkLedger(pool);
  expect(problems.map(({ invariant }) => invariant)).toContain('the entries of a transaction sum to zero');
  await database.admin.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     DELETE FROM ledger_entries WHERE account_id = '${account}' AND amount = 7;
     COMMIT`,
  );
  expect((await checkLedger(pool)).problems.map(({ invariant }) => invariant)).toContain(
    'sealed transactions are as they were sealed',
  );
});

test('after a restore or a failover the chain goes on as a new branch, and a head that it lost is refused with the reason', async () => {
  const before = await createTestDatabase();
  try {
    const account = await newAccount(before.pool);
    await sealLedger(before.pool);
    await before.admin.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE ledger_seals SET origin = 'another server';
       UPDATE ledger_seals s SET hash = ${sealHash};
       COMMIT`,
    );
    const kept = await ledgerHead(before.pool);
    await transaction(before.pool, (sql) =>
      credit(sql, { accountId: account, amount: 1n, source: 'operator', at: new Date() }),
    );
    await sealLedger(before.pool);
    expect(await ledgerHead(before.pool)).toMatchObject({ number: 2, branch: 2 });
    expect(await checkLedger(before.pool, { sinceHead: kept!.hash })).toMatchObject({ ok: true, ancestor: 1 });
    const { ok, problems } = await checkLedger(before.pool, { sinceHead: 'ab'.repeat(32) });
    expect(ok).toBe(false);
    expect(problems[0]!.problem).toContain(`Branch 2 began with seal 2`);
    expect(problems[0]!.problem).toContain(kept!.hash);
  } finally {
    await before.drop();
  }
});

test('a renewal uses the clock of the database: a workflow whose clock is ahead waits and charges nothing', async () => {
  const account = await newAccount(pool);
  const modelId = await createModel(pool, account, new Date());
  const settle = createSettleLifecycle(createTools({ pool } as never));
  const at = Date.now() + 100 * 86_400_000;
  const ahead = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(settle, { modelId, at });
  await expect(ahead).rejects.toMatchObject({
    message: expect.stringContaining('ahead of the database'),
    nextRetryDelay: 60_000,
  });
  expect((await readStored(pool, modelId))!.paidThrough!.getTime()).toBeLessThan(at);
  await expect(
    activitiesInProcess({ pool, objects: { deletePrefix: async () => undefined } as never }).settleLifecycle({
      modelId,
      at: Date.now(),
    }),
  ).resolves.toMatchObject({ renewed: 0 });
});
