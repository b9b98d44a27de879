import { storageDtype, type Dtype } from './dtypes.ts';
import { quoted, WeightsFault } from './fault.ts';
import { asKind, type Value } from './pickle/values.ts';

/** A run of numbers of one type that tensors are cut from, as a pickle of torch names it. */
export interface Storage {
  readonly key: string;
  /** Undefined where its class is not known. */
  readonly dtype: Dtype | undefined;
  readonly className: string;
  /** Numbers in it. */
  readonly count: number;
  /** Of a storage that is a part of another one: which of its numbers they are. */
  readonly part?: { readonly first: number; readonly count: number };
}

/** What `('storage', class, key, device, count, part)` says; undefined for an id of anything else. */
export function storageOf(id: Value): Storage | undefined {
  const [tag, type, key, , count, part = null] = asKind(id, 'tuple')?.items ?? [];
  const className = asKind(type ?? null, 'named')?.name;
  if (tag !== 'storage') return undefined;
  if (className === undefined || typeof key !== 'string' || !isCount(count))
    throw new WeightsFault('it names a storage without class, key or size');
  return { key, className, dtype: storageDtype(className), count, part: partOf(part, count) };
}

const isCount = (value: Value | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Of torch before 0.4: `(key, first, count)`. */
function partOf(part: Value, whole: number): Storage['part'] {
  if (part === null) return undefined;
  const [, first, count] = asKind(part, 'tuple')?.items ?? [];
  if (!isCount(first) || !isCount(count) || first + count > whole)
    throw new WeightsFault('it names a part of a storage that is not in it');
  return { first, count };
}

/** Bytes of a storage that has as many as its class and its size ask for, or the part of it that is meant. */
export function storageBytes(storage: Storage, bytes: Uint8Array | undefined): Uint8Array {
  const { key, count, part, dtype } = storage;
  if (!dtype) throw new WeightsFault(`storages of class ${quoted(storage.className)} are not read`);
  if (!bytes) throw new WeightsFault(`storage ${quoted(key)} is not there`);
  if (count * dtype.bytes !== bytes.length)
    throw new WeightsFault(`storage ${quoted(key)} has ${bytes.length} bytes, not ${count} numbers of ${dtype.name}`);
  return part ? bytes.subarray(part.first * dtype.bytes, (part.first + part.count) * dtype.bytes) : bytes;
}
