import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const folder = new URL('./migrations/', import.meta.url);
const grants = new URL('./grants.sql', import.meta.url);
const lockId = 7_351_202_611;

interface Migration {
  readonly name: string;
  readonly hash: string;
  readonly text: string;
}

/** The numbered SQL files, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).toSorted();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Applies the SQL files this database has not seen, all in one transaction, and returns their names. A second migrator
 * waits for the first. Throws when an applied file has changed since, or when the database was migrated by a newer
 * version of the service.
 */
export async function migrate(pool: pg.Pool, options: { log?: (line: string) => void } = {}): Promise<string[]> {
  const files = await readMigrations();
  const client = await pool.connect();
  try {
    await client.query('BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    const {
      rows: [lock],
    } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [lockId]);
    if (!lock!.taken) {
      options.log?.('Another process is migrating the database; waiting for it.');
      await client.query('SELECT pg_advisory_xact_lock($1)', [lockId]);
    }
    const applied = await apply(client, files, options.log ?? (() => undefined));
    await client.query('COMMIT');
    return applied;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function apply(
  client: pg.PoolClient,
  files: readonly Migration[],
  log: (line: string) => void,
): Promise<string[]> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ name: string; hash: string }>(
    'SELECT name, hash FROM schema_migrations ORDER BY name',
  );
  const seen = new Map(rows.map((row) => [row.name, row.hash]));
  checkHistory(files, seen);
  const pending = files.filter((file) => !seen.has(file.name));
  for (const file of pending) {
    log(`Applying migration ${file.name}.`);
    await client.query(file.text).catch((cause: unknown) => {
      throw new Error(`Migration ${file.name} failed: ${(cause as Error).message}. Nothing was changed.`, { cause });
    });
    await client.query('INSERT INTO schema_migrations (name, hash) VALUES ($1, $2)', [file.name, file.hash]);
  }
  if (pending.length > 0) await client.query(await readFile(grants, 'utf8'));
  return pending.map((file) => file.name);
}

function checkHistory(files: readonly Migration[], seen: ReadonlyMap<string, string>): void {
  const known = new Map(files.map((file) => [file.name, file.hash]));
  for (const [name, hash] of seen) {
    if (!known.has(name)) {
      throw new Error(
        `The database holds migration ${name}, which this version does not know: it was migrated by a newer ` +
          `version. Start that version.`,
      );
    }
    if (known.get(name) !== hash) {
      throw new Error(
        `Migration ${name} has changed since it was applied. Restore the file and put the change into a new migration.`,
      );
    }
  }
}
