import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isReadOnly, isSilence, isUnreachable, sqlState } from './errors.ts';

/** A client inside a transaction, or a pool for a single statement. */
export type Sql = Pick<pg.PoolClient, 'query'>;

const attempts = 6;
const retryable = new Set(['40001', '40P01']);

/**
 * The connection was lost during a COMMIT: the transaction may have committed, so nothing that it refers to may be
 * deleted. The cause is the error of the connection.
 */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super(`Whether the transaction was committed is unknown: ${(cause as Error).message}`, { cause });
    this.name = 'CommitUnknown';
  }
}

/**
 * Runs `fn` in one READ COMMITTED transaction. Serialization failures and deadlocks run `fn` again from the start, so
 * `fn` must have no effect outside the database. A connection lost during COMMIT throws CommitUnknown; after any other
 * error nothing has happened.
 */
export const transaction = <T>(pool: pg.Pool, fn: (sql: pg.PoolClient) => Promise<T>): Promise<T> =>
  withRetries(() => once(pool, fn));

/** Runs `work`, again from the start after a serialization failure or a deadlock. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
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
    await client.query('COMMIT').catch((error: unknown) => {
      throw sqlState(error) === null || isUnreachable(error) ? new CommitUnknown(error) : error;
    });
    return result;
  } catch (error) {
    const cause = error instanceof CommitUnknown ? error.cause : error;
    if (isSilence(cause) || isReadOnly(cause)) broken = cause as Error;
    else
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Server errors that occur before the commit; after other errors the outcome is unknown. */
const isCertain = (error: unknown): boolean => !/^(08|57P|$)/.test(sqlState(error) ?? '');

/**
 * Runs `fn`, a single statement in its own transaction, with the guarantees of `transaction`: CommitUnknown if the
 * connection was lost while it ran; after any other error nothing has happened.
 */
export const committing = <T>(pool: pg.Pool, fn: (sql: pg.PoolClient) => Promise<T>): Promise<T> =>
  withRetries(async () => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await fn(client);
    } catch (error) {
      if (isReadOnly(error)) broken = error as Error;
      if (isCertain(error)) throw error;
      broken = error as Error;
      throw new CommitUnknown(error);
    } finally {
      client.release(broken);
    }
  });

class DryRunDone extends Error {}

/** Runs `fn` in a transaction and rolls it back: throws what `fn` throws, and changes nothing. */
export async function dryRun(pool: pg.Pool, fn: (sql: pg.PoolClient) => Promise<unknown>): Promise<void> {
  await transaction(pool, async (sql) => {
    await fn(sql);
    throw new DryRunDone();
  }).catch((error: unknown) => {
    if (!(error instanceof DryRunDone)) throw error;
  });
}

/** The database's clock, to the millisecond: the one clock that all processes share. */
export async function databaseClock(sql: Pick<Sql, 'query'>): Promise<Date> {
  const { rows } = await sql.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]!.now;
}
