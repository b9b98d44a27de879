import { createHash } from 'node:crypto';
import type pg from 'pg';
import { sqlState } from './errors.ts';
import type { Sql } from './transaction.ts';

/**
 * Errors of a server that does not know the prepared statement, because the pooler has changed the connection. The
 * statement has not run.
 */
const otherConnection = new Set(['26000', '42P05']);

const names = new Map<string, string>();

/** The name is derived from the text, so that it means the same in every process and version. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `eeg_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** Pools whose pooler does not keep prepared statements. */
const withoutPreparedStatements = new WeakSet<object>();

/**
 * Runs a prepared statement. It also works behind a transaction pooler that supports prepared statements (PgBouncer
 * from 1.21 with `max_prepared_statements`). Behind another pooler the first refusal turns prepared statements off for
 * `owner` (default: `sql` itself), and the statement runs unprepared. `text` must be one of few.
 */
export async function prepared<R extends pg.QueryResultRow>(
  sql: Sql,
  text: string,
  values: readonly unknown[],
  owner: object = sql,
): Promise<pg.QueryResult<R>> {
  if (withoutPreparedStatements.has(owner)) return sql.query<R>(text, [...values]);
  try {
    return await sql.query<R>({ name: nameOf(text), text, values: [...values] });
  } catch (error) {
    if (!otherConnection.has(sqlState(error) ?? '')) throw error;
    withoutPreparedStatements.add(owner);
    return sql.query<R>(text, [...values]);
  }
}
