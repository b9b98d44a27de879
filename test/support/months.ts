import type { Pool } from 'pg';

/** What the sweep does with the months of the ledger, at the time `at`. Only the owner may choose a time. */
export async function keepMonthsAt(owner: Pool, at: Date | string): Promise<number> {
  const keep = async (): Promise<number> =>
    (await owner.query<{ made: number }>('SELECT keep_ledger_months($1) AS made', [at])).rows[0]!.made;
  const made = await keep();
  if (made > 0) await keep();
  return made;
}
