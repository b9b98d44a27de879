import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogOf, readDefinitions } from '../../infra/drivers/postgres/catalog.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { schemaOf } from '../support/schema-snapshot.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('schema.sql is the schema that the migrations make; UPDATE_SCHEMA=1 writes it again', async () => {
  const snapshot = new URL('../../infra/drivers/postgres/schema.sql', import.meta.url);
  const schema = await schemaOf(database.admin);
  if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(snapshot, schema);
  expect(await readFile(snapshot, 'utf8')).toBe(schema);
});

test('catalog.json lists what the migrations and grants make; UPDATE_SCHEMA=1 writes it again', async () => {
  const file = new URL('../../infra/drivers/postgres/catalog.json', import.meta.url);
  const catalog = catalogOf(await readDefinitions(database.admin));
  if (process.env['UPDATE_SCHEMA'] === '1') await writeFile(file, `${JSON.stringify(catalog, null, 2)}\n`);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(catalog);
});

test('every function of the schema has a caller', async () => {
  const { rows } = await database.admin.query<{ name: string; calls: number }>(`
    SELECT p.proname AS name, (SELECT count(*)::int FROM pg_trigger t WHERE t.tgfoid = p.oid)
      + (SELECT count(*)::int FROM pg_proc o
         WHERE o.oid <> p.oid AND o.pronamespace = p.pronamespace AND position(p.proname || '(' IN o.prosrc) > 0)
      + (SELECT count(*)::int FROM pg_constraint c WHERE position(p.proname || '(' IN pg_get_constraintdef(c.oid)) > 0)
      AS calls
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace`);
  const fromOutside = rows.filter(({ calls }) => calls === 0).map(({ name }) => name);
  // Those that statements of the service call.
  expect(fromOutside.toSorted()).toEqual([
    'admit_requests',
    'begin_idempotency',
    'charge_predictions',
    'fit_is_asked_for',
    'keep_ledger_months',
    'keep_request_log',
    'pins_of_batches',
  ]);
});
