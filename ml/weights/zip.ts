import { Inflate } from 'fflate';
import { Cursor } from './cursor.ts';
import { quoted, WeightsFault } from './fault.ts';

const longestComment = 65_535;
const endBytes = 22;
/** Input bytes inflated at a time. They give at most 1032 times as many bytes before the size is checked. */
const step = 4096;
const utf8 = new TextDecoder();

export interface ZipEntry {
  readonly name: string;
  /** Inflated size in bytes, as stated in the directory. */
  readonly size: number;
  /** Whether the entry is compressed. */
  readonly isPacked: boolean;
  readonly bytes: () => Uint8Array;
}

/** Most bytes that all compressed entries of a zip may have, before and after inflating. */
export const mostInflated = (bytes: Uint8Array): number => 16 * bytes.length + 2 ** 20;

/**
 * Entries of a zip, stored or deflated, from the directory at its end. An entry is inflated when it is requested, to
 * exactly its stated size; all together to at most `mostInflated`. An entry's name is never used as a file name.
 */
export function readZip(bytes: Uint8Array): ZipEntry[] {
  const { count, from } = directoryOf(bytes);
  const directory = new Cursor(bytes, from);
  const budget = { left: mostInflated(bytes) };
  return Array.from({ length: count }, () => readEntry(directory, budget));
}

/** Where the directory of a zip begins, and its number of entries. */
function directoryOf(bytes: Uint8Array): { count: number; from: number } {
  for (let at = bytes.length - endBytes; at >= Math.max(0, bytes.length - endBytes - longestComment); at--) {
    if (bytes[at] !== 0x50 || bytes[at + 1] !== 0x4b || bytes[at + 2] !== 5 || bytes[at + 3] !== 6) continue;
    const end = new Cursor(bytes, at + 8);
    const [, count, size, from, comment] = [end.u16(), end.u16(), end.u32(), end.u32(), end.u16()];
    if (comment !== end.left) continue;
    if (from + size > at) throw new WeightsFault('it is a zip whose directory is not where its end says');
    return { count, from };
  }
  throw new WeightsFault('it is a zip without its end');
}

function readEntry(directory: Cursor, budget: { left: number }): ZipEntry {
  if (directory.u32() !== 0x02014b50)
    throw new WeightsFault(`its zip directory is damaged at byte ${directory.at - 4}`);
  directory.take(4);
  const [flags, method] = [directory.u16(), directory.u16()];
  directory.take(8);
  const [packed, size] = [directory.u32(), directory.u32()];
  const [nameBytes, extraBytes, commentBytes] = [directory.u16(), directory.u16(), directory.u16()];
  directory.take(8);
  const at = directory.u32();
  const name = utf8.decode(directory.take(nameBytes));
  directory.take(extraBytes + commentBytes);
  const unpack = flags & 1 ? undefined : methods.get(method);
  return {
    name,
    size,
    isPacked: method !== 0,
    bytes: () => {
      if (!unpack) throw new WeightsFault(`entry ${quoted(name)} of its zip is encrypted or of method ${method}`);
      return unpack(packedBytes(directory.bytes, at, packed), size, name, budget);
    },
  };
}

/** The bytes of an entry, which come after its own header. */
function packedBytes(bytes: Uint8Array, at: number, length: number): Uint8Array {
  const local = new Cursor(bytes, at);
  if (local.u32() !== 0x04034b50) throw new WeightsFault(`its zip has no entry at byte ${at}`);
  local.take(22);
  const [nameBytes, extraBytes] = [local.u16(), local.u16()];
  local.take(nameBytes + extraBytes);
  return local.take(length);
}

type Unpack = (packed: Uint8Array, size: number, name: string, budget: { left: number }) => Uint8Array;

const methods: ReadonlyMap<number, Unpack> = new Map<number, Unpack>([
  [0, stored],
  [8, inflated],
]);

function stored(packed: Uint8Array, size: number, name: string): Uint8Array {
  if (packed.length !== size) throw wrongSize(name, size);
  return packed;
}

function inflated(packed: Uint8Array, size: number, name: string, budget: { left: number }): Uint8Array {
  budget.left -= packed.length + size;
  if (budget.left < 0) throw new WeightsFault('its zip would be inflated to more than sixteen times its size');
  const bytes = new Uint8Array(size);
  let at = 0;
  const stream = new Inflate((chunk) => {
    if (at + chunk.length > size) throw wrongSize(name, size);
    bytes.set(chunk, at);
    at += chunk.length;
  });
  try {
    for (let from = 0; from < packed.length; from += step)
      stream.push(packed.subarray(from, from + step), from + step >= packed.length);
  } catch (error) {
    throw error instanceof WeightsFault ? error : new WeightsFault(`entry ${quoted(name)} of its zip is damaged`);
  }
  if (at !== size) throw wrongSize(name, size);
  return bytes;
}

const wrongSize = (name: string, size: number): WeightsFault =>
  new WeightsFault(`entry ${quoted(name)} of its zip has not the ${size} bytes that it states`);
