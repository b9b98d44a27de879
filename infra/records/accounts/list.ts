import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** An account in the operator's list. */
export interface ListedAccount {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  /** The last accepted version of the terms; null: none. */
  readonly terms: string | null;
  readonly suspendedAt: Date | null;
  readonly creditWaitsSince: Date | null;
  readonly closedAt: Date | null;
  /** Available balance. */
  readonly available: MicroUsd;
  /** Number of valid keys. */
  readonly keys: number;
}

/** Accounts, newest first, from before `before` if it is given, at most `limit`. */
export async function listAccounts(
  sql: Sql,
  { before, limit, waiting }: { before: Date | null; limit: number; waiting: boolean },
): Promise<ListedAccount[]> {
  const { rows } = await sql.query<ListedAccount>(
    `SELECT a.id, a.email, a.created_at AS "createdAt", a.suspended_at AS "suspendedAt",
       a.credit_waits_since AS "creditWaitsSince", a.closed_at AS "closedAt", w.balance AS available,
       (SELECT t.version FROM terms_acceptances t WHERE t.account_id = a.id ORDER BY t.accepted_at DESC LIMIT 1) AS terms,
       (SELECT count(*)::integer FROM api_keys k WHERE k.account_id = a.id AND k.revoked_at IS NULL
          AND (k.expires_at IS NULL OR k.expires_at > now())) AS keys
     FROM accounts a JOIN wallets w ON w.account_id = a.id
     WHERE ($1::timestamptz IS NULL OR a.created_at < $1) AND (NOT $3 OR a.credit_waits_since IS NOT NULL AND a.closed_at IS NULL)
     ORDER BY a.created_at DESC, a.id LIMIT $2`,
    [before, limit, waiting],
  );
  return rows;
}
