/** The SQLSTATE of an error that Postgres answered, else null. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !networkCodes.has(code) ? code : null;
}

/** Whether a unique index refused the row; with `constraint`, that index and no other. */
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

/** What the server gives up because others hold what it needs, because it is too busy, or because it only reads now. */
const readOnly = '25006';
const crowded = new Set(['53300', '55P03', '57014', readOnly]);

/**
 * Whether the server could not be reached, went away, is starting up or shutting down, had no time for the statement,
 * or takes no writes (a standby, after a failover): trying again later can help.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'CommitUnknown') return true;
  // Of a host with several addresses, each of which failed, some perhaps as this machine has no such network.
  if (error instanceof AggregateError && error.errors.some((each) => isUnreachable(each))) return true;
  const code = (error as Error & { code?: unknown }).code;
  if (typeof code === 'string' && networkCodes.has(code)) return true;
  const state = sqlState(error);
  if (state !== null) return state.startsWith('08') || state.startsWith('57P') || crowded.has(state);
  return isSilence(error) || connectionFaults.test(error.message);
}

const inVain = new Set(['55P03', '57014']);

/** Whether a row was waited for in vain, or the statement took too long: others may not. */
export const wasInVain = (error: unknown): boolean => inVain.has(sqlState(error) ?? '');

const connectionFaults =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether the server only reads: it is a standby, perhaps since a failover. Its connections are of no more use. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === readOnly;

const silent = 'Query read timeout';

/** Why a statement fails that the server does not answer at all. In the driver's words, which says it, too. */
export const silence = (): Error => new Error(silent);

/** Whether the server did not answer a statement at all: its connection cannot be used any more. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === silent;
