import { allocate, kernels, scope, viewBytes, viewIntegers } from '../kernels/index.ts';

/** Rows of 8-bit numbers in the memory of the kernels. */
export class ByteRows {
  readonly #at: number;
  readonly #out: number;
  readonly #width: number;
  readonly #columns: number;

  constructor(data: Int8Array, width: number, columns: number) {
    [this.#width, this.#columns] = [width, columns];
    this.#at = allocate(data.length);
    this.#out = allocate((data.length / width) * Int32Array.BYTES_PER_ELEMENT);
    viewBytes(this.#at, data.length).set(new Uint8Array(data.buffer, data.byteOffset, data.length));
  }

  /** Writes the inner products of a row with the rows `from`, `from` + `step`, …, one for each place of `out`. */
  products(row: number, from: number, step: number, out: Int32Array): void {
    const width = this.#width;
    const [own, others] = [this.#at + row * width, this.#at + from * width];
    kernels().byteProducts(own, others, step * width, out.length, this.#columns, this.#out);
    out.set(viewIntegers(this.#out, out.length));
  }
}

/**
 * Runs `use` with rows [rows × width] of 8-bit numbers, whose inner products of the first `columns` values are exact.
 * `columns`: a multiple of 16. The rows are not valid after `use` returns.
 */
export const withByteRows = <T>(data: Int8Array, width: number, columns: number, use: (rows: ByteRows) => T): T =>
  scope(() => use(new ByteRows(data, width, columns)));
