import { ObjectMissing, type ObjectStore } from '../../../infra/drivers/objects/object-store.ts';
import { ObjectConflict } from '../../../infra/drivers/objects/bytes.ts';
import { currentProcess, never } from './faulty-pool.ts';

/** Objects in memory, which a dead process neither reads nor writes. */
export function createMemoryStore(): ObjectStore & { readonly names: () => string[]; clear(): void } {
  const objects = new Map<string, { bytes: Uint8Array; modifiedAt: Date }>();
  const alive = (): Promise<void> => (currentProcess()?.dead ? never() : Promise.resolve());
  const under = (prefix: string): string[] => [...objects.keys()].filter((name) => name.startsWith(prefix)).sort();
  return {
    async put(name, bytes) {
      await alive();
      objects.set(name, { bytes, modifiedAt: new Date() });
    },
    async create(name, bytes) {
      await alive();
      if (objects.has(name)) throw new ObjectConflict(name, 'nothing');
      objects.set(name, { bytes, modifiedAt: new Date() });
    },
    async get(name) {
      await alive();
      const found = objects.get(name);
      if (!found) throw new ObjectMissing(name);
      return found.bytes;
    },
    async delete(name) {
      await alive();
      objects.delete(name);
    },
    async deleteAll(names) {
      await alive();
      for (const name of names) objects.delete(name);
    },
    async *walk(prefix, after = '') {
      await alive();
      for (const name of under(prefix)) if (name > after) yield { name, modifiedAt: objects.get(name)!.modifiedAt };
    },
    async list(prefix) {
      await alive();
      return under(prefix).map((name) => ({ name, modifiedAt: objects.get(name)!.modifiedAt }));
    },
    async deletePrefix(prefix) {
      await alive();
      for (const name of under(prefix)) objects.delete(name);
    },
    removeDrafts: async () => 0,
    probe: alive,
    reseal: async () => false,
    keyId: 'memory',
    names: () => [...objects.keys()],
    clear: () => objects.clear(),
  };
}
