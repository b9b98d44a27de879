import type { Pool, PoolClient } from 'pg';
import { checkLedger, type LedgerCheckOptions } from '../../infra/records/ledger/check.ts';
import type { LedgerProblem } from '../../infra/records/ledger/problem.ts';

/** A pool whose one connection stays inside the transaction of `client`. */
export const poolInside = (client: PoolClient): Pool =>
  ({
    connect: async () =>
      Object.assign(Object.create(client) as PoolClient, {
        query: async (text: string, values?: unknown[]) =>
          /^(BEGIN|COMMIT|ROLLBACK)/.test(text) ? { rows: [] } : await client.query(text, values),
        release: () => undefined,
      }),
    query: async (text: string, values?: unknown[]) => await client.query(text, values),
  }) as unknown as Pool;

/** Runs the check on books that `plant` has damaged (as the superuser, who bypasses triggers), then restores them. */
export async function problemsAfter(
  admin: Pool,
  plant: (sql: PoolClient) => Promise<unknown>,
  options?: LedgerCheckOptions,
): Promise<readonly LedgerProblem[]> {
  const client = await admin.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    await plant(client);
    return (await checkLedger(poolInside(client), options)).problems;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
