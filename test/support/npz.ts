import { inflateRawSync } from 'node:zlib';

/** One array of a `.npy` file: numbers as a typed array, `U` strings decoded. */
export interface NpyArray {
  readonly shape: readonly number[];
  readonly values: Float32Array | Float64Array | readonly string[];
}

/** Reads an `.npz` (a zip of `.npy` files, stored or deflated): arrays by name. */
export function readNpz(bytes: Buffer): Map<string, NpyArray> {
  const arrays = new Map<string, NpyArray>();
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('not a zip file: no end of central directory');
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, nameLength] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
    ];
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + size);
    arrays.set(name.replace(/\.npy$/, ''), readNpy(method === 8 ? inflateRawSync(packed) : packed));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return arrays;
}

/** Reads a `.npy` array of `<f4`, `<f8` or `<U…` in C order. */
export function readNpy(bytes: Buffer): NpyArray {
  const wide = bytes[6]! >= 2;
  const headerAt = wide ? 12 : 10;
  const headerLength = wide ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  const header = bytes.toString('latin1', headerAt, headerAt + headerLength);
  const type = /'descr': '([^']+)'/.exec(header)?.[1] ?? '';
  if (/'fortran_order': True/.test(header)) throw new Error('.npy in Fortran order is not read');
  const shape = (/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(Number);
  const count = shape.reduce((product, length) => product * length, 1);
  const body = bytes.subarray(headerAt + headerLength);
  const copy = new Uint8Array(body).buffer;
  if (type === '<f4') return { shape, values: new Float32Array(copy, 0, count) };
  if (type === '<f8') return { shape, values: new Float64Array(copy, 0, count) };
  const width = Number(/^<U(\d+)$/.exec(type)?.[1] ?? 0);
  if (width === 0) throw new Error(`.npy of type ${type} is not read`);
  const codes = new Uint32Array(copy, 0, count * width);
  return {
    shape,
    values: Array.from({ length: count }, (_, i) =>
      String.fromCodePoint(...codes.subarray(i * width, (i + 1) * width)).replaceAll('\0', ''),
    ),
  };
}
