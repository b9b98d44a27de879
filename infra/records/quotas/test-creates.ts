import { allowanceUsedUp } from '../../contract/quota-errors.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/**
 * Takes one create of the day's allowance of test keys, in the transaction that begins it. Throws USAGE_CAP_EXCEEDED
 * when the allowance is used up.
 */
export async function takeTestCreate(
  sql: Sql,
  { accountId, at }: { readonly accountId: string; readonly at: Date },
): Promise<void> {
  const { rows } = await sql.query<{ limit: bigint | null; taken: boolean }>(
    `WITH allowed AS (SELECT id, daily_test_creates AS most FROM accounts WHERE id = $1),
     taken AS (
       INSERT INTO test_create_days AS d (account_id, day, creates)
       SELECT id, ($2::timestamptz AT TIME ZONE 'UTC')::date, 1 FROM allowed WHERE most > 0 OR most IS NULL
       ON CONFLICT (account_id, day) DO UPDATE SET creates = d.creates + 1
         WHERE (d.creates < (SELECT most FROM allowed)) IS NOT FALSE
       RETURNING 1)
     SELECT most AS limit, EXISTS (SELECT FROM taken) AS taken FROM allowed`,
    [accountId, at],
  );
  const [row] = rows;
  if (!row || row.taken) return;
  throw allowanceUsedUp('dailyTestCreates', { used: row.limit!, limit: row.limit!, wanted: 1n, at });
}
