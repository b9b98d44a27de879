import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';

/**
 * Cache of the encoded scores of a running fit. `store` writes them to the object store. Disposal waits for a write in
 * progress; after it nothing is stored.
 */
export interface ScoreCache extends AsyncDisposable {
  put(ref: string, bytes: Uint8Array): void;
  /** Reads from memory, else from the object store, where an earlier attempt stored it. */
  get(ref: string): Promise<Uint8Array>;
  /** Resolves when all scores that were put before are in the object store. */
  store(): Promise<void>;
}

/** Most fits end before their scores must be stored: only this process reads them, unless it dies. */
export function createScoreCache(objects: Pick<ObjectStore, 'get' | 'put'>): ScoreCache {
  const cached = new Map<string, Uint8Array>();
  const unstored = new Map<string, Uint8Array>();
  let storing: Promise<unknown> = Promise.resolve();
  const write = async ([ref, bytes]: readonly [string, Uint8Array]): Promise<void> => {
    await objects.put(ref, bytes);
    if (unstored.get(ref) === bytes) unstored.delete(ref);
  };
  return {
    put(ref, bytes) {
      cached.set(ref, bytes);
      unstored.set(ref, bytes);
    },
    get: async (ref) => cached.get(ref) ?? objects.get(ref),
    async store() {
      const all = storing.then(() => Promise.allSettled([...unstored].map(write)));
      storing = all;
      for (const each of await all) if (each.status === 'rejected') throw each.reason;
    },
    async [Symbol.asyncDispose]() {
      unstored.clear();
      await storing;
    },
  };
}
