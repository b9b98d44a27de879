import { WeightsFault } from './fault.ts';

const longestLine = 1024;
const latin1 = new TextDecoder('latin1');

/** Reads bytes one after another. Throws a WeightsFault instead of reading past their end. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#step(at);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Advances by `count` bytes and returns where they began. */
  #step(count: number): number {
    const from = this.at;
    if (!(count <= this.left))
      throw new WeightsFault(`it ends at byte ${this.bytes.length}, within ${count} bytes that begin at byte ${from}`);
    this.at += count;
    return from;
  }

  take(count: number): Uint8Array {
    const from = this.#step(count);
    return this.bytes.subarray(from, from + count);
  }

  u8(): number {
    return this.#view.getUint8(this.#step(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#step(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#step(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#step(4), true);
  }

  /** A 64-bit number, exact up to 2^53. Larger ones may be compared only, and each exceeds the size of any file. */
  u64(): number {
    const low = this.u32();
    return low + 2 ** 32 * this.u32();
  }

  /** Big-endian, as in pickles. */
  f64(): number {
    return this.#view.getFloat64(this.#step(8), false);
  }

  /** A line without its line break. */
  line(): string {
    const from = this.at;
    const end = this.bytes.subarray(from, from + longestLine).indexOf(10);
    if (end < 0) throw new WeightsFault(`the line at byte ${from} does not end within ${longestLine} bytes`);
    this.at += end + 1;
    return latin1.decode(this.bytes.subarray(from, from + end));
  }
}
