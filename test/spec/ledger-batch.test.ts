import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newAccount } from '../support/money.ts';

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  accountId = await newAccount(database.pool);
});
afterAll(async () => await database.drop());

/** Credits of one micro-dollar, in one statement. */
const credits = `WITH posted AS (
    INSERT INTO ledger_transactions (account_id, kind, at)
    SELECT $1, 'credit.operator', now() FROM generate_series(1, $2) RETURNING id)
  INSERT INTO ledger_entries (transaction_id, account_id, ledger_account, amount)
  SELECT p.id, $1, e.account, e.amount
  FROM posted p, (VALUES ('wallet', 1), ('source.operator', -1)) AS e (account, amount)`;

test('many transactions in one statement read only their own entries', async () => {
  await database.admin.query(credits, [accountId, 12_000]);
  await database.admin.query('VACUUM ANALYZE ledger_entries, ledger_transactions');
  const client = await database.admin.connect();
  try {
    await client.query('BEGIN');
    await client.query(credits, [accountId, 1_500]);
    const { rows } = await client.query<{ read: bigint }>(
      `SELECT pg_stat_get_xact_tuples_returned('ledger_entries_pkey'::regclass) AS read`,
    );
    // Before, there were 24,000 entries. Of the own ones, each is read a few times.
    expect(Number(rows[0]!.read)).toBeLessThan(20_000);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
