import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool, openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { waitForDatabase } from '../../infra/drivers/postgres/wait.ts';
import { freePort } from '../../infra/embedded/ports.ts';
import { findRunner } from '../../infra/embedded/postgres-runner.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { newAccount } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { warnMissing } from '../support/fetched-tool.ts';
import { writePoolerSettings } from '../support/pooler-settings.ts';

const program = 'pgbouncer';
const found = await promisify(execFile)(program, ['--version']).then(
  () => true,
  () => false,
);
if (!found) warnMissing('PgBouncer', 'no such program; with apt: apt-get install pgbouncer');

let database: TestDatabase;
let folder: string;
let pooler: ChildProcess;
/** Through the pooler. */
let url: string;
/** A login of this file alone, which owns the database: its session defaults are changed. */
const login = `pooled_${process.pid}`;

beforeAll(async () => {
  if (!found) return;
  database = await createTestDatabase();
  const server = new URL(database.url);
  const name = server.pathname.slice(1);
  await database.admin.query(`CREATE ROLE ${login} SUPERUSER LOGIN PASSWORD 'secret'`);
  folder = await mkdtemp(join(tmpdir(), 'eeg-pooler-'));
  const runner = await findRunner(folder);
  const port = await freePort(0);
  const settings = await writePoolerSettings(runner, {
    port,
    user: login,
    password: 'secret',
    database: `${name} = host=${server.hostname} port=${server.port} dbname=${name}`,
    more: ['default_pool_size = 4'],
  });
  const [first, ...words] = [...runner.prefix, program, settings];
  pooler = spawn(first!, words, { stdio: 'ignore', uid: runner.uid, gid: runner.gid });
  url = Object.assign(new URL(database.url), { port: String(port), username: login, password: 'secret' }).href;
  await waitForDatabase({ connectionString: url }, url, () => undefined);
});
afterAll(async () => {
  if (!found) return;
  pooler.kill('SIGKILL');
  await database.admin.query(`DROP ROLE ${login}`).catch(() => undefined);
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const pooled = (): Promise<Pool> => openDatabase(`${url}?pooler=transaction`, { max: 8 });

test.skipIf(!found)(
  'settings that a pooler refuses are not requested, and settings that it drops are detected',
  async () => {
    await expect(openDatabase(url, { max: 1 })).rejects.toThrow(/unsupported startup parameter.*DATABASE_POOLER/s);
  },
);

test.skipIf(!found)('behind a transaction pooler every session has the role and limits of the service', async () => {
  // Sessions that the pooler opened for others, before the service ever came.
  const earlier = createPool(`${url}?pooler=transaction`, { max: 4 });
  await Promise.all([1, 2, 3, 4].map(() => earlier.query('SELECT pg_sleep(0.2)')));
  const pool = await pooled();
  const sessions = await Promise.all(
    Array.from({ length: 16 }, () =>
      pool.query(
        `SELECT current_user AS name, current_setting('statement_timeout') AS statement, pg_sleep(0.05)::text,
           current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle`,
      ),
    ),
  );
  const limits = { name: 'eeg_service', statement: '1min', lock: '30s', idle: '1min', pg_sleep: '' };
  for (const { rows } of sessions) expect(rows).toEqual([limits]);
  await expect(pool.query('DELETE FROM ledger_entries')).rejects.toThrow(/permission denied/);
  await expect(pool.query('UPDATE ledger_transactions SET windows = 0')).rejects.toThrow(/permission denied/);
  await Promise.all([pool.end(), earlier.end()]);
});

test.skipIf(!found)('accounts, charges and transactions at the same time work as without a pooler', async () => {
  const pool = await pooled();
  const { accountId } = await newAccount({ pool });
  const counts = await Promise.all(
    Array.from({ length: 20 }, () =>
      transaction(pool, async (sql) => {
        await sql.query('SELECT FROM wallets WHERE account_id = $1 FOR UPDATE', [accountId]);
        return (await balance(sql, accountId)).available;
      }),
    ),
  );
  expect(new Set(counts).size).toBe(1);
  expect(await checkLedger(pool, { at: new Date() })).toMatchObject({ ok: true });
  await pool.end();
});

test.skipIf(!found)('processes with and without the pooler migrate and work beside each other', async () => {
  const direct = Object.assign(new URL(database.url), { username: login, password: 'secret' }).href;
  const pools = await Promise.all([pooled(), openDatabase(direct, { max: 1 }), pooled()]);
  for (const pool of pools)
    expect((await pool.query('SELECT current_user AS name')).rows).toEqual([{ name: 'eeg_service' }]);
  await Promise.all(pools.map((pool) => pool.end()));
});
