import type { Sql } from '../../drivers/postgres/transaction.ts';

export interface ServingState {
  readonly serving: boolean;
  readonly message: string;
  readonly retryAfterSeconds: number;
}

export async function readServing(sql: Sql): Promise<ServingState> {
  const {
    rows: [row],
  } = await sql.query<{ serving: boolean; message: string; retry_after_seconds: number }>(
    'SELECT serving, message, retry_after_seconds FROM service_state',
  );
  return { serving: row.serving, message: row.message, retryAfterSeconds: row.retry_after_seconds };
}

/** The operator's switch: while off, every authenticated request is answered 503 SERVING_DISABLED. */
export async function setServing(
  sql: Sql,
  state: { serving: boolean; message?: string; retryAfterSeconds?: number },
): Promise<void> {
  const message = state.message ?? (state.serving ? 'Serving.' : 'The service is paused for maintenance.');
  await sql.query('UPDATE service_state SET serving = $1, message = $2, retry_after_seconds = $3', [
    state.serving,
    message,
    state.retryAfterSeconds ?? 60,
  ]);
}
