import { ConnectionError, EegError } from './errors.ts';

/** Attempts of one request, the first one included. */
export const defaultRetries = 4;

const retriedCodes: ReadonlySet<string> = new Set(['RATE_LIMITED', 'CONCURRENCY_LIMITED']);

/**
 * Whether the same request may succeed later by itself: 409, every 5xx, 429 of rate and concurrency, and no answer at
 * all. Neither caps nor the balance mend themselves.
 */
export const mayRetry = (error: unknown): error is EegError =>
  error instanceof ConnectionError ||
  (error instanceof EegError &&
    (error.status === 409 || error.status >= 500 || (error.status === 429 && retriedCodes.has(error.code))));

/** Seconds of a Retry-After header, a number or a date; null without one. */
export function retryAfterOf(headers: Headers, now = Date.now()): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

/** Seconds before the next attempt, after `attempt` of them: what the answer asks for, else 1, 2, 4, … */
export const waitBefore = (attempt: number, retryAfter: number | null): number => retryAfter ?? 2 ** (attempt - 1);

/** Waits; throws the reason of the signal when it aborts. */
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
