import type { Pool } from 'pg';

/**
 * Calls `keep_ledger_months` of the schema, and once more if it made months: the ids of a month begin in a call after
 * the one that has committed its partitions.
 */
export async function keepLedgerMonths(pool: Pool): Promise<void> {
  const keep = async (): Promise<number> =>
    (await pool.query<{ made: number }>('SELECT keep_ledger_months() AS made')).rows[0]!.made;
  if ((await keep()) > 0) await keep();
}
