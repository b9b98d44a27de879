import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ConfigError } from '../config.ts';
import { sqlState } from './errors.ts';
import { baseline, readMigrations, statementsOf, type Migration } from './migration-files.ts';

const grants = new URL('./grants.sql', import.meta.url);
const lockId = 7_351_202_611;
const pollMs = 250;

/**
 * Lock timeout of a schema change. A change that waits for a table blocks every later statement on it, so it gives up
 * soon and tries again. The timeout is shorter than the second after which Postgres looks for deadlocks: if statements
 * and the change wait for each other, the change gives up and no statement fails.
 */
const lockMs = 300;
const mostLockTimeouts = 500;

/**
 * Keepalive: otherwise a process whose machine has crashed would keep the lock for hours. The server checks after a
 * minute.
 */
const keepaliveSettings =
  'SET LOCAL tcp_keepalives_idle = 30; SET LOCAL tcp_keepalives_interval = 10; SET LOCAL tcp_keepalives_count = 3';
const lockTimeoutStates: ReadonlySet<string | null> = new Set(['55P03', '40P01']);

interface Options {
  readonly log?: (line: string) => void;
  /** Whether Postgres is behind a transaction pooler. */
  readonly pooled?: boolean;
  /** Migrations; default: the service's own. */
  readonly files?: readonly Migration[];
}

/** Result of one turn: another process is migrating, or the files that were applied. */
interface Turn {
  readonly applied: readonly string[];
  readonly next: 'end' | 'again' | 'wait';
}

/**
 * Applies the SQL files that this database lacks and returns their names. All run in one transaction, except files that
 * request to run outside one. One process migrates, the others wait. Throws if an applied file has changed, if the
 * database is older than 0.1.0, or if a newer version has applied a `contract` file. An older version works with
 * `expand` files of a newer one.
 */
export async function migrate(pool: pg.Pool, options: Options = {}): Promise<string[]> {
  const { log = () => undefined, pooled = false, files = await readMigrations() } = options;
  const applied: string[] = [];
  let said = false;
  for (let lockTimeouts = 0; ;) {
    try {
      const { applied: now, next } = await turn(pool, { files, log, pooled });
      applied.push(...now);
      if (next === 'end') return applied;
      if (next === 'again') continue;
      if (!said) log('Another process is migrating the database; waiting for it.');
      said = true;
    } catch (error) {
      lockTimeouts += 1;
      if (!lockTimeoutStates.has(sqlState((error as Error).cause ?? error)) || lockTimeouts > mostLockTimeouts)
        throw error;
      if (lockTimeouts === 1) log('A migration gave way to statements that run; it is tried again.');
    }
    await sleep(pollMs);
  }
}

/** Tries the lock without waiting: a waiting statement would block the concurrent build of indexes. */
async function turn(pool: pg.Pool, options: Required<Options>): Promise<Turn> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(
      `BEGIN; SET LOCAL ROLE NONE; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${lockMs}; ` +
        `SET LOCAL idle_in_transaction_session_timeout = 0; ${keepaliveSettings}`,
    );
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [lockId]);
    const done = rows[0]!.taken ? await apply(client, pool, options) : ({ applied: [], next: 'wait' } as const);
    await client.query('COMMIT');
    return done;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function apply(client: pg.PoolClient, pool: pg.Pool, { files, log, pooled }: Required<Options>): Promise<Turn> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), kind text NOT NULL)`,
  );
  const { rows } = await client.query<Applied>('SELECT * FROM schema_migrations ORDER BY name');
  checkHistory(files, rows, log);
  const seen = new Set(rows.map(({ name }) => name));
  const pending = files.filter((file) => !seen.has(file.name));
  const outside = pending.findIndex((file) => !file.inTransaction);
  const together = outside < 0 ? pending : pending.slice(0, outside);
  if (together.length === 0 && outside === 0) {
    const file = pending[0]!;
    if (pooled)
      throw new ConfigError([
        `Migration ${file.name} cannot run behind a transaction pooler. Run any admin command once with DATABASE_URL ` +
          `naming Postgres itself and DATABASE_POOLER unset: npm run -s admin -- sign-up show.`,
      ]);
    log(`Applying migration ${file.name}.`);
    await outsideTransaction(pool, file);
    await record(client, file);
    return { applied: [file.name], next: 'again' };
  }
  for (const file of together) {
    log(`Applying migration ${file.name}.`);
    await client.query(file.text).catch((cause: unknown) => {
      throw new Error(`Migration ${file.name} failed: ${(cause as Error).message}. Nothing was changed.`, { cause });
    });
    await record(client, file);
  }
  if (together.length > 0) await client.query(await readFile(grants, 'utf8'));
  return { applied: together.map((file) => file.name), next: outside < 0 ? 'end' : 'again' };
}

/**
 * Runs each statement by itself on a separate connection while the caller's connection has the lock. Repeating it is
 * safe.
 */
async function outsideTransaction(pool: pg.Pool, file: Migration): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET ROLE NONE; SET statement_timeout = 0; SET lock_timeout = 0');
    for (const statement of statementsOf(file)) await client.query(statement);
  } catch (cause) {
    throw new Error(`Migration ${file.name} failed: ${(cause as Error).message}. Start again to try it again.`, {
      cause,
    });
  } finally {
    // Settings stay with the connection.
    client.release(true);
  }
}

const record = (client: pg.PoolClient, { name, hash, kind }: Migration): Promise<unknown> =>
  client.query('INSERT INTO schema_migrations (name, hash, kind) VALUES ($1, $2, $3)', [name, hash, kind]);

interface Applied {
  readonly name: string;
  readonly hash: string;
  readonly kind: string;
}

function checkHistory(files: readonly Migration[], applied: readonly Applied[], log: (line: string) => void): void {
  if (applied.length > 0 && !applied.some(({ name }) => name === baseline))
    throw new ConfigError([
      'The database was made by a version before 0.1.0, which cannot be upgraded: start with an empty database ' +
        '(another DATABASE_URL, or another DATA_DIR).',
    ]);
  const known = new Map(files.map((file) => [file.name, file.hash]));
  for (const { name, hash, kind } of applied) {
    if (!known.has(name)) {
      if (kind !== 'expand')
        throw new Error(
          `The database holds migration ${name}, which this version does not know: it was migrated by a newer ` +
            `version. Start that version.`,
        );
      log(`The database holds migration ${name} of a newer version, which this version works beside.`);
    } else if (known.get(name) !== hash) {
      throw new Error(
        `Migration ${name} has changed since it was applied. Restore the file and put the change into a new migration.`,
      );
    }
  }
}
