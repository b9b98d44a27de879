import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';

/**
 * Encoded scores of a fit that runs, in memory. `store` writes them to the object store. Disposal waits for a write
 * that has begun; after it nothing more is stored.
 */
export interface HeldScores extends AsyncDisposable {
  put(ref: string, bytes: Uint8Array): void;
  /** From memory, else as an earlier attempt stored it. */
  get(ref: string): Promise<Uint8Array>;
  /** Returns when the object store has all that were put before. */
  store(): Promise<void>;
}

/** Most fits end before their scores need to be stored: only this process reads them, unless it dies. */
export function holdScores(objects: Pick<ObjectStore, 'get' | 'put'>): HeldScores {
  const held = new Map<string, Uint8Array>();
  const unstored = new Map<string, Uint8Array>();
  let storing: Promise<unknown> = Promise.resolve();
  const write = async ([ref, bytes]: readonly [string, Uint8Array]): Promise<void> => {
    await objects.put(ref, bytes);
    if (unstored.get(ref) === bytes) unstored.delete(ref);
  };
  return {
    put(ref, bytes) {
      held.set(ref, bytes);
      unstored.set(ref, bytes);
    },
    get: async (ref) => held.get(ref) ?? objects.get(ref),
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
