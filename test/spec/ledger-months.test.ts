import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pool } from 'pg';
import { createSweep } from '../../activities/reconcile/sweep.ts';
import type { Tools } from '../../activities/tools.ts';
import { createObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { capture, reserve } from '../../infra/records/ledger/holds.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, newAccount } from '../support/money.ts';
import { keepMonthsAt } from '../support/months.ts';

const [november, december, january, march] = ['2023-11-30T23:59:00Z', '2023-12-01', '2024-01-01', '2024-03-01'].map(
  (at) => new Date(at),
) as [Date, Date, Date, Date];
let database: TestDatabase;
let pool: Pool;
let account: string;
let model: string;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.pool;
});
afterAll(() => database.drop());

/** Partition and id of the last transaction, and the partition of its entries. */
async function last(): Promise<{ place: string; id: bigint; entries: string }> {
  const { rows } = await pool.query<{ place: string; id: bigint; entries: string }>(
    `SELECT t.tableoid::regclass::text AS place, t.id, min(e.tableoid::regclass::text) AS entries
     FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
     GROUP BY t.tableoid, t.id ORDER BY t.id DESC LIMIT 1`,
  );
  return rows[0]!;
}
const give = (at: Date): Promise<void> =>
  credit(pool, { accountId: account, amount: 9_000_000n, source: 'operator', at });
const months = async (): Promise<string[]> =>
  (
    await database.admin.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
       WHERE inhparent IN ('ledger_transactions'::regclass, 'ledger_entries'::regclass) ORDER BY 1`,
    )
  ).rows.map(({ name }) => name);

test('before the first sweep, postings need no month', async () => {
  account = await newAccount(pool, november);
  await give(november);
  model = await createModel(pool, account, november);
  expect(await last()).toEqual({
    place: 'ledger_transactions_first',
    id: expect.any(BigInt) as bigint,
    entries: 'ledger_entries_first',
  });
});

test('the sweep makes the month and the next two, once', async () => {
  expect(await keepMonthsAt(database.admin, november)).toBe(3);
  expect(await keepMonthsAt(database.admin, november)).toBe(0);
  expect(await months()).toEqual(
    ['ledger_entries', 'ledger_transactions'].flatMap((name) =>
      ['202311', '202312', '202401', 'first'].map((month) => `${name}_${month}`),
    ),
  );
});

test('a posting is in the month in which it is made, and begins with it', async () => {
  await give(november);
  expect(await last()).toMatchObject({ place: 'ledger_transactions_202311', id: 2_023_110_000_000_000n });
  expect(await keepMonthsAt(database.admin, december)).toBe(1);
  await give(november);
  expect(await last()).toEqual({
    place: 'ledger_transactions_202312',
    id: 2_023_120_000_000_000n,
    entries: 'ledger_entries_202312',
  });
});

test('a clock that goes back moves no posting back', async () => {
  await keepMonthsAt(database.admin, november);
  await give(november);
  expect((await last()).id).toBe(2_023_120_000_000_001n);
});

test('while no sweep runs, postings go on in the month before; then months may be left out', async () => {
  await give(january);
  expect((await last()).place).toBe('ledger_transactions_202312');
  await keepMonthsAt(database.admin, march);
  await give(march);
  expect(await last()).toMatchObject({ place: 'ledger_transactions_202403', id: 2_024_030_000_000_000n });
});

test('several processes make a month once, and draw no id twice', async () => {
  const april = new Date('2024-04-01');
  const work = Array.from({ length: 8 }, (_, n) => (n % 2 ? give(april) : keepMonthsAt(database.admin, april)));
  const made = (await Promise.all(work)).filter((each) => typeof each === 'number');
  expect(made.reduce((sum, n) => sum + n, 0)).toBe(1);
  await keepMonthsAt(database.admin, april);
  await give(april);
  expect((await last()).place).toBe('ledger_transactions_202404');
});

test('a new month waits for no posting, reader or backup, and stops none', async () => {
  const other = await newAccount(pool, november);
  const [poster, reader] = [await pool.connect(), await database.admin.connect()];
  try {
    await reader.query('BEGIN; LOCK TABLE ledger_transactions, ledger_entries, wallets IN ACCESS SHARE MODE');
    await poster.query('BEGIN');
    await poster.query('SELECT FROM wallets WHERE account_id = $1 FOR NO KEY UPDATE', [account]);
    expect(await keepMonthsAt(database.admin, new Date('2024-05-01'))).toBe(1);
    await credit(poster, { accountId: account, amount: 1n, source: 'operator', at: march });
    // This transaction has changed `wallets`, so the next month is not made yet.
    expect(await keepMonthsAt(database.admin, new Date('2024-06-01'))).toBe(0);
    await credit(pool, { accountId: other, amount: 1n, source: 'operator', at: march });
    await poster.query('COMMIT');
    expect(await keepMonthsAt(database.admin, new Date('2024-06-01'))).toBe(1);
  } finally {
    await reader.query('ROLLBACK');
    for (const client of [poster, reader]) client.release();
  }
});

test('what may exist once is refused in a later month too', async () => {
  const twice = /ledger_once_pkey/;
  const common = { accountId: account, mode: 'live', modelId: model, at: march } as const;
  await expect(credit(pool, { accountId: account, amount: 5n, source: 'free', at: march })).rejects.toThrow(twice);
  const month = charge(pool, { ...common, kind: 'task_models.hosting', period: 1, fittedAt: november });
  await expect(month).rejects.toThrow(twice);
  const again = transaction(pool, async (sql) => {
    const hold = await reserve(sql, common);
    await capture(sql, hold, { ...common, fittedAt: november });
  });
  await expect(again).rejects.toThrow(twice);
  await transaction(pool, (sql) =>
    charge(sql, { ...common, kind: 'task_models.hosting', period: 2, fittedAt: november }),
  );
  await keepMonthsAt(database.admin, new Date('2024-07-01'));
  await transaction(pool, (sql) => markDeleted(sql, account, model, november));
  const refund = `WITH t AS (
      INSERT INTO ledger_transactions (account_id, kind, model_id, period, unit_price, at)
        SELECT account_id, kind, model_id, period, unit_price, at FROM ledger_transactions
        WHERE kind = 'task_models.hosting_refund' RETURNING id, account_id)
    INSERT INTO ledger_entries SELECT id, account_id, a, m
      FROM t, (VALUES ('revenue.task_models.hosting', -1000000), ('wallet', 1000000)) AS e (a, m)`;
  await expect(pool.query(refund)).rejects.toThrow(twice);
});

test.each([
  'INSERT INTO ledger_entries_202312 SELECT * FROM ledger_entries LIMIT 1',
  'UPDATE ledger_entries_202312 SET amount = amount + 1',
  'DELETE FROM ledger_transactions_202312',
  'TRUNCATE ledger_entries_202312',
])('a partition refuses statements that name it, by its trigger and by rights: %s', async (statement) => {
  await expect(database.admin.query(statement)).rejects.toThrow(/append-only/);
  await expect(pool.query(statement)).rejects.toThrow(/permission denied/);
});

const named = `INSERT INTO ledger_transactions (id, account_id, kind, at) OVERRIDING SYSTEM VALUE
  SELECT 2023110000099999, account_id, 'credit.operator', '2023-11-30' FROM wallets LIMIT 1`;
test.each([
  `INSERT INTO ledger_once VALUES ('x', 1)`,
  `INSERT INTO ledger_months VALUES ('2031-01-01')`,
  named,
  `SELECT keep_ledger_months(now())`,
])('the service cannot write by itself, name an id or choose a time: %s', async (statement) => {
  await expect(pool.query(statement)).rejects.toThrow(/permission denied/);
});

test('no function with the rights of the owner, and none of a trigger, is for everybody', async () => {
  const { rows } = await database.admin.query<{ name: string; service: boolean }>(
    `SELECT p.oid::regprocedure::text AS name, has_function_privilege('eeg_service', p.oid, 'EXECUTE') AS service
     FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
     WHERE p.pronamespace = 'public'::regnamespace AND (p.prosecdef OR p.prorettype = 'trigger'::regtype)
       AND g.grantee IN (0, 'eeg_service'::regrole) ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'keep_ledger_months()',
    'keep_request_log(timestamp with time zone,integer)',
  ]);
  const client = await pool.connect();
  try {
    await client.query('CREATE TEMP TABLE mine (id bigint)');
    for (const name of ['ledger_cache_sums', 'ledger_check_transactions']) {
      const trigger = `CREATE TRIGGER t AFTER INSERT ON mine REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`;
      await expect(client.query(trigger)).rejects.toThrow(/permission denied for function/);
    }
  } finally {
    client.release(true);
  }
});

test('a posting opens the indexes of its own month only', async () => {
  const client = await pool.connect();
  try {
    // The first posting of a connection plans its statements, for which Postgres opens every month once.
    await credit(client, { accountId: account, amount: 1n, source: 'operator', at: march });
    await client.query('BEGIN');
    await credit(client, { accountId: account, amount: 1n, source: 'operator', at: march });
    const { rows } = await client.query<{ name: string }>(
      `SELECT relation::regclass::text AS name FROM pg_locks
       WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relation::regclass::text ~ '^ledger_.*_pkey$' ORDER BY 1`,
    );
    await client.query('COMMIT');
    expect(rows.map(({ name }) => name)).toEqual(['ledger_entries_202407_pkey', 'ledger_transactions_202407_pkey']);
  } finally {
    client.release();
  }
});

test('the sweep makes months by the clock of the database, not by its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-months-'));
  try {
    const objects = createObjectStore({ url: pathToFileURL(folder).href, keys: [new Uint8Array(32)] });
    const tools = { pool, objects, client: null, taskQueue: 'none' } as unknown as Tools;
    await new MockActivityEnvironment().run(createSweep(tools), { at: Date.now() + 400 * 86_400_000 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { rows } = await pool.query<{ ahead: number }>(
    `SELECT round((max(month) - (now() AT TIME ZONE 'UTC')::date) / 30.0)::integer AS ahead FROM ledger_months`,
  );
  expect(rows[0]!.ahead).toBeGreaterThanOrEqual(1);
  expect(rows[0]!.ahead).toBeLessThanOrEqual(2);
});

test('ids begin with a month only in a call after the one that made it', async () => {
  const { rows } = await database.admin.query<{ id: bigint }>(
    'SELECT last_value AS id FROM ledger_transactions_id_seq',
  );
  const client = await database.admin.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT keep_ledger_months('2040-02-01')`);
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
  await give(march);
  expect((await last()).id).toBe(rows[0]!.id + 1n);
});

test.each(['1970-01-05', '2019-12-31T23:59:59Z', '9000-01-01', '290000-01-01', 'infinity', '-infinity'])(
  'a time that no right clock shows makes nothing: %s',
  async (at) => expect(await keepMonthsAt(database.admin, at)).toBe(0),
);

test('seals and the check cover all months', async () => {
  expect(await sealLedger(pool)).toMatchObject({ seals: 1, left: null });
  const { problems, transactions } = await checkLedger(pool, { all: true });
  expect(problems).toEqual([]);
  expect(transactions).toBeGreaterThan(15);
});

test('ids that ran past their month, or were drawn under a wrong clock, never lack a partition', async () => {
  const draw = async (id: bigint): Promise<void> => {
    await database.admin.query(`SELECT setval('ledger_transactions_id_seq', $1)`, [id]);
    await keepMonthsAt(database.admin, '2031-01-01');
    await give(march);
  };
  // December draws more than 10^10 ids, then January begins by its ids alone.
  await draw(2_031_120_000_000_000n);
  await draw(2_031_130_000_000_000n);
  expect((await last()).place).toBe('ledger_transactions_203112');
  await draw(2_032_010_000_000_000n);
  expect((await last()).place).toBe('ledger_transactions_203201');
  await draw(2_032_040_000_000_000n);
  expect((await months()).filter((name) => /transactions_2032/.test(name))).toHaveLength(6);
  // A clock that was once years ahead.
  await draw(8_999_120_000_000_000n);
  expect((await last()).place).toBe('ledger_transactions_899912');
  expect((await checkLedger(pool)).problems.filter(({ invariant }) => /those of this version/.test(invariant))).toEqual(
    [],
  );
});
