import { storageDtype, type Dtype } from './dtypes.ts';
import { quoted, WeightsFault } from './fault.ts';
import { asKind, type Value } from './pickle/values.ts';

/** A run of numbers of one type from which tensors are cut, as named in a torch pickle. */
export interface Storage {
  readonly key: string;
  /** Undefined if the storage class is unknown. */
  readonly dtype: Dtype | undefined;
  readonly className: string;
  /** How many numbers it has. */
  readonly count: number;
  /** If it is a part of another storage: which numbers of that one. */
  readonly part?: { readonly first: number; readonly count: number };
}

/** Parses `('storage', class, key, device, count, part)`. Undefined for any other id. */
export function storageOf(id: Value): Storage | undefined {
  const [tag, type, key, , count, part = null] = asKind(id, 'tuple')?.items ?? [];
  const className = asKind(type ?? null, 'named')?.name;
  if (tag !== 'storage') return undefined;
  if (className === undefined || typeof key !== 'string' || !isCount(count))
    throw new WeightsFault('it names a storage without class, key or size');
  return { key, className, dtype: storageDtype(className), count, part: partOf(part, count) };
}

const isCount = (value: Value | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** As in torch before 0.4: `(key, first, count)`. */
function partOf(part: Value, whole: number): Storage['part'] {
  if (part === null) return undefined;
  const [, first, count] = asKind(part, 'tuple')?.items ?? [];
  if (!isCount(first) || !isCount(count) || first + count > whole)
    throw new WeightsFault('it names a part of a storage that is not in it');
  return { first, count };
}

/** Checks that the storage has the bytes that its type and size need. Returns them, or the bytes of its part. */
export function storageBytes(storage: Storage, bytes: Uint8Array | undefined): Uint8Array {
  const { key, count, part, dtype } = storage;
  if (!dtype) throw new WeightsFault(`storages of class ${quoted(storage.className)} are not read`);
  if (!bytes) throw new WeightsFault(`storage ${quoted(key)} is not there`);
  if (count * dtype.bytes !== bytes.length)
    throw new WeightsFault(`storage ${quoted(key)} has ${bytes.length} bytes, not ${count} numbers of ${dtype.name}`);
  return part ? bytes.subarray(part.first * dtype.bytes, (part.first + part.count) * dtype.bytes) : bytes;
}
