import { Client, Pool, types, type ClientConfig } from 'pg';
import { ConfigError } from '../config.ts';
import { migrate } from './migrate.ts';
import { endEarlierSessions, setSessionDefaults } from './session-defaults.ts';
import { requirePgBouncer, requirePostgres } from '../versions.ts';
import { statementClient } from './statement-client.ts';
import { databaseTls } from './tls.ts';
import { permanentFault, waitForDatabase } from './wait.ts';

/** Role of the service. It may add rows to the ledger, but never change or remove them. */
const serviceRole = 'eeg_service';

interface PoolOptions {
  readonly max?: number;
  /** Role that every connection sets; absent: the login's own. */
  readonly role?: string;
  /** Milliseconds after which a statement without any response fails and its connection is closed. */
  readonly silenceMs?: number;
  /** Server-side statement timeout; a pooler keeps the usual one. */
  readonly statementMs?: number;
  /** Timeout of waiting for a connection. */
  readonly connectMs?: number;
  /** Called when a connection is lost, idle or in use; the pool replaces it by itself. */
  readonly onLost?: (error: Error) => void;
}

/** Server-side statement timeout, and a slightly longer one for the response. */
const statementMs = 60_000;
const usualSilenceMs = statementMs + 5_000;

/** Limits of every session, so that a hanging session does not block others. */
const limits = {
  statement_timeout: statementMs,
  lock_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
};

const [int8, texts] = [20, 1009];
type ReadText = (value: string) => unknown;

/** An array without quoted texts, nulls or nested arrays. */
const isPlain = (value: string): boolean => /^\{[^"\\{}]+\}$/.test(value) && !value.includes('NULL');

/** Parses arrays of texts like the driver, which reads one character after the other. */
const readTexts: ReadText = (value) =>
  isPlain(value) ? value.slice(1, -1).split(',') : (types.getTypeParser(texts) as ReadText)(value);

const parsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): ReadText {
    if (oid === int8 && format !== 'binary') return BigInt;
    if (oid === texts && format !== 'binary') return readTexts;
    return (types.getTypeParser as (oid: number, format?: string) => ReadText)(oid, format);
  },
};

interface Target {
  readonly config: ClientConfig;
  readonly ssl: ReturnType<typeof databaseTls>['ssl'];
  /** Postgres is behind a transaction pooler: connections keep no session state. */
  readonly pooled: boolean;
}

/** `pooler=transaction` in a URL comes from DATABASE_POOLER. */
function targetOf(url: string): Target {
  const { url: bare, ssl } = databaseTls(url);
  const address = new URL(bare);
  const pooled = address.searchParams.get('pooler') === 'transaction';
  address.searchParams.delete('pooler');
  const config: ClientConfig = {
    connectionString: pooled ? address.href : bare,
    types: parsers,
    application_name: 'eeg-task-classifier',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  return { config, ssl, pooled };
}

/** Whether connections keep their session, so that they can use LISTEN. */
export const keepsSessions = (url: string): boolean => !targetOf(url).pooled;

/**
 * Creates a connection pool. `bigint` columns (also `count(*)`) become `BigInt`, timestamps `Date`. Throws a
 * ConfigError if the URL's TLS options cannot be used.
 */
export function createPool(url: string, options: PoolOptions = {}): Pool {
  const { config, ssl, pooled } = targetOf(url);
  const max = options.max ?? 12;
  const pool = new Pool({
    ...config,
    Client: statementClient({ silenceMs: options.silenceMs ?? usualSilenceMs, ssl }),
    max,
    // A pooler refuses these settings; `openDatabase` sets them as defaults of the login instead.
    ...(!pooled && {
      ...limits,
      statement_timeout: options.statementMs ?? statementMs,
      options: options.role === undefined ? undefined : `-c role=${options.role}`,
    }),
    connectionTimeoutMillis: options.connectMs ?? 60_000,
    // Idle connections end after the driver's 10 s: a server process of Postgres holds 5 to 10 MiB. Two stay, so that a
    // quiet service need not connect again.
    min: Math.min(2, max),
  });
  const lost = options.onLost ?? (() => undefined);
  pool.on('error', lost);
  pool.on('connect', (client) => {
    client.on('error', lost);
  });
  return pool;
}

/**
 * Migrates the schema as the login, then returns a pool with the service role. With `waiting` it waits, with a message,
 * for a server that does not respond yet. Throws a ConfigError with the remedy if waiting cannot help.
 */
export async function openDatabase(
  url: string,
  options: Omit<PoolOptions, 'role'> & {
    log?: (line: string) => void;
    waiting?: (line: string) => void;
  } = {},
): Promise<Pool> {
  const { config, ssl, pooled } = targetOf(url);
  if (options.waiting) await waitForDatabase({ ...config, ...(ssl && { ssl: ssl() }) }, url, options.waiting);
  const owner = createPool(url, { max: 2, silenceMs: 0, role: 'none' });
  let pool: Pool | null = null;
  try {
    await requireVersions(owner, { config, url, pooled, ssl });
    await migrate(owner, { log: options.log, pooled });
    const { rows } = await owner.query<{ usable: boolean }>(
      `SELECT coalesce(bool_or(pg_has_role(session_user, oid, 'SET')), false) AS usable FROM pg_roles WHERE ` +
        `rolname = $1`,
      [serviceRole],
    );
    const role = rows[0]!.usable ? serviceRole : undefined;
    if (pooled)
      await setSessionDefaults(owner, { ...inText(limits), ...(role && { role }) }, options.log ?? (() => undefined));
    pool = createPool(url, { ...options, role });
    await requireRole(pool, role, async () => (pooled ? await endEarlierSessions(owner) : undefined));
    return pool;
  } catch (error) {
    await pool?.end();
    throw permanentFault(error, url) ?? error;
  } finally {
    await owner.end();
  }
}

/**
 * Throws a ConfigError if Postgres or the pooler is too old. A pooler shows its version only to users of its console.
 */
async function requireVersions(
  owner: Pool,
  { config, url, pooled, ssl }: Target & { readonly url: string },
): Promise<void> {
  const { rows } = await owner.query<{ number: number }>(`SELECT current_setting('server_version_num')::int AS number`);
  requirePostgres(rows[0]!.number, new URL(url).host);
  if (!pooled) return;
  const address = new URL(config.connectionString!);
  address.pathname = '/pgbouncer';
  const client = new Client({ connectionString: address.href, ...(ssl && { ssl: ssl() }), query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows: versions } = await client.query<{ version: string }>('SHOW VERSION');
    requirePgBouncer(versions[0]?.version ?? '', address.host);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const inText = (values: Readonly<Record<string, number>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

/** Role of a session, if it is not the requested one; else null. */
async function otherSession(pool: Pool, role: string | undefined): Promise<string | null> {
  const { rows } = await pool.query<{ name: string; milliseconds: number }>(
    `SELECT current_user AS name, setting::int AS milliseconds FROM pg_settings WHERE name = 'statement_timeout'`,
  );
  const { name, milliseconds } = rows[0]!;
  const asked = (role === undefined || name === role) && milliseconds === statementMs;
  return asked ? null : `as ${name} with a statement_timeout of ${milliseconds} ms`;
}

/**
 * Checks the role: with a pooler that drops settings of connections the service would run as the owner of its tables.
 */
async function requireRole(pool: Pool, role: string | undefined, earlier: () => Promise<void>): Promise<void> {
  if ((await otherSession(pool, role)) === null) return;
  await earlier();
  const other = await otherSession(pool, role);
  if (other === null) return;
  throw new ConfigError([
    `Sessions of DATABASE_URL work ${other}, where the service asked for ${role ?? 'its own role'} and ` +
      `${statementMs} ms: a pooler drops these settings. Set DATABASE_POOLER=transaction.`,
  ]);
}
