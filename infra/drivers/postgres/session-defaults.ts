import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const longestMs = 30_000;
const pollMs = 100;
/** Lock number, different from that of migrations. */
const lockId = 7_351_202_612;

/**
 * Sets `wanted` as the defaults of every session of this login in this database, because a pooler does not pass
 * settings of single connections, and ends older sessions so that they are replaced. Does nothing if the defaults are
 * set already.
 */
export async function setSessionDefaults(
  owner: pg.Pool,
  wanted: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query('BEGIN; SET LOCAL ROLE NONE');
    // Two concurrent changes of the same row would fail in Postgres.
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockId]);
    const { rows } = await client.query<{ settings: string[] | null }>(
      `SELECT setconfig AS settings FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
        JOIN pg_roles r ON r.oid = s.setrole WHERE d.datname = current_database() AND r.rolname = session_user`,
    );
    const known = new Set(rows[0]?.settings);
    const missing = Object.entries(wanted).filter(([name, value]) => !known.has(`${name}=${value}`));
    for (const [name, value] of missing)
      await client.query(
        `DO $$ BEGIN EXECUTE format('ALTER ROLE %I IN DATABASE %I SET ${name} TO %L', session_user,
           current_database(), '${value}'); END $$`,
      );
    await client.query('COMMIT');
    if (missing.length === 0) return;
    log('Sessions behind the pooler have new defaults; those that began before are replaced.');
  } finally {
    // This session is also older than the defaults.
    client.release(true);
  }
  await endEarlierSessions(owner);
}

/** Runs one statement as the login itself: the session's default role may not see the login's other sessions. */
async function asLogin(owner: pg.Pool, statement: string, values: readonly unknown[]): Promise<unknown[]> {
  const client = await owner.connect();
  try {
    await client.query('BEGIN; SET LOCAL ROLE NONE');
    const { rows } = await client.query(statement, [...values]);
    await client.query('COMMIT');
    client.release();
    return rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Ends this login's older sessions in this database, each between two transactions. */
export async function endEarlierSessions(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  for (const until = performance.now() + longestMs; performance.now() < until; await sleep(pollMs)) {
    const left = await asLogin(
      owner,
      `SELECT CASE WHEN state = 'idle' THEN pg_terminate_backend(pid) END FROM pg_stat_activity
        WHERE usename = session_user AND datname = current_database() AND pid <> pg_backend_pid()
          AND backend_start < $1`,
      [rows[0]!.now],
    );
    if (left.length === 0) break;
  }
  // Last the current session, if it is an older one: the connection ends with the answer.
  await asLogin(
    owner,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = pg_backend_pid() AND backend_start < $1',
    [rows[0]!.now],
  ).catch(() => undefined);
}
