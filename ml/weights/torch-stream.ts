import { Cursor } from './cursor.ts';
import { quoted, WeightsFault } from './fault.ts';
import { readPickle } from './pickle/read-pickle.ts';
import { asKind, entriesOf, type Value } from './pickle/values.ts';
import { storageOf, type Storage } from './storages.ts';
import { torchTensors } from './torch-tensors.ts';
import type { Wanted, Weights } from './types.ts';

const magic = 0x1950a86a20f9469cfc6cn;
const protocol = 1001;

/**
 * Reads a file of `torch.save` from before version 1.6: pickles of a magic number, a version, the machine, the object
 * and the keys of its storages. Then each key has a count and that many little-endian numbers.
 */
export function readTorchStream(bytes: Uint8Array, wanted: Wanted): Weights {
  const cursor = new Cursor(bytes);
  if (readPickle(cursor).value !== magic) throw new WeightsFault('it is a pickle, but none that torch has written');
  const version = readPickle(cursor).value;
  if (version !== protocol) throw new WeightsFault(`its torch stream is not of version ${protocol}`);
  const machine = asKind(readPickle(cursor).value, 'dictionary');
  if (!machine || entriesOf(machine).get('little_endian') !== true)
    throw new WeightsFault('its torch stream is not said to be little-endian');
  const { value, ids } = readPickle(cursor);
  const keys = readPickle(cursor).value;
  const storages = readStorages(cursor, keys, ids);
  if (cursor.left > 0) throw new WeightsFault(`${cursor.left} bytes follow its last storage`);
  return torchTensors(value, (key) => storages.get(key), wanted, bytes.length);
}

function readStorages(cursor: Cursor, keys: Value, ids: readonly Value[]): Map<string, Uint8Array> {
  const named = new Map(ids.flatMap((id) => storageOf(id) ?? []).map((storage) => [storage.key, storage]));
  const storages = new Map<string, Uint8Array>();
  for (const key of asKind(keys, 'list')?.items ?? []) {
    const storage = typeof key === 'string' ? named.get(key) : undefined;
    if (!storage || storages.has(storage.key)) throw new WeightsFault('it lists a storage twice, or one without name');
    storages.set(storage.key, readStorage(cursor, storage));
  }
  return storages;
}

function readStorage(cursor: Cursor, { key, dtype, className, count }: Storage): Uint8Array {
  if (!dtype) throw new WeightsFault(`storages of class ${quoted(className)} are not read`);
  const storedCount = cursor.u64();
  if (storedCount !== count)
    throw new WeightsFault(`storage ${quoted(key)} has ${storedCount} numbers instead of ${count}`);
  return cursor.take(storedCount * dtype.bytes);
}
