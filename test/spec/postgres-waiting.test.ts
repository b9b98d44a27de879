import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../../infra/drivers/config.ts';
import { openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runMain } from '../support/stack.ts';
import { startWire } from '../support/wire.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const changed = (change: Partial<URL>): string => Object.assign(new URL(database.url), change).href;

/** A port on which nothing listens. */
async function unusedPort(): Promise<number> {
  const wire = await startWire({ host: '127.0.0.1', port: 1 });
  await wire.cut();
  return wire.port;
}

test('a process that starts before its database waits for it, and says so once', async () => {
  const { hostname: host, port } = new URL(database.url);
  const away = await unusedPort();
  const said: string[] = [];
  const opening = openDatabase(changed({ port: String(away) }), { max: 1, waiting: (line) => said.push(line) });
  await expect.poll(() => said).toHaveLength(1);
  const wire = await startWire({ host, port: Number(port) }, away);
  const pool = await opening;
  expect((await pool.query('SELECT current_user AS name')).rows).toEqual([{ name: 'eeg_service' }]);
  await pool.end();
  await wire.cut();
  expect(said).toEqual([expect.stringMatching(/^Waiting for Postgres at 127.*ECONNREFUSED/), 'Postgres is there.']);
});

test('it also waits while the database is read-only', async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const said: string[] = [];
  const opening = openDatabase(database.url, { max: 1, waiting: (line) => said.push(line) });
  await expect.poll(() => said).toEqual([expect.stringMatching(/it takes no writes yet/)]);
  await database.admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  await (await opening).end();
});

test.each([
  ['a wrong password', { password: 'wrong' }, /password authentication failed.*put the right user and password/],
  ['no such database', { pathname: '/nowhere' }, /"nowhere" does not exist.*create it, or name another one/],
])('%s is reported at once, with the remedy', async (_, change, words) => {
  const opening = openDatabase(changed(change), { max: 1, waiting: () => undefined });
  await expect(opening).rejects.toThrow(ConfigError);
  await expect(opening).rejects.toThrow(words);
});

test('SIGTERM ends a process that waits at once', async () => {
  const environment = {
    DATABASE_URL: changed({ port: String(await unusedPort()) }),
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'],
    OBJECT_STORE_URL: 'file:/nowhere',
    DATA_ENCRYPTION_KEY: '0'.repeat(64),
    SESSION_SECRET: '0'.repeat(64),
  };
  const programs = ['api', 'worker'].map((name) => runMain(name, [], environment));
  await Promise.all(programs.map((each) => each.says(/Waiting for Postgres/)));
  for (const { child } of programs) child.kill('SIGTERM');
  const ends = await Promise.all(programs.map(({ exit }) => exit));
  expect(ends).toEqual([0, 0]);
});
