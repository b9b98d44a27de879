import type { Sql } from '../../drivers/postgres/transaction.ts';
import { hashToken, newToken } from './tokens.ts';

/** Days without a request after which a session ends, and days after which it ends in any case. */
export const sessionDays = { idle: 14, longest: 90 } as const;

/** Interval in which the last request of a session is recorded at most once. */
const recordEverySeconds = 300;

export interface StoredSession {
  readonly sessionId: string;
  readonly accountId: string;
  readonly email: string;
  /** Time of the database's clock. */
  readonly at: Date;
}

/**
 * Signs an account in: starts a session with a new token. Null if the account was closed, or if its password hash is no
 * longer `verified` (null: no password was checked).
 */
export async function startSession(
  sql: Sql,
  accountId: string,
  verified: string | null = null,
): Promise<{ token: string; sessionId: string } | null> {
  const { token, hash } = newToken();
  const {
    rows: [row],
  } = await sql.query<{ id: string }>(
    `INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at, expires_at)
     SELECT a.id, $2, at, at, at + make_interval(days => $3)
     FROM (SELECT id FROM accounts
           WHERE id = $1 AND closed_at IS NULL AND ($4::text IS NULL OR password_hash = $4) FOR SHARE) a,
          clock_timestamp() AS at RETURNING id`,
    [accountId, hash, sessionDays.longest, verified],
  );
  return row ? { token, sessionId: row.id } : null;
}

/** The current session of a token; null for any other text. */
export async function findSession(sql: Sql, token: string): Promise<StoredSession | null> {
  const {
    rows: [row],
  } = await sql.query<StoredSession>(
    `WITH found AS (
       SELECT s.id, s.account_id, s.last_seen_at, a.email, now.at
       FROM (SELECT clock_timestamp() AS at) AS now, sessions s JOIN accounts a ON a.id = s.account_id
       WHERE s.token_hash = $1 AND s.expires_at > now.at AND s.last_seen_at > now.at - make_interval(days => $2)
         AND a.closed_at IS NULL),
     noted AS (
       UPDATE sessions s SET last_seen_at = f.at FROM found f
       WHERE s.id = f.id AND f.last_seen_at < f.at - make_interval(secs => $3))
     SELECT id AS "sessionId", account_id AS "accountId", email, at FROM found`,
    [hashToken(token), sessionDays.idle, recordEverySeconds],
  );
  return row ?? null;
}

/** Ends one session. Idempotent. */
export async function endSession(sql: Sql, sessionId: string): Promise<void> {
  await sql.query('DELETE FROM sessions WHERE id = $1', [sessionId]);
}

/** Ends every session of an account. Returns their number. */
export async function endSessions(sql: Sql, accountId: string): Promise<number> {
  const { rowCount } = await sql.query('DELETE FROM sessions WHERE account_id = $1', [accountId]);
  return rowCount ?? 0;
}
