import type { Recent } from '../compute/recent.ts';

/** The scores of a running fit, in memory until `store` is called. Nothing is stored after its disposal. */
export interface UnstoredScores extends Recent, AsyncDisposable {
  /** Resolves when the object store has every score that was put before. */
  store(): Promise<void>;
}

/** Most fits end before their scores need to be stored: no other process reads them unless this one dies. */
export function createUnstoredScores(recent: Recent): UnstoredScores {
  const unstored = new Map<string, Uint8Array>();
  let storing: Promise<unknown> = Promise.resolve();
  const write = async ([ref, bytes]: readonly [string, Uint8Array]): Promise<void> => {
    await recent.put(ref, bytes);
    if (unstored.get(ref) === bytes) unstored.delete(ref);
  };
  return {
    ...recent,
    put: async (ref, bytes) => void unstored.set(ref, bytes),
    get: async (ref) => unstored.get(ref) ?? recent.get(ref),
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
