import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { isUnreachable, sqlState } from '../../infra/drivers/postgres/errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 2, silenceMs: 1_500, connectMs: 5_000 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function withClient(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await work(client);
  } finally {
    client.release(true);
  }
}

const slow = (ms: number, query_timeout?: number) =>
  ({ text: 'SELECT pg_sleep($1)::text', values: [ms / 1000], query_timeout }) as pg.QueryConfig;

test('a statement has its own timeout, else that of its pool', async () => {
  const error = await pool.query(slow(3_000)).catch((cause: unknown) => cause);
  expect(isUnreachable(error)).toBe(true);
  expect((await pool.query(slow(2_000, 10_000))).rows).toHaveLength(1);
  await withClient(async (client) => {
    await expect(client.query(slow(1_000, 100))).rejects.toThrow('Query read timeout');
  });
});

test('an answer that comes after its statement was given up reaches no other statement', async () => {
  await withClient(async (client) => {
    const late = client.query(slow(600, 200)).catch((cause: Error) => cause.message);
    expect(await late).toBe('Query read timeout');
    expect((await client.query("SELECT 'mine' AS whose")).rows).toEqual([{ whose: 'mine' }]);
  });
});

test('statements answer a callback or a promise, and an error has the stack of its caller', async () => {
  await withClient(async (client) => {
    const answered = await new Promise((resolve) =>
      client.query('SELECT $1::int AS n', [3], (_error, result) => resolve(result.rows)),
    );
    expect(answered).toEqual([{ n: 3 }]);
    async function whoAsked(): Promise<void> {
      await client.query('SELECT nothing');
    }
    const error = (await whoAsked().catch((cause: unknown) => cause)) as Error;
    expect(sqlState(error)).toBe('42703');
    expect(error.stack).toContain('whoAsked');
  });
});

/** Bytes by which the old generation grows meanwhile; asked again where all of it was collected between. */
async function oldGrowth(work: () => Promise<void>): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (how: object) => void;
  let whole = 0;
  const seen = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { kind: number } }[])
      if (detail.kind !== constants.NODE_PERFORMANCE_GC_MINOR) whole += 1;
  });
  seen.observe({ entryTypes: ['gc'] });
  const old = async (): Promise<number> => {
    for (let time = 0; time < 2; time++) gc({ type: 'minor' });
    await turn();
    return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')!.space_used_size;
  };
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      const [before, wholeBefore] = [await old(), whole];
      await work();
      const after = await old();
      if (whole === wholeBefore) return after - before;
    }
    throw new Error('The whole heap was collected in each of 5 attempts.');
  } finally {
    seen.disconnect();
    setFlagsFromString('--no-expose-gc');
  }
}

const wide = `SELECT ${Array.from({ length: 40 }, (_, at) => `$1::text || '${at}' AS column_${at}`).join(', ')}`;

test.each(['its pool', 'a connection'] as const)(
  'memory of statements of %s is freed by collections of the young generation',
  async (whom) => {
    await withClient(async (client) => {
      const sql = whom === 'its pool' ? pool : client;
      const ask = async (count: number): Promise<void> => {
        for (let at = 0; at < count; at++) await sql.query({ name: 'wide', text: wide, values: ['x'.repeat(100)] });
      };
      await ask(500);
      // Kept until the whole heap is collected, each would leave some 10,000 bytes.
      expect((await oldGrowth(() => ask(1_000))) / 1_000).toBeLessThan(1_500);
    });
  },
);
