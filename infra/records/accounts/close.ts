import type { Sql } from '../../drivers/postgres/transaction.ts';

/** Running work, models and keys of an account at one instant. */
export interface ClosingState {
  /** Number of running fits, including creates that are about to start one. */
  readonly fits: number;
  readonly openHolds: number;
  /** Ids of models that are deleted with the account. */
  readonly models: readonly string[];
  /** Number of valid keys. */
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
 * Closes an account in the caller's transaction: ends its sessions, links and keys. Erases its address, password, and
 * the names and ranges of its keys; only a keyed hash of the address is kept. Everything that spends or creates waits
 * until the transaction ends; afterwards the account gets no new model. Returns false if it is already closed, or if
 * its password hash is no longer `verified` (null: no password was checked).
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

/** Most rows per statement, and rounds per sweep. */
const step = { rows: 5_000, most: 20 } as const;

/** Tables, with a key, of an account's own data that are kept for a limited time, and removed once it is closed. */
const leftovers = [
  ['request_log', 'account_id, at, request_id'],
  ['idempotency_keys', 'account_id, mode, key'],
  ['estimate_waits', 'account_id, day, request_hash'],
] as const;

/** Days after which the sweep has certainly removed everything of a closed account. */
const sweptDays = 40;

/**
 * Removes the data of closed accounts in small steps that do not block others: request log, stored answers, and jobs
 * with their candidates. Returns the number of rows.
 */
export async function reapClosedAccounts(sql: Sql, at: Date): Promise<number> {
  const closed = `SELECT id FROM accounts
    WHERE closed_at IS NOT NULL AND closed_at > $1::timestamptz - interval '${sweptDays} days'`;
  let removed = 0;
  for (const [table, key] of leftovers) {
    for (let count = 0; count < step.most; count += 1) {
      const { rowCount } = await sql.query(
        `DELETE FROM ${table} WHERE (${key}) IN (
           SELECT ${key} FROM (${closed}) a JOIN ${table} t ON t.account_id = a.id LIMIT ${step.rows})`,
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
