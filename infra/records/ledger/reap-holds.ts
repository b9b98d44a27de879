import { limits } from '../../contract/limits.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { deleteInSteps } from '../delete-in-steps.ts';

/**
 * Removes holds that were captured or released long ago. The ledger keeps their transactions, and the check of the
 * books goes on comparing these with each other. Returns the number of holds. Postgres refuses by its own clock, so
 * `at` may not be ahead of it.
 */
export async function reapHolds(sql: Sql, at: Date): Promise<number> {
  const where = `resolved_at < least($1::timestamptz, now()) - interval '${limits.holdDays} days'`;
  return await deleteInSteps(sql, { table: 'holds', where, column: 'resolved_at' }, [at]);
}
