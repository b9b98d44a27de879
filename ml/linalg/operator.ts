import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';

/** A matrix A [m × n] that is multiplied with many vectors, held where the kernels reach it. */
export interface Operator {
  /** y = A·x, x [n], y [m]. */
  times(x: Float64Array, y: Float64Array): void;
  /** y = Aᵀ·s, s [m], y [n]. */
  transposedTimes(s: Float64Array, y: Float64Array): void;
}

/** Runs `use` with A [m × n] at hand; the operator is not valid after it. */
export function withOperator<T>(a: Float64Array, m: number, n: number, use: (operator: Operator) => T): T {
  return scope(() => {
    const ld = paddedSide(n);
    const matrix = allocateDoubles(m * ld);
    scope(() => kernels().spread(place(a.subarray(0, m * n)), m, n, matrix, ld));
    const [short, long] = [allocateDoubles(m), allocateDoubles(ld)];
    return use({
      times(x, y) {
        const at = viewDoubles(long, ld);
        at.set(x);
        at.fill(0, n);
        kernels().timesVector(matrix, m, ld, long, short);
        y.set(viewDoubles(short, m));
      },
      transposedTimes(s, y) {
        viewDoubles(short, m).set(s);
        kernels().transposedTimesVector(matrix, m, ld, short, long);
        y.set(viewDoubles(long, n));
      },
    });
  });
}
