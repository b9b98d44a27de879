import type { ObjectStoreOptions } from '../../infra/drivers/objects/index.ts';

/** `workerData` of `api/threads/entry.ts`. */
export interface ThreadData {
  readonly objects: ObjectStoreOptions;
  /** File in which a thread marks the model that it labels with; absent: nothing is marked. */
  readonly marks?: string;
}
