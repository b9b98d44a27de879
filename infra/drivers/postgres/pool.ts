import { Pool, types } from 'pg';
import { migrate } from './migrate.ts';

/** The role the service works as: it may add to the ledger and never change or remove a row of it. */
const serviceRole = 'eeg_service';

interface PoolOptions {
  readonly max?: number;
  /** Role taken on every connection; absent: the login's own. */
  readonly role?: string;
  /** Milliseconds after which a statement that the server does not answer at all is given up with its connection. */
  readonly silenceMs?: number;
  /** Longest wait for a connection. */
  readonly connectMs?: number;
  /** Told about connections lost while idle or in use; the pool replaces them by itself. */
  readonly onLost?: (error: Error) => void;
}

/** Longest that the server lets a statement run, and a little longer for its answer to arrive. */
const statementMs = 60_000;
const usualSilenceMs = statementMs + 5_000;

const int8 = 20;
type ReadText = (value: string) => unknown;
const parsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): ReadText {
    if (oid === int8 && format !== 'binary') return BigInt;
    return (types.getTypeParser as (oid: number, format?: string) => ReadText)(oid, format);
  },
};

/** A connection pool. `bigint` columns (also `count(*)`) are read as `BigInt`; timestamps as `Date`. */
export function createPool(url: string, options: PoolOptions = {}): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.max ?? 12,
    types: parsers,
    options: options.role === undefined ? undefined : `-c role=${options.role}`,
    application_name: 'eeg-task-classifier',
    connectionTimeoutMillis: options.connectMs ?? 60_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementMs,
    query_timeout: options.silenceMs ?? usualSilenceMs,
    lock_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const lost = options.onLost ?? (() => undefined);
  pool.on('error', lost);
  pool.on('connect', (client) => {
    client.on('error', lost);
  });
  return pool;
}

/** Brings the schema up to date as the login, then returns a pool that works as the service role. */
export async function openDatabase(
  url: string,
  options: Omit<PoolOptions, 'role'> & { log?: (line: string) => void } = {},
): Promise<Pool> {
  const owner = createPool(url, { max: 2, silenceMs: 0 });
  try {
    await migrate(owner, { log: options.log });
    const { rows } = await owner.query<{ usable: boolean }>(
      `SELECT coalesce(bool_or(pg_has_role(current_user, oid, 'SET')), false) AS usable FROM pg_roles WHERE ` +
        `rolname = $1`,
      [serviceRole],
    );
    return createPool(url, { ...options, role: rows[0]!.usable ? serviceRole : undefined });
  } finally {
    await owner.end();
  }
}
