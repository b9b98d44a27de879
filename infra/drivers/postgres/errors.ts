/** The SQLSTATE of a Postgres error, else null. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !networkCodes.has(code) ? code : null;
}

/** Whether a unique index refused the row; with `constraint`, only that index counts. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  return constraint === undefined || (error as Error & { constraint?: string }).constraint === constraint;
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** SQLSTATEs of statements that the server gave up because of locks, load, or read-only mode. */
const readOnly = '25006';
const crowded = new Set(['53300', '55P03', '57014', readOnly]);

/**
 * Whether a later attempt can succeed: the server was unreachable, went away, is starting up or shutting down, was
 * overloaded, or accepts no writes (a standby, after a failover).
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'CommitUnknown') return true;
  // Connecting to a host with several addresses failed for all of them, perhaps for some because this machine has no
  // such network.
  if (error instanceof AggregateError && error.errors.some((each) => isUnreachable(each))) return true;
  const code = (error as Error & { code?: unknown }).code;
  if (typeof code === 'string' && networkCodes.has(code)) return true;
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || state.startsWith('57P') || crowded.has(state);
  return isSilence(error) || connectionFaults.test(error.message);
}

const timeoutStates = new Set(['55P03', '57014']);

/** Whether a lock or statement timeout ended the statement; others may succeed. */
export const isLockOrStatementTimeout = (error: unknown): boolean => timeoutStates.has(sqlState(error) ?? '');

const connectionFaults =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether the server is read-only: a standby, perhaps since a failover. Its connections must be closed. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === readOnly;

const silent = 'Query read timeout';

/** Error of a statement without any response, in the driver's own words. */
export const silence = (): Error => new Error(silent);

/** Whether the server did not respond at all: the connection cannot be used any more. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === silent;
