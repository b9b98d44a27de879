import type { Sql } from '../../drivers/postgres/transaction.ts';
import type { Acceptance } from './terms.ts';

/** Times of a session; never its token or the token's hash. */
export interface SessionTimes {
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** The current sessions of an account, newest first. */
export async function sessionsOf(sql: Sql, accountId: string): Promise<SessionTimes[]> {
  const { rows } = await sql.query<SessionTimes>(
    `SELECT created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt" FROM sessions
     WHERE account_id = $1 ORDER BY created_at DESC, id`,
    [accountId],
  );
  return rows;
}

/** Every version of the terms that an account has accepted, newest first. */
export async function acceptancesOf(sql: Sql, accountId: string): Promise<Acceptance[]> {
  const { rows } = await sql.query<Acceptance>(
    `SELECT version, accepted_at AS at FROM terms_acceptances WHERE account_id = $1 ORDER BY accepted_at DESC, version`,
    [accountId],
  );
  return rows;
}
