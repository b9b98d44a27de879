import type { Recent } from '../compute/recent.ts';

/**
 * The scores of a fit that runs: `put` keeps them in memory, until `store` is called or the fit has ended. Once it is
 * disposed of, nothing more is stored.
 */
export interface HeldScores extends Recent, AsyncDisposable {
  /** Returns when the object store has all that were put before. */
  store(): Promise<void>;
}

/** Most fits end before their scores need to be stored: nobody but this process reads them, unless it dies. */
export function holdScores(recent: Recent): HeldScores {
  const held = new Map<string, Uint8Array>();
  let storing: Promise<unknown> = Promise.resolve();
  const write = async ([ref, bytes]: readonly [string, Uint8Array]): Promise<void> => {
    await recent.put(ref, bytes);
    if (held.get(ref) === bytes) held.delete(ref);
  };
  return {
    ...recent,
    put: async (ref, bytes) => void held.set(ref, bytes),
    get: async (ref) => held.get(ref) ?? recent.get(ref),
    async store() {
      const all = storing.then(() => Promise.allSettled([...held].map(write)));
      storing = all;
      for (const each of await all) if (each.status === 'rejected') throw each.reason;
    },
    async [Symbol.asyncDispose]() {
      held.clear();
      await storing;
    },
  };
}
