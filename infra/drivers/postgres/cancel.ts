import type pg from 'pg';

/**
 * Cancels the running statement of `client` in the server when `signal` aborts, through another connection of `pool`.
 * Without this the server goes on although nobody waits. The client must be in a transaction, so that a pooler does not
 * change its backend. Returns a function to call before the client is released.
 */
export async function cancelOn(
  signal: AbortSignal | undefined,
  pool: pg.Pool,
  client: pg.PoolClient,
): Promise<() => void> {
  if (!signal) return () => undefined;
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const cancel = (): void => {
    // As the login: the role of the service may not cancel statements of the login's sessions.
    void (async () => {
      const other = await pool.connect();
      try {
        await other.query('BEGIN; SET LOCAL ROLE NONE');
        await other.query('SELECT pg_cancel_backend($1)', [rows[0]!.pid]);
      } finally {
        await other.query('ROLLBACK').catch(() => undefined);
        other.release();
      }
    })().catch(() => undefined);
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
