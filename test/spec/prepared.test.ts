import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { prepared } from '../../infra/drivers/postgres/prepared.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
/** One connection, so that it is known whose plans are asked for. */
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());
beforeEach(() => {
  pool = createPool(database.url, { max: 1 });
});
afterEach(() => pool.end());

const text = 'SELECT $1::int + 1 AS next';
const next = async (n: number) => (await prepared<{ next: number }>(pool, text, [n])).rows[0]!.next;
const kept = async () => (await pool.query('SELECT name FROM pg_prepared_statements')).rows.map(({ name }) => name);

test('a plan is cached under a name that depends on the text of the statement', async () => {
  expect([await next(1), await next(2)]).toEqual([2, 3]);
  const names = await kept();
  expect(names).toHaveLength(1);
  await prepared(pool, `${text} `, [1]);
  expect(await kept()).toHaveLength(2);
});

test('behind a pooler that lost the plan, this statement and later ones run without one', async () => {
  await next(1);
  await pool.query('DEALLOCATE ALL');
  expect([await next(2), await next(3)]).toEqual([3, 4]);
  expect(await kept()).toEqual([]);
});

test('behind a pooler whose connection has the plan of another client, the statement runs', async () => {
  await next(1);
  const [name] = await kept();
  await pool.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
  await pool.query(`PREPARE ${name} AS ${text}`);
  expect([await next(2), await next(3)]).toEqual([3, 4]);
});

test('an error of the statement is passed on, and plans are still used', async () => {
  await expect(prepared(pool, 'SELECT 1 / $1::int', [0])).rejects.toThrow(/division by zero/);
  await next(1);
  expect(await kept()).toHaveLength(1);
});
