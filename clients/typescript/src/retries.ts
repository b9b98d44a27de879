import { ConnectionError, EegError } from './errors.ts';

/** Attempts after the first one. */
export const defaultRetries = 4;

const retriedCodes: ReadonlySet<string> = new Set(['RATE_LIMITED', 'CONCURRENCY_LIMITED']);

/**
 * Whether a request is retried: after 409, every 5xx, 429 with a code of `retriedCodes`, and without an answer. A retry
 * cannot solve a reached cap or a low balance.
 */
export const mayRetry = (error: unknown): error is EegError =>
  error instanceof ConnectionError ||
  (error instanceof EegError &&
    (error.status === 409 || error.status >= 500 || (error.status === 429 && retriedCodes.has(error.code))));

/** Seconds of a Retry-After header, which is a number or a date; null without one. */
export function retryAfterOf(headers: Headers, now = Date.now()): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

/** Seconds to wait after attempt number `attempt`: those of Retry-After, otherwise 1, 2, 4, … */
export const waitBefore = (attempt: number, retryAfter: number | null): number => retryAfter ?? 2 ** (attempt - 1);

/** Waits. Rejects with the reason of the signal when it aborts. */
export function wait(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
