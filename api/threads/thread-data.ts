import type { ObjectStoreOptions } from '../../infra/drivers/objects/index.ts';

/** `workerData` of `api/threads/entry.ts`. */
export interface ThreadData {
  readonly objects: ObjectStoreOptions;
}
