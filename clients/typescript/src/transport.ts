import { addressOf, type Address } from './environment.ts';
import { ApiError, ConnectionError, EegError, errorOf, RefusedError } from './errors.ts';
import { defaultRetries, mayRetry, retryAfterOf, wait, waitBefore } from './retries.ts';

export interface ClientOptions {
  /** A key of the account dashboard; EEG_API_KEY where it is left out. Never in a browser. */
  readonly apiKey?: string;
  /** Address of the service, or of a proxy of your own; EEG_BASE_URL where it is left out. */
  readonly baseUrl?: string;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Attempts after the first one; 4. */
  readonly retries?: number;
  /** Milliseconds until an attempt is given up, 600,000: a create takes minutes. */
  readonly timeoutMs?: number;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Instead of the key that each request gets by itself: send it again to get the answer of an earlier one. */
  readonly idempotencyKey?: string;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Takes an Idempotency-Key: a retry is neither done twice nor billed twice. */
  readonly idempotent?: boolean;
}

export interface Reply<T> {
  readonly status: number;
  readonly body: T;
  /** Seconds. */
  readonly retryAfter: number | null;
}

/** Sends one logical request: under one Idempotency-Key, in as many attempts as the retry rules allow. */
export type Send = <T>(request: OutgoingRequest, options?: RequestOptions) => Promise<Reply<T>>;

interface Attempt extends Address {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly request: OutgoingRequest;
  readonly text: string | undefined;
  readonly key: string | null;
  readonly signal: AbortSignal | undefined;
}

const headersOf = ({ apiKey, text, key }: Attempt): Record<string, string> => ({
  accept: 'application/json',
  ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  ...(text === undefined ? {} : { 'content-type': 'application/json' }),
  ...(key === null ? {} : { 'idempotency-key': key }),
});

/** The answer and its text; throws ConnectionError where there is none in time. */
async function exchange(attempt: Attempt): Promise<{ response: Response; text: string }> {
  const { fetch, baseUrl, request, text, timeoutMs, signal, key } = attempt;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  const signals = signal ? [signal, ended.signal] : [ended.signal];
  try {
    const response = await fetch(baseUrl + request.path, {
      method: request.method,
      headers: headersOf(attempt),
      body: text,
      signal: AbortSignal.any(signals),
    });
    return { response, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const [code, what] = ended.signal.aborted
      ? ['TIMEOUT', `gave no answer within ${timeoutMs / 1000} s`]
      : ['CONNECTION_FAILED', 'could not be reached, or the connection ended before the answer'];
    throw new ConnectionError(code, `${request.method} ${request.path}: the service ${what}.`, {
      idempotencyKey: key,
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One attempt; throws the error of the answer. */
async function once(attempt: Attempt): Promise<Reply<unknown>> {
  const { response, text } = await exchange(attempt);
  const body = parsed(text);
  const retryAfter = retryAfterOf(response.headers);
  if (!response.ok) throw errorOf(response, body, retryAfter, attempt.key);
  if (typeof body === 'object' && body !== null) return { status: response.status, body, retryAfter };
  throw new ApiError('BAD_ANSWER', `The answer ${response.status} is not JSON.`, {
    status: response.status,
    idempotencyKey: attempt.key,
  });
}

/** What sends the requests of a client. Throws RefusedError on options that are not safe (`environment.ts`). */
export function createSend(options: ClientOptions): Send {
  const address = addressOf(options);
  const { retries = defaultRetries, timeoutMs = 600_000 } = options;
  const send: Send = async (request, { signal, idempotencyKey } = {}) => {
    const key = request.idempotent ? (idempotencyKey ?? crypto.randomUUID()) : null;
    const text = request.body === undefined ? undefined : JSON.stringify(request.body);
    const fetch = options.fetch ?? globalThis.fetch;
    const patientUntil = Date.now() + (key === null ? 0 : timeoutMs);
    for (let attempt = 1, asked = 1; ;) {
      signal?.throwIfAborted();
      try {
        return (await once({ ...address, fetch, timeoutMs, request, text, key, signal })) as Reply<never>;
      } catch (error) {
        // 409: the request itself still runs. That is no attempt until it could have been answered.
        if (error instanceof EegError && error.status === 409 && Date.now() < patientUntil) {
          await wait(waitBefore(Math.min(asked, 5), error.retryAfter || null), signal);
          asked += 1;
          continue;
        }
        if (!mayRetry(error) || attempt > retries) throw error;
        await wait(waitBefore(attempt, error.retryAfter), signal);
        attempt += 1;
      }
    }
  };
  return send;
}

/** The path of a task model; throws RefusedError where the id is none, which could lead anywhere. */
export function modelPath(model: string | { readonly id: string }): string {
  const id = typeof model === 'string' ? model : model.id;
  if (/^clf_[0-9a-f]{32}$/.test(id)) return `/v1/task-models/${id}`;
  throw new RefusedError('INVALID_REQUEST', `${id} is no id of a task model: \`clf_\` and 32 hexadecimal digits.`, {
    field: 'model_id',
  });
}
