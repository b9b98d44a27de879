/**
 * A dense matrix of float64, row-major: row i begins at `data[i · columns]`. `data` may be longer than the matrix.
 * Functions that take one do not change it unless they say so.
 */
export interface Matrix {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
  /** Only a batch of matrices has a count. */
  readonly count?: undefined;
}

/** A batch of matrices of one shape, one after the other: `data` [count × rows × columns]. */
export interface Matrices {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
  readonly count: number;
}

/** A matrix [rows × columns] of these values; without `rows`, as many as the values fill. */
export const matrixOf = (data: Float64Array, columns: number, rows = data.length / columns): Matrix => ({
  data,
  rows,
  columns,
});

/** A square matrix [side × side] of these values. */
export const squareOf = (data: Float64Array, side: number): Matrix => ({ data, rows: side, columns: side });

/** A batch of square matrices [count × side × side]; without `count`, as many as the values fill. */
export const squaresOf = (data: Float64Array, side: number, count = data.length / (side * side)): Matrices => ({
  data,
  rows: side,
  columns: side,
  count,
});

/** Matrices in a batch; 1 for a single matrix. */
export const countOf = ({ count = 1 }: Matrix | Matrices): number => count;

/** A matrix as a batch of one. */
export const asBatch = ({ data, rows, columns }: Matrix): Matrices => ({ data, rows, columns, count: 1 });

/** One matrix of a batch, on the same memory. */
export function matrixAt({ data, rows, columns }: Matrices, index: number): Matrix {
  const size = rows * columns;
  return { data: data.subarray(index * size, (index + 1) * size), rows, columns };
}
