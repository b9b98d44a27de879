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
/** Makes the function that sends requests. Throws RefusedError for unsafe options (see `addressOf`). */
export declare function createSend(options: ClientOptions): Send;
/** Path of a task model. Throws RefusedError for any other text, because `../` in it would change the endpoint. */
export declare function modelPath(model: string | {
    readonly id: string;
}): string;
