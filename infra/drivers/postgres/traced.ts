import type pg from 'pg';
import { isTracing, traced } from '../../observe/trace.ts';

type Query = (...args: unknown[]) => Promise<unknown>;

/** Name of a prepared statement, else the first word of the statement; never its text or values. */
function nameOf(statement: unknown): string {
  const { name, text } = (typeof statement === 'object' && statement ? statement : { text: statement }) as {
    name?: unknown;
    text?: unknown;
  };
  if (typeof name === 'string') return name;
  return /^\s*(\w{1,20})/.exec(String(text))?.[1]?.toUpperCase() ?? 'statement';
}

const tracing =
  (query: Query): Query =>
  (...args) =>
    typeof args.at(-1) === 'function'
      ? query(...args)
      : traced(`sql ${nameOf(args[0])}`, { kind: 'client' }, () => query(...args));

/** With tracing on, each round trip of the pool is a child of the current span. */
export function traceStatements<P extends pg.Pool>(pool: P): P {
  if (!isTracing()) return pool;
  const known = new WeakSet<pg.PoolClient>();
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<pg.PoolClient>;
  pool.query = tracing(pool.query.bind(pool) as Query) as typeof pool.query;
  pool.connect = (async (...args: unknown[]) => {
    const client = await connect(...args);
    if (args.length > 0 || known.has(client)) return client;
    known.add(client);
    client.query = tracing(client.query.bind(client) as Query) as typeof client.query;
    return client;
  }) as typeof pool.connect;
  return pool;
}
