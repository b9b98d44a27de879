import type { ObjectStoreOptions } from '../../infra/drivers/objects/index.ts';

/** `workerData` of `api/threads/entry.ts`. */
export interface ThreadData {
  readonly objects: ObjectStoreOptions;
  /** Fitted models kept in memory by each thread. Default 64. */
  readonly cachedModels?: number;
}
