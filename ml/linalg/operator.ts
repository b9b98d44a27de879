import {
  allocateDoubles,
  groupColumns,
  groupRows,
  kernels,
  paddedSide,
  place,
  productOfGroups,
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

/** Runs `use` with A [m × n] at hand, for `k` vectors at a time; the operator is not valid after it. */
export function withOperator<T>(a: Float64Array, m: number, n: number, k: number, use: (operator: Operator) => T): T {
  return scope(() => use(k < many ? byVectors(a, m, n) : byGroups(a, m, n)));
}

function byVectors(a: Float64Array, m: number, n: number): Operator {
  const ld = paddedSide(n);
  const matrix = allocateDoubles(m * ld);
  scope(() => kernels().spread(place(a.subarray(0, m * n)), m, n, matrix, ld));
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

function byGroups(a: Float64Array, m: number, n: number): Operator {
  const [rows, columns] = [groupRows(a, m, n), groupColumns(a, m, n)];
  return {
    times: (x, k, y) => scope(() => y.set(productOfGroups(rows, m, groupRows(x, k, n), k, n))),
    transposedTimes: (s, k, y) => scope(() => y.set(productOfGroups(groupColumns(s, m, k), k, columns, n, m))),
  };
}
