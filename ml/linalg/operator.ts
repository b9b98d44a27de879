import {
  allocateDoubles,
  groupColumns,
  groupRows,
  kernels,
  paddedSide,
  place,
  productOfGroups,
  read,
  scope,
  viewDoubles,
} from '../kernels/index.ts';
import type { Matrix } from '../matrix.ts';

/** A matrix A [m × n] in the memory of the kernels, for products with `k` vectors at a time. */
export interface Operator {
  /** Y = A·Xᵀ: x [k × n], written to y [m × k]. */
  times(x: Float64Array, k: number, y: Float64Array): void;
  /** Y = Sᵀ·A: s [m × k], written to y [k × n]. */
  transposedTimes(s: Float64Array, k: number, y: Float64Array): void;
}

/** Number of vectors from which one matrix product is faster than a product for each vector. */
const many = 5;

/** A matrix [m × (n + 1)]: a table [m × n] with scaled columns, and a last column that holds one value throughout. */
export interface Scaled {
  readonly table: Matrix;
  readonly scale: Float64Array;
  readonly last: number;
}

/** Runs `use` with the operator of A for `k` vectors at a time. The operator is not valid after `use` returns. */
export function withOperator<T>(a: Scaled, k: number, use: (operator: Operator) => T): T {
  return scope(() => use(k < many ? new ByVectors(a) : new ByGroups(a)));
}

/** Writes A to rows at an address that are `ld` apart. */
function spread({ table, scale, last }: Scaled, to: number, ld: number): void {
  const { data, rows: m, columns: n } = table;
  scope(() => kernels().spreadScaled(place(data.subarray(0, m * n)), m, n, place(scale), last, to, ld));
}

/** A product for each vector. */
class ByVectors implements Operator {
  readonly #m: number;
  readonly #n: number;
  readonly #ld: number;
  readonly #matrix: number;
  readonly #short: number;
  readonly #long: number;

  constructor(a: Scaled) {
    const m = a.table.rows;
    [this.#m, this.#n] = [m, a.scale.length + 1];
    this.#ld = paddedSide(this.#n);
    this.#matrix = allocateDoubles(m * this.#ld);
    spread(a, this.#matrix, this.#ld);
    [this.#short, this.#long] = [allocateDoubles(m), allocateDoubles(this.#ld)];
  }

  times(x: Float64Array, k: number, y: Float64Array): void {
    const [m, n, ld] = [this.#m, this.#n, this.#ld];
    for (let v = 0; v < k; v += 1) {
      const at = viewDoubles(this.#long, ld);
      at.set(x.subarray(v * n, (v + 1) * n));
      at.fill(0, n);
      kernels().timesVector(this.#matrix, m, ld, this.#long, this.#short);
      const out = viewDoubles(this.#short, m);
      for (let i = 0; i < m; i += 1) y[i * k + v] = out[i];
    }
  }

  transposedTimes(s: Float64Array, k: number, y: Float64Array): void {
    const [m, n, ld] = [this.#m, this.#n, this.#ld];
    for (let v = 0; v < k; v += 1) {
      const at = viewDoubles(this.#short, m);
      for (let i = 0; i < m; i += 1) at[i] = s[i * k + v];
      kernels().transposedTimesVector(this.#matrix, m, ld, this.#short, this.#long);
      y.set(viewDoubles(this.#long, n), v * n);
    }
  }
}

/** One product of matrices for all vectors. */
class ByGroups implements Operator {
  readonly #m: number;
  readonly #n: number;
  readonly #rows: number;
  readonly #columns: number;

  constructor(scaled: Scaled) {
    const m = scaled.table.rows;
    const n = scaled.scale.length + 1;
    const a = scope(() => {
      const at = allocateDoubles(m * n);
      spread(scaled, at, n);
      return read(at, m * n);
    });
    [this.#m, this.#n] = [m, n];
    [this.#rows, this.#columns] = [groupRows(a, m, n), groupColumns(a, m, n)];
  }

  times(x: Float64Array, k: number, y: Float64Array): void {
    const n = this.#n;
    scope(() => productOfGroups({ at: this.#rows, rows: this.#m }, { at: groupRows(x, k, n), rows: k }, n, y));
  }

  transposedTimes(s: Float64Array, k: number, y: Float64Array): void {
    const m = this.#m;
    scope(() => productOfGroups({ at: groupColumns(s, m, k), rows: k }, { at: this.#columns, rows: this.#n }, m, y));
  }
}
