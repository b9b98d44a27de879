import type pg from 'pg';
import { rehearsal } from './transaction.ts';

/** What a transaction becomes inside another. */
const inside: Readonly<Record<string, string>> = {
  BEGIN: 'SAVEPOINT inside',
  COMMIT: 'RELEASE SAVEPOINT inside',
  ROLLBACK: 'ROLLBACK TO SAVEPOINT inside',
};

/**
 * Runs `fn` with a pool of one connection, whose transactions are parts of one that is rolled back: throws what `fn`
 * throws, and changes nothing. Transactions of it do not run at once.
 */
export const rehearseOn = (pool: pg.Pool, fn: (pool: pg.Pool) => Promise<unknown>): Promise<void> =>
  rehearsal(pool, async (sql) => {
    const query = (text: unknown, ...rest: unknown[]): unknown =>
      (sql.query as (...all: unknown[]) => unknown).call(sql, inside[text as string] ?? text, ...rest);
    const client = { query, release: () => undefined };
    await fn({ query, connect: async () => client } as unknown as pg.Pool);
    await sql.query('SET CONSTRAINTS ALL IMMEDIATE');
  });
