import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { createPool, openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { migrate } from '../../infra/drivers/postgres/migrate.ts';
import { readMigrations } from '../../infra/drivers/postgres/migration-files.ts';

export interface TestDatabase {
  /** URL of the superuser, for API and worker processes. */
  readonly url: string;
  /** Works as the service role, like the running service. */
  readonly pool: Pool;
  /** Connects as the superuser: can write what the service could never write. */
  readonly admin: Pool;
  drop(): Promise<void>;
}

const lockId = 7_351_202_612;

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** One migrated database for one test file, copied from a template on the server of the global setup. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env['TEST_PG_URL'];
  if (!server)
    throw new Error(
      'TEST_PG_URL is not set: run this file in the vitest project "stack", whose global setup starts Postgres.',
    );
  const hashes = (await readMigrations()).map((file) => file.hash).join('');
  const template = `template_${createHash('sha256').update(hashes).digest('hex').slice(0, 16)}`;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const root = createPool(server, { max: 1 });
  const client = await root.connect();
  await client.query('SELECT pg_advisory_lock($1)', [lockId]);
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [template]);
    if (rowCount === 0) {
      await client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
      await client.query(`CREATE DATABASE ${template}`);
      const owner = createPool(withDatabase(server, template), { max: 1 });
      try {
        await migrate(owner);
      } finally {
        await owner.end();
      }
      await client.query(`ALTER DATABASE ${template} IS_TEMPLATE true`);
    }
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [lockId]);
    client.release();
  }
  const url = withDatabase(server, name);
  const pool = await openDatabase(url);
  const admin = createPool(url, { max: 4 });
  return {
    url,
    pool,
    admin,
    async drop() {
      await Promise.all([pool.end(), admin.end()]);
      await root.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await root.end();
    },
  };
}
