import { addressOf, type Address } from './environment.ts';
import { ApiError, ConnectionError, EegError, errorOf, RefusedError } from './errors.ts';
import { defaultRetries, mayRetry, retryAfterOf, wait, waitBefore } from './retries.ts';

export interface ClientOptions {
  /** API key; default: EEG_API_KEY. Not allowed in a browser. */
  readonly apiKey?: string;
  /** Address of the service or of your own proxy; default: EEG_BASE_URL. */
  readonly baseUrl?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Attempts after the first one; default 4. */
  readonly retries?: number;
  /** Milliseconds to wait for an answer; default 600,000, because a create can take minutes. */
  readonly timeoutMs?: number;
}

export interface RequestOptions {
  /** Ends the call. A fit that runs as a job goes on; send the same key again to get its answer. */
  readonly signal?: AbortSignal;
  /** Replaces the random key of the request. Send the same key again to get the answer of an earlier request. */
  readonly idempotencyKey?: string;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Whether the request has an Idempotency-Key, so that the service runs and charges it once. */
  readonly idempotent?: boolean;
  /** Value of the header `Prefer`. */
  readonly prefer?: string;
}

export interface Reply<T> {
  readonly status: number;
  readonly body: T;
  /** Seconds of the Retry-After header; null if there is none. */
  readonly retryAfter: number | null;
}

/** Sends a request, with retries. All attempts have the same Idempotency-Key. */
export type Send = <T>(request: OutgoingRequest, options?: RequestOptions) => Promise<Reply<T>>;

interface Attempt extends Address {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly request: OutgoingRequest;
  readonly text: string | undefined;
  readonly key: string | null;
  readonly signal: AbortSignal | undefined;
}

const headersOf = ({ apiKey, text, key, request: { prefer } }: Attempt): Record<string, string> => ({
  accept: 'application/json',
  ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
  ...(text === undefined ? {} : { 'content-type': 'application/json' }),
  ...(key === null ? {} : { 'idempotency-key': key }),
  ...(prefer === undefined ? {} : { prefer }),
});

/** One attempt: the answer and its text. Throws ConnectionError if there is no answer in time. */
async function exchange(attempt: Attempt): Promise<{ response: Response; text: string }> {
  const { fetch, baseUrl, request, text, timeoutMs, signal, key } = attempt;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const signals = signal ? [signal, timeout.signal] : [timeout.signal];
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
    const [code, problem] = timeout.signal.aborted
      ? ['TIMEOUT', `did not answer within ${timeoutMs / 1000} s`]
      : ['CONNECTION_FAILED', 'could not be reached, or the connection ended before the answer'];
    throw new ConnectionError(code, `${request.method} ${request.path}: the service ${problem}.`, {
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

/** One attempt: the parsed answer. Throws the error of an unsuccessful one. */
async function attemptOnce(attempt: Attempt): Promise<Reply<unknown>> {
  const { response, text } = await exchange(attempt);
  const body = parsed(text);
  const retryAfter = retryAfterOf(response.headers);
  if (!response.ok) throw errorOf(response, body, retryAfter, attempt.key);
  if (typeof body === 'object' && body !== null) return { status: response.status, body, retryAfter };
  throw new ApiError('BAD_ANSWER', `The answer with status ${response.status} is not JSON. Check baseUrl.`, {
    status: response.status,
    idempotencyKey: attempt.key,
  });
}

/** Makes the function that sends requests. Throws RefusedError for unsafe options (see `addressOf`). */
export function createSend(options: ClientOptions): Send {
  const address = addressOf(options);
  const { retries = defaultRetries, timeoutMs = 600_000 } = options;
  const send: Send = async (request, { signal, idempotencyKey } = {}) => {
    const key = request.idempotent ? (idempotencyKey ?? crypto.randomUUID()) : null;
    const text = request.body === undefined ? undefined : JSON.stringify(request.body);
    const fetch = options.fetch ?? globalThis.fetch;
    const conflictsUntil = Date.now() + (key === null ? 0 : timeoutMs);
    for (let attempt = 1, conflicts = 1; ;) {
      signal?.throwIfAborted();
      try {
        return (await attemptOnce({ ...address, fetch, timeoutMs, request, text, key, signal })) as Reply<never>;
      } catch (error) {
        // 409: the same request still runs. It counts as an attempt only after `timeoutMs`.
        if (error instanceof EegError && error.status === 409 && Date.now() < conflictsUntil) {
          await wait(waitBefore(Math.min(conflicts, 5), error.retryAfter || null), signal);
          conflicts += 1;
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

/** Path of a task model. Throws RefusedError for any other text, because `../` in it would change the endpoint. */
export function modelPath(model: string | { readonly id: string }): string {
  const id = typeof model === 'string' ? model : model.id;
  if (/^clf_[0-9a-f]{32}$/.test(id)) return `/v1/task-models/${id}`;
  throw new RefusedError(
    'INVALID_REQUEST',
    `${id} is not the id of a task model. An id is \`clf_\` and 32 hexadecimal digits.`,
    {
      field: 'model_id',
    },
  );
}
