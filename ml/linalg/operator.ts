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
  return scope(() => use(k < many ? byVectors(a, m) : byGroups(a, m)));
}

/** Writes A to rows at an address that are `ld` apart. */
const spread = ({ table, scale, last }: Scaled, m: number, to: number, ld: number): void =>
  scope(() =>
    kernels().spreadScaled(place(table.subarray(0, m * scale.length)), m, scale.length, place(scale), last, to, ld),
  );

function byVectors(a: Scaled, m: number): Operator {
  const n = a.scale.length + 1;
  const ld = paddedSide(n);
  const matrix = allocateDoubles(m * ld);
  spread(a, m, matrix, ld);
  const [short, long] = [allocateDoubles(m), allocateDoubles(ld)];
  return {
    times(x, k, y) {
      for (let v = 0; v < k; v += 1) {
        const at = viewDoubles(long, ld);
        at.set(x.subarray(v * n, (v + 1) * n));
        at.fill(0, n);
        kernels().timesVector(matrix, m, ld, long, short);
        const out = viewDoubles(short, m);
        for (let i = 0; i < m; i += 1) y[i * k + v] = out[i];
      }
    },
    transposedTimes(s, k, y) {
      for (let v = 0; v < k; v += 1) {
        const at = viewDoubles(short, m);
        for (let i = 0; i < m; i += 1) at[i] = s[i * k + v];
        kernels().transposedTimesVector(matrix, m, ld, short, long);
        y.set(viewDoubles(long, n), v * n);
      }
    },
  };
}

function byGroups(scaled: Scaled, m: number): Operator {
  const n = scaled.scale.length + 1;
  const a = scope(() => {
    const at = allocateDoubles(m * n);
    spread(scaled, m, at, n);
    return read(at, m * n);
  });
  const [rows, columns] = [groupRows(a, m, n), groupColumns(a, m, n)];
  return {
    times: (x, k, y) => scope(() => void productOfGroups(rows, m, groupRows(x, k, n), k, n, y)),
    transposedTimes: (s, k, y) => scope(() => void productOfGroups(groupColumns(s, m, k), k, columns, n, m, y)),
  };
}
