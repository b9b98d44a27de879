import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { sqlState } from './errors.ts';

/** What repositories need: a client inside a transaction, or a pool for a single statement. */
export type Sql = Pick<pg.PoolClient, 'query'>;

const attempts = 6;
const retryable = new Set(['40001', '40P01']);

/**
 * Runs `fn` in one READ COMMITTED transaction. Serialization failures and deadlocks run `fn` again from the start, so
 * `fn` must have no effect outside the database. A connection lost during COMMIT is not retried: whether it committed
 * is unknown.
 */
export async function transaction<T>(pool: pg.Pool, fn: (sql: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, fn);
    } catch (error) {
      if (attempt >= attempts || !retryable.has(sqlState(error) ?? '')) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

async function once<T>(pool: pg.Pool, fn: (sql: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await fn(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
