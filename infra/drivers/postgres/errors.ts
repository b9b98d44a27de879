/** The SQLSTATE of an error that Postgres answered, else null. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** Whether a unique index refused the row; with `constraint`, that index and no other. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  return constraint === undefined || (error as Error & { constraint?: string }).constraint === constraint;
}

const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** What the server gives up because others hold what it needs, or because it is too busy. */
const crowded = new Set(['53300', '55P03', '57014']);

/**
 * Whether the server could not be reached, went away, is starting up or shutting down, or had no time for the
 * statement: trying again later can help.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'CommitUnknown') return true;
  const code = (error as Error & { code?: unknown }).code;
  if (typeof code === 'string' && networkCodes.has(code)) return true;
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || state.startsWith('57P') || crowded.has(state);
  return isSilence(error) || connectionFaults.test(error.message);
}

const connectionFaults =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether the server did not answer a statement at all: its connection cannot be used any more. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout';
