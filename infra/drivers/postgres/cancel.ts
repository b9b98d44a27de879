import type pg from 'pg';

/**
 * Cancels the running statement of `client` in the server when `signal` aborts, through another connection of `pool`.
 * Without this the server goes on although nobody waits. The client must be in a transaction, so that a pooler does not
 * change its backend. Returns a function to await before the transaction ends: later the backend may run a statement of
 * somebody else, which must not be cancelled.
 */
export async function cancelOn(
  signal: AbortSignal | undefined,
  pool: pg.Pool,
  client: pg.PoolClient,
): Promise<() => Promise<void>> {
  if (!signal) return async () => undefined;
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  let isOver = false;
  let cancelling: Promise<unknown> | undefined;
  const cancel = (): void => {
    // As the login: the role of the service may not cancel statements of the login's sessions.
    void (async () => {
      const other = await pool.connect();
      try {
        await other.query('BEGIN; SET LOCAL ROLE NONE');
        if (isOver) return;
        cancelling = other.query('SELECT pg_cancel_backend($1)', [rows[0]!.pid]);
        await cancelling;
      } finally {
        await other.query('ROLLBACK').catch(() => undefined);
        other.release();
      }
    })().catch(() => undefined);
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  return async () => {
    isOver = true;
    signal.removeEventListener('abort', cancel);
    await cancelling?.catch(() => undefined);
  };
}
