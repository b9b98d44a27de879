import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { endEarlierSessions } from '../../infra/drivers/postgres/session-defaults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let earlier: Pool;
let owner: Pool;
const login = `defaults_${process.pid}`;

beforeAll(async () => {
  database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await database.admin.query(`CREATE ROLE ${login} LOGIN PASSWORD 'secret' IN ROLE eeg_service`);
  const url = Object.assign(new URL(database.url), { username: login, password: 'secret' }).href;
  earlier = createPool(`${url}?pooler=transaction`, { max: 3 });
  await Promise.all([1, 2, 3].map(() => earlier.query('SELECT pg_sleep(0.1)')));
  await database.admin.query(`ALTER ROLE ${login} IN DATABASE ${name} SET role TO eeg_service`);
  owner = createPool(`${url}?pooler=transaction`, { max: 2 });
});
afterAll(async () => {
  await Promise.all([earlier?.end(), owner?.end()]);
  await database?.admin.query(`DROP ROLE IF EXISTS ${login}`);
  await database?.drop();
});

const sessions = async (): Promise<number> => {
  const { rows } = await database.admin.query(
    'SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = $1 AND datname = current_database()',
    [login],
  );
  return rows[0].n;
};

test('a session that works as the service by default ends those of its login that began before', async () => {
  expect((await owner.query('SELECT current_user AS name')).rows).toEqual([{ name: 'eeg_service' }]);
  expect(await sessions()).toBe(4);
  await endEarlierSessions(owner);
  await expect.poll(sessions, { timeout: 10_000 }).toBe(0);
  expect((await earlier.query('SELECT current_user AS name')).rows).toEqual([{ name: 'eeg_service' }]);
});
