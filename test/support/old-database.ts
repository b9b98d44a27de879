import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import { createPool } from '../../infra/drivers/postgres/index.ts';
import { readMigrations } from '../../infra/drivers/postgres/migration-files.ts';
import type { TestDatabase } from './database.ts';

const folder = new URL('../../infra/drivers/postgres/migrations/', import.meta.url);

/** Gives `work` a database as it was before the migration that `before` begins ('0030'), and drops it afterwards. */
export async function inOldDatabase(
  { admin, url }: TestDatabase,
  before: string,
  work: (old: Pool) => Promise<void>,
): Promise<void> {
  const name = `old_${process.pid}_${before}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  const old = createPool(address.href, { max: 1 });
  try {
    await old.query('CREATE TABLE schema_migrations (name text PRIMARY KEY, hash text NOT NULL)');
    for (const file of (await readMigrations()).filter((each) => each.name < before)) {
      await old.query(await readFile(new URL(file.name, folder), 'utf8'));
      await old.query('INSERT INTO schema_migrations VALUES ($1, $2)', [file.name, file.hash]);
    }
    await work(old);
  } finally {
    await old.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}
