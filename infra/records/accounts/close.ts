import type { Sql } from '../../drivers/postgres/transaction.ts';

/** What an account still has going on or hosts, at one instant. */
export interface ClosingState {
  /** Fits that run, creates that are about to start one included. */
  readonly fits: number;
  readonly openHolds: number;
  /** Ids of models that are deleted with it. */
  readonly models: readonly string[];
  /** Keys that work. */
  readonly keys: number;
}

export async function closingState(sql: Sql, accountId: string, at: Date): Promise<ClosingState> {
  const { rows } = await sql.query<ClosingState>(
    `SELECT (SELECT count(*) FROM (
               SELECT model_id FROM fit_requests WHERE account_id = $1 AND finished_at IS NULL
               UNION SELECT id FROM task_models WHERE account_id = $1 AND status = 'fitting') AS f)::int AS fits,
            (SELECT count(*) FROM holds WHERE account_id = $1 AND state = 'open')::int AS "openHolds",
            ARRAY(SELECT id FROM task_models WHERE account_id = $1 AND status IN ('collecting', 'active', 'expired')
                  ORDER BY id) AS models,
            (SELECT count(*) FROM api_keys WHERE account_id = $1 AND (revoked_at IS NULL OR revoked_at > $2)
               AND (expires_at IS NULL OR expires_at > $2))::int AS keys`,
    [accountId, at],
  );
  return rows[0]!;
}

/**
 * Closes an account in the caller's transaction: sessions, links and keys end with it, and of address, password, and
 * names and ranges of keys nothing is kept but a keyed hash of the address. Holds up everything that spends or creates
 * until the transaction ends; afterwards no model is made on the account. Returns false for one that is closed already, or
 * whose password is no longer the hash that was `verified` (null: none was).
 */
export async function markClosed(
  sql: Sql,
  accountId: string,
  at: Date,
  verified: string | null = null,
): Promise<boolean> {
  await sql.query('SELECT FROM wallets WHERE account_id = $1 FOR NO KEY UPDATE', [accountId]);
  const { rowCount } = await sql.query(
    `UPDATE accounts SET closed_at = $2
     WHERE id = $1 AND closed_at IS NULL AND ($3::text IS NULL OR password_hash = $3)`,
    [accountId, at, verified],
  );
  return rowCount === 1;
}

/** Rows that one statement removes, and rounds of one sweep. */
const step = { rows: 5_000, most: 20 } as const;

/** What is kept for a while for an account's own use, and not at all once it is closed. */
const leftovers = ['request_log', 'idempotency_keys', 'estimate_waits'] as const;

/** Days after which the sweep has long removed everything of a closed account. */
const sweptDays = 40;

/**
 * Removes what closed accounts leave behind, in steps that hold nobody up: their request log, stored answers, and jobs
 * with their candidates. Returns how many rows went.
 */
export async function reapClosedAccounts(sql: Sql, at: Date): Promise<number> {
  const closed = `SELECT id FROM accounts
    WHERE closed_at IS NOT NULL AND closed_at > $1::timestamptz - interval '${sweptDays} days'`;
  let removed = 0;
  for (const table of leftovers) {
    for (let count = 0; count < step.most; count += 1) {
      const { rowCount } = await sql.query(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT t.ctid FROM (${closed}) a JOIN ${table} t ON t.account_id = a.id LIMIT ${step.rows}))`,
        [at],
      );
      removed += rowCount ?? 0;
      if ((rowCount ?? 0) < step.rows) break;
    }
  }
  const { rowCount } = await sql.query(
    `WITH ended AS (
       DELETE FROM fit_requests WHERE finished_at IS NOT NULL AND account_id IN (${closed}) RETURNING job_id)
     DELETE FROM fit_candidates c USING ended e WHERE c.job_id = e.job_id`,
    [at],
  );
  return removed + (rowCount ?? 0);
}
