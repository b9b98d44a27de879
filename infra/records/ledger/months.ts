import type { Pool } from 'pg';

/**
 * Makes the partitions of the ledger for this UTC month and the next two, by the clock of the database, and lets the ids
 * of this month begin. Returns the number of months that were made.
 */
export async function keepLedgerMonths(pool: Pool): Promise<number> {
  const keep = async (): Promise<number> =>
    (await pool.query<{ made: number }>('SELECT keep_ledger_months() AS made')).rows[0]!.made;
  const made = await keep();
  // The ids of a month begin in a call after the one that has committed its partitions.
  if (made > 0) await keep();
  return made;
}
