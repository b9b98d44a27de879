import { Encoder } from 'cbor-x';

const cbor = new Encoder({
  useRecords: false,
  structuredClone: false,
  mapsAsObjects: true,
  variableMapSize: true,
  tagUint8Array: false,
});

/**
 * Encodes plain data as bytes (CBOR, RFC 8949; typed arrays by RFC 8746). Typed arrays, bigints and dates keep their
 * type.
 */
export function encode(value: unknown): Uint8Array {
  return new Uint8Array(cbor.encode(value));
}

/** Reverses `encode`. The result shares no memory with `bytes`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what it stored
export function decode<T>(bytes: Uint8Array): T {
  return cbor.decode(bytes) as T;
}

/** cbor-x keeps the buffer of the largest value that it has encoded, and the last that it has decoded. */
const smallBuffer = 8_192;

/** Releases the codec's buffers in this thread, so that an idle thread keeps no memory of its last tasks. */
export function releaseCodec(): void {
  // The types of cbor-x leave out `useBuffer`.
  (cbor as unknown as { useBuffer(buffer: Buffer): void }).useBuffer(Buffer.allocUnsafeSlow(smallBuffer));
  decode(encode(null));
}

/** Like `decode`, for data stored with a format number; throws an Error with both numbers if the format differs. */
export function decodeFormat<T extends { readonly format: number }>(
  bytes: Uint8Array,
  format: T['format'],
  what: string,
): T {
  const value = decode<T | null>(bytes);
  if (value?.format === format) return value;
  const found = typeof value?.format === 'number' ? `format ${value.format}` : 'no known format';
  throw new Error(`The stored ${what} has ${found}; this version of the service reads format ${format}.`);
}
