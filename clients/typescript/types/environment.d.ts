/** Globals that identify the runtime. */
export interface Globals {
    readonly process?: {
        readonly versions?: {
            readonly node?: string;
        };
        readonly env?: Readonly<Record<string, string | undefined>>;
    };
    readonly Deno?: unknown;
    readonly Bun?: unknown;
    readonly window?: unknown;
    readonly document?: unknown;
    readonly WorkerGlobalScope?: unknown;
    readonly ServiceWorkerGlobalScope?: unknown;
}
/** Whether this is a page or a worker of a browser, where every visitor can read a key. */
export declare const isBrowser: (scope?: Globals) => boolean;
export interface Address {
    readonly apiKey: string | null;
    /** Without a slash at the end. */
    readonly baseUrl: string;
}
/**
 * Key and address of the service: the given ones, or EEG_API_KEY and EEG_BASE_URL. Throws RefusedError for a key in a
 * browser, a key that would be sent unencrypted, or a missing address.
 */
export declare function addressOf(given: {
    apiKey?: string;
    baseUrl?: string;
}, scope?: Globals): Address;
