import { EegError } from './errors.ts';
/** Attempts after the first one. */
export declare const defaultRetries = 4;
/**
 * Whether a request is retried: after 409, every 5xx, 429 with a code of `retriedCodes`, and without an answer. A retry
 * cannot solve a reached cap or a low balance.
 */
export declare const mayRetry: (error: unknown) => error is EegError;
/** Seconds of a Retry-After header, which is a number or a date; null without one. */
export declare function retryAfterOf(headers: Headers, now?: number): number | null;
/** Seconds to wait after attempt number `attempt`: those of Retry-After, otherwise 1, 2, 4, … */
export declare const waitBefore: (attempt: number, retryAfter: number | null) => number;
/** Waits. Rejects with the reason of the signal when it aborts. */
export declare function wait(seconds: number, signal?: AbortSignal): Promise<void>;
