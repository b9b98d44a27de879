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

/** A matrix A [m × n] that is multiplied with many vectors, `k` at a time, held where the kernels reach it. */
export interface Operator {
  /** Y = X·Aᵀ, turned: x [k × n], y [m × k]. */
  times(x: Float64Array, k: number, y: Float64Array): void;
  /** Y = Sᵀ·A, s [m × k], y [k × n]. */
  transposedTimes(s: Float64Array, k: number, y: Float64Array): void;
}

/** Vectors at a time from which one product of matrices is cheaper than a product for each. */
const many = 5;

/** A matrix [m × (n + 1)]: a table [m × n] times the scale of each column, and a last column of one value. */
export interface Scaled {
  readonly table: Float64Array;
  readonly scale: Float64Array;
  readonly last: number;
}

/** Runs `use` with A, of m rows, at hand, for `k` vectors at a time; the operator is not valid after it. */
export function withOperator<T>(a: Scaled, m: number, k: number, use: (operator: Operator) => T): T {
  return scope(() => use(k < many ? new ByVectors(a, m) : new ByGroups(a, m)));
}

/** Writes A to rows at an address that are `ld` apart. */
const spread = ({ table, scale, last }: Scaled, m: number, to: number, ld: number): void =>
  scope(() =>
    kernels().spreadScaled(place(table.subarray(0, m * scale.length)), m, scale.length, place(scale), last, to, ld),
  );

/** A product for each vector. */
class ByVectors implements Operator {
  readonly #m: number;
  readonly #n: number;
  readonly #ld: number;
  readonly #matrix: number;
  readonly #short: number;
  readonly #long: number;

  constructor(a: Scaled, m: number) {
    [this.#m, this.#n] = [m, a.scale.length + 1];
    this.#ld = paddedSide(this.#n);
    this.#matrix = allocateDoubles(m * this.#ld);
    spread(a, m, this.#matrix, this.#ld);
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

  constructor(scaled: Scaled, m: number) {
    const n = scaled.scale.length + 1;
    const a = scope(() => {
      const at = allocateDoubles(m * n);
      spread(scaled, m, at, n);
      return read(at, m * n);
    });
    [this.#m, this.#n] = [m, n];
    [this.#rows, this.#columns] = [groupRows(a, m, n), groupColumns(a, m, n)];
  }

  times(x: Float64Array, k: number, y: Float64Array): void {
    const n = this.#n;
    scope(() => productOfGroups(this.#rows, this.#m, groupRows(x, k, n), k, n, y));
  }

  transposedTimes(s: Float64Array, k: number, y: Float64Array): void {
    const m = this.#m;
    scope(() => productOfGroups(groupColumns(s, m, k), k, this.#columns, this.#n, m, y));
  }
}
