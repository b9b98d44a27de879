/** Bytes of pickles and of torch streams, written by hand. */
type Part = number | string | Uint8Array;

/** Bytes one after another: numbers are bytes, texts are latin1. */
export const bytesOf = (...parts: readonly Part[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'number'
        ? Buffer.of(part)
        : Buffer.from(part as string, typeof part === 'string' ? 'latin1' : undefined),
    ),
  );

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: bigint | number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

export const text = (value: string): Buffer => bytesOf('X', u32(Buffer.byteLength(value)), Buffer.from(value));
/** LONG1 of 9 bytes, which holds all numbers of 64 bits. */
export function whole(value: bigint | number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeBigInt64LE(BigInt.asIntN(64, BigInt(value)));
  bytes[8] = BigInt(value) < 0n ? 0xff : 0;
  return bytesOf(0x8a, 9, bytes);
}
export const tuple = (...items: readonly Buffer[]): Buffer => bytesOf('(', ...items, 't');
export const named = (module: string, name: string): Buffer => bytesOf(`c${module}\n${name}\n`);
export const call = (called: Buffer, ...of: readonly Buffer[]): Buffer => bytesOf(called, tuple(...of), 'R');
/** Keys and values. */
export const dictionary = (...entries: readonly Buffer[]): Buffer => bytesOf('}(', ...entries, 'u');
export const list = (...items: readonly Buffer[]): Buffer => bytesOf('](', ...items, 'e');
export const pickle = (...parts: readonly Part[]): Buffer => bytesOf(0x80, 2, ...parts, '.');
export const none = Buffer.from('N');
const numbers = (values: readonly (bigint | number)[]): Buffer => tuple(...values.map(whole));

interface Claim {
  readonly type?: string;
  readonly key?: string;
  readonly count?: bigint | number;
  readonly first?: bigint | number;
  readonly dims?: readonly (bigint | number)[];
  readonly strides?: readonly (bigint | number)[];
  readonly part?: Buffer;
}

/** A tensor of two numbers in storage `k`, unless something else is claimed. */
export const tensor = ({ type = 'FloatStorage', key = 'k', count = 2, first = 0, ...more }: Claim = {}): Buffer =>
  call(
    named('torch._utils', '_rebuild_tensor_v2'),
    bytesOf(tuple(text('storage'), named('torch', type), text(key), text('cpu'), whole(count), more.part ?? none), 'Q'),
    whole(first),
    numbers(more.dims ?? [2]),
    numbers(more.strides ?? [1]),
    Buffer.from([0x89]),
    none,
  );

const twoFloats = Buffer.from(Float32Array.of(1.5, -2).buffer);
export const magic = pickle(0x8a, 10, Buffer.from('6cfc9c46f9206aa85019', 'hex'));
export const version = pickle(whole(1001));
export const little = pickle(dictionary(text('little_endian'), Buffer.of(0x88)));

/** A torch stream of an object's pickle, and of storage `k` with 1.5 and -2 if it names one, or of those given. */
export const stream = (
  object: Buffer,
  storages: readonly (readonly [key: string, count: bigint | number, bytes: Uint8Array])[] = object.includes(
    text('storage'),
  )
    ? [['k', 2, twoFloats]]
    : [],
  before: readonly Buffer[] = [magic, version, little],
): Buffer =>
  bytesOf(
    ...before,
    pickle(object),
    pickle(list(...storages.map(([key]) => text(key)))),
    ...storages.flatMap(([, count, bytes]) => [u64(count), bytes]),
  );
