import { terms } from '../../contract/terms.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

export interface Acceptance {
  readonly version: string;
  readonly at: Date;
}

/** Records that an account accepted a version of the terms; the first acceptance of each version stays. */
export async function recordAcceptance(sql: Sql, accountId: string, version: string, at: Date): Promise<void> {
  await sql.query(
    `WITH first AS (UPDATE accounts SET terms_accepted_at = coalesce(terms_accepted_at, $3) WHERE id = $1)
     INSERT INTO terms_acceptances (account_id, version, accepted_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [accountId, version, at],
  );
}

/** The current version if the account accepted it, else the version that it accepted last; null: none. */
export async function lastAcceptance(sql: Sql, accountId: string): Promise<Acceptance | null> {
  const { rows } = await sql.query<Acceptance>(
    `SELECT version, accepted_at AS at FROM terms_acceptances WHERE account_id = $1
     ORDER BY version = $2 DESC, accepted_at DESC LIMIT 1`,
    [accountId, terms.version],
  );
  return rows[0] ?? null;
}
