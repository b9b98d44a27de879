import type { Sql } from '../../drivers/postgres/transaction.ts';
import { sessionDays } from './sessions.ts';

/**
 * Removes ended sessions and links, and counters of attempts whose window has ended. Returns the number of sessions and
 * links.
 */
export async function reapAccounts(sql: Sql, at: Date): Promise<{ sessions: number; links: number }> {
  const sessions = await sql.query(
    'DELETE FROM sessions WHERE expires_at <= $1 OR last_seen_at <= $1::timestamptz - make_interval(days => $2)',
    [at, sessionDays.idle],
  );
  const links = await sql.query('DELETE FROM account_links WHERE expires_at <= $1', [at]);
  await sql.query('DELETE FROM account_attempts WHERE ends_at <= $1', [at]);
  return { sessions: sessions.rowCount ?? 0, links: links.rowCount ?? 0 };
}
