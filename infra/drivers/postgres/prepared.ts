import { createHash } from 'node:crypto';
import type pg from 'pg';
import { sqlState } from './errors.ts';
import type { Sql } from './transaction.ts';

/**
 * How a server says that the connection behind a pooler is another one than the plan was made on. Nothing has run then.
 */
const otherConnection = new Set(['26000', '42P05']);

const names = new Map<string, string>();

/** The name of a statement follows its text, so that a name means the same to every process and every version. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `eeg_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  names.set(text, name);
  return name;
}

/** Pools behind which plans are not kept. */
const unkept = new WeakSet<object>();

/**
 * Runs a statement whose plan its connection keeps. Behind a transaction pooler that keeps plans (PgBouncer from 1.21
 * with `max_prepared_statements`) this works as without one; behind another, the first such refusal switches it off for
 * `owner` (default: `sql` itself), and the statement runs as any other. `text` must be one of few.
 */
export async function prepared<R extends pg.QueryResultRow>(
  sql: Sql,
  text: string,
  values: readonly unknown[],
  owner: object = sql,
): Promise<pg.QueryResult<R>> {
  if (unkept.has(owner)) return sql.query<R>(text, [...values]);
  try {
    return await sql.query<R>({ name: nameOf(text), text, values: [...values] });
  } catch (error) {
    if (!otherConnection.has(sqlState(error) ?? '')) throw error;
    unkept.add(owner);
    return sql.query<R>(text, [...values]);
  }
}
