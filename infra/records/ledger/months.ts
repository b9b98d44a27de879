import type { Sql } from '../../drivers/postgres/transaction.ts';

/**
 * Makes the partitions of the ledger for this UTC month and the next two, and lets the ids of this month begin. Returns
 * the number of months that were made. The clock of the database decides; tests give `at`.
 */
export async function keepLedgerMonths(sql: Sql, at: Date | null = null): Promise<number> {
  const { rows } = await sql.query<{ made: number }>(
    'SELECT keep_ledger_months(coalesce($1::timestamptz, clock_timestamp())) AS made',
    [at],
  );
  return rows[0]!.made;
}
