import type { Pool } from 'pg';

/**
 * Calls `keep_ledger_months` of the schema, and once more if it made months: the ids of a month begin in a call after the
 * one that has committed its partitions. Returns the number of months that were made.
 */
export async function keepLedgerMonths(pool: Pool): Promise<number> {
  const keep = async (): Promise<number> =>
    (await pool.query<{ made: number }>('SELECT keep_ledger_months() AS made')).rows[0]!.made;
  const made = await keep();
  if (made > 0) await keep();
  return made;
}
