import { preciseNow, type Operation } from '../../observe/noted.ts';
import type { ObjectStore } from './object-store.ts';

/** Wraps the store: calls `onEnd` after each operation with the kind of object and its bytes, never its name. */
export function observed(store: ObjectStore, onEnd: (ended: Operation) => void): ObjectStore {
  const observe = async <T>(
    operation: string,
    name: string,
    work: () => Promise<T>,
    bytesOf: (result: T) => number = () => 0,
  ): Promise<T> => {
    const beganAt = preciseNow();
    const end = (outcome: Operation['outcome'], bytes: number): void =>
      onEnd({ operation, kind: name.split('/', 1)[0]!, bytes, outcome, beganAt, endedAt: preciseNow() });
    try {
      const result = await work();
      end('ok', bytesOf(result));
      return result;
    } catch (error) {
      end(error instanceof Error && /^Object(Missing|Damaged)$/.test(error.name) ? 'missing' : 'failed', 0);
      throw error;
    }
  };
  const sizeOf = (bytes: Uint8Array) => (): number => bytes.byteLength;
  return {
    ...store,
    put: (name, bytes) => observe('put', name, () => store.put(name, bytes), sizeOf(bytes)),
    create: (name, bytes) => observe('create', name, () => store.create(name, bytes), sizeOf(bytes)),
    get: (name) =>
      observe(
        'get',
        name,
        async () => await store.get(name),
        (bytes) => bytes.byteLength,
      ),
    delete: (name) => observe('delete', name, () => store.delete(name)),
    deleteAll: (names) => observe('delete', names[0] ?? '', () => store.deleteAll(names)),
    list: (prefix) => observe('list', prefix, () => store.list(prefix)),
    deletePrefix: (prefix) => observe('delete', prefix, () => store.deletePrefix(prefix)),
  };
}
