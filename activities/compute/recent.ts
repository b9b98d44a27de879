import type { ObjectStore } from '../../infra/drivers/objects/index.ts';

/**
 * Small objects of the jobs that run in this process, which are read soon after they were written. The object store
 * holds them for every other process.
 */
export interface Recent {
  /** Returns when the object store has it. */
  put(ref: string, bytes: Uint8Array): Promise<void>;
  /** From memory, else from the object store. */
  get(ref: string): Promise<Uint8Array>;
  /** Lets go of what begins with `prefix`. */
  forget(prefix: string): void;
}

const mostBytes = 64 * 1024 ** 2;

export function createRecent(objects: ObjectStore): Recent {
  const kept = new Map<string, Uint8Array>();
  let total = 0;
  const drop = (ref: string): void => {
    total -= kept.get(ref)?.byteLength ?? 0;
    kept.delete(ref);
  };
  return {
    async put(ref, bytes) {
      await objects.put(ref, bytes);
      drop(ref);
      kept.set(ref, bytes);
      total += bytes.byteLength;
      for (const oldest of kept.keys()) {
        if (total <= mostBytes) break;
        drop(oldest);
      }
    },
    get: async (ref) => kept.get(ref) ?? objects.get(ref),
    forget(prefix) {
      for (const ref of kept.keys()) if (ref.startsWith(prefix)) drop(ref);
    },
  };
}
