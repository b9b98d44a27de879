import type { ByteStore } from './bytes.ts';

/** A store whose driver is being loaded: a process that uses another never loads it. */
export function lazyStore(load: () => Promise<ByteStore>): ByteStore {
  const loading = load();
  // Whoever uses the store hears of it.
  loading.catch(() => undefined);
  return {
    put: async (...args) => (await loading).put(...args),
    get: async (name) => (await loading).get(name),
    delete: async (names) => (await loading).delete(names),
    removeDrafts: async (...args) => (await loading).removeDrafts(...args),
    async *pages(...args) {
      yield* (await loading).pages(...args);
    },
  };
}
