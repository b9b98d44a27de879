import { allocate, kernels, scope, viewBytes, viewIntegers } from '../kernels/index.ts';

/** Some of the rows: `count` rows, `step` apart, from row `from` on. */
export interface SomeRows {
  readonly from: number;
  readonly step: number;
  readonly count: number;
}

/** Rows of 8-bit numbers in the memory of the kernels. */
export class ByteRows {
  readonly #at: number;
  readonly #width: number;
  readonly #columns: number;

  constructor(data: Int8Array, width: number, columns: number) {
    [this.#width, this.#columns] = [width, columns];
    this.#at = allocate(data.length);
    viewBytes(this.#at, data.length).set(new Uint8Array(data.buffer, data.byteOffset, data.length));
  }

  /** Writes the inner products [a.count × b.count] of some rows with some others to `out`. */
  products(a: SomeRows, b: SomeRows, out: Int32Array): void {
    const [at, width] = [this.#at, this.#width];
    const size = a.count * b.count;
    scope(() => {
      const placed = allocate(size * Int32Array.BYTES_PER_ELEMENT);
      kernels().byteProducts(
        at + a.from * width,
        a.step * width,
        a.count,
        at + b.from * width,
        b.step * width,
        b.count,
        this.#columns,
        placed,
      );
      out.set(viewIntegers(placed, size));
    });
  }
}

/**
 * Runs `use` with rows [rows × width] of 8-bit numbers, whose inner products of the first `columns` values are exact.
 * `columns`: a multiple of 16. The rows are not valid after `use` returns.
 */
export const withByteRows = <T>(data: Int8Array, width: number, columns: number, use: (rows: ByteRows) => T): T =>
  scope(() => use(new ByteRows(data, width, columns)));
