/** `workerData` of `api/threads/entry.ts`. */
export interface ThreadData {
  readonly objects: { readonly url: string; readonly key: Uint8Array };
  /** Fitted models kept in memory by each thread. Default 64. */
  readonly cachedModels?: number;
}
