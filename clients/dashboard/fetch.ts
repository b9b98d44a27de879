import type { ErrorAnswer, Me } from '../../api/account/contract/responses.ts';

const base = '/dashboard/api';

/** A failed request: the API's error object with its HTTP status (0: no answer arrived). */
export class Failure extends Error {
  readonly status: number;
  readonly error: ErrorAnswer;
  /** True if the answer is one of `/v1`, whose messages speak to programs. */
  readonly isOfInterface: boolean;

  constructor(status: number, error: ErrorAnswer, isOfInterface = false) {
    super(error.message);
    this.name = 'Failure';
    this.status = status;
    this.error = error;
    this.isOfInterface = isOfInterface;
  }
}

/** A failure that does not come from an answer of the service. */
export const failed = (code: string, message: string, status = 0): Failure =>
  new Failure(status, { type: 'api_error', code, message, field: '', alternatives: [], details: { request_id: '' } });

/** Converts any thrown value to a failure that can be shown. */
export const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure ? thrown : failed('PAGE_FAULT', `This page made a mistake: ${String(thrown)}`);

let csrf = '';
let account: string | null = null;
let hearSignedOut: () => void = () => undefined;

/** Sets the account of the next requests. */
export function actFor(me: Me | null): void {
  csrf = me?.csrf ?? '';
  account = me?.account_id ?? null;
}
/** Calls `listener` when the session has ended. */
export const onSignedOut = (listener: () => void): void => void (hearSignedOut = listener);

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

export interface Asking {
  /** Sent as JSON. A string is already JSON and is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request is sent although the page is being left. */
  readonly keepalive?: boolean;
}

const jsonOf = (body: unknown): BodyInit =>
  typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body);

/**
 * Sends one request to the dashboard's API. `path` is below `/dashboard/api`, such as `/keys` or `/v1/task-models`.
 * Throws a `Failure`.
 */
export async function ask<T>(method: string, path: string, asking: Asking = {}): Promise<Answer<T>> {
  const sent = csrf;
  try {
    return await askOnce<T>(method, path, asking);
  } catch (error) {
    if (!isOfOldToken(error) || !(await tokenIsNewerThan(sent))) throw error;
    return await askOnce<T>(method, path, asking);
  }
}

const isOfOldToken = (error: unknown): boolean =>
  error instanceof Failure && error.status === 403 && error.error.field === 'x-csrf-token';

/**
 * If another tab signed in: takes its token for the same account, or reloads this page for another account. Returns
 * false if the token has not changed.
 */
async function tokenIsNewerThan(sent: string): Promise<boolean> {
  if (csrf !== sent) return true;
  const { body: me } = await askOnce<Me>('GET', '/me', {});
  if (account !== null && me.account_id !== account) {
    location.reload();
    return false;
  }
  actFor(me);
  return csrf !== sent;
}

async function askOnce<T>(method: string, path: string, asking: Asking): Promise<Answer<T>> {
  const { body, headers, keepalive } = asking;
  const response = await fetch(base + path, {
    method,
    credentials: 'same-origin',
    keepalive,
    headers: {
      ...(method === 'GET' ? {} : { 'x-csrf-token': csrf }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : jsonOf(body),
  }).catch(() => {
    throw failed('UNREACHABLE', 'The service cannot be reached. Look at your connection, then try again.');
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return { status: response.status, body: answer as T, headers: response.headers };
  if (response.status === 401 && csrf !== '' && (answer as ErrorAnswer | null)?.code === 'UNAUTHENTICATED')
    hearSignedOut();
  throw isError(answer)
    ? new Failure(response.status, answer, path.startsWith('/v1/'))
    : failed('UNREADABLE', `The service answered ${response.status} without saying why.`, response.status);
}

const isError = (answer: unknown): answer is ErrorAnswer =>
  typeof answer === 'object' && answer !== null && 'code' in answer && 'message' in answer;

/** Body of a GET. */
export const read = async <T>(path: string): Promise<T> => (await ask<T>('GET', path)).body;

/** Body of a POST. */
export const post = async <T>(path: string, body?: unknown): Promise<T> =>
  (await ask<T>('POST', path, { body: body ?? {} })).body;
