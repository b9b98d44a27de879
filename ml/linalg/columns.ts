import { allocateDoubles, kernels, place, read, scope, viewDoubles } from '../kernels/index.ts';
import type { Matrix } from '../matrix.ts';

/** Copies some rows of a table to the memory of the kernels; returns the address. */
function placeRows({ data, columns }: Matrix, rows: ArrayLike<number>): number {
  const at = allocateDoubles(rows.length * columns);
  const view = viewDoubles(at, rows.length * columns);
  for (let i = 0; i < rows.length; i += 1)
    view.set(data.subarray(rows[i] * columns, (rows[i] + 1) * columns), i * columns);
  return at;
}

/** Mean and population variance of each column over some rows of a table. [columns] each */
export function columnMoments(
  table: Matrix,
  rows: ArrayLike<number>,
): { readonly mean: Float64Array; readonly variance: Float64Array } {
  const { columns } = table;
  return scope(() => {
    const weight = 1 / rows.length;
    const at = placeRows(table, rows);
    const [mean, variance] = [place(new Float64Array(columns)), place(new Float64Array(columns))];
    kernels().addRows(at, rows.length, columns, weight, mean);
    kernels().addSquares(at, rows.length, columns, mean, weight, 1, variance);
    return { mean: read(mean, columns), variance: read(variance, columns) };
  });
}

/** Mean squared distance of each column of some rows of a table from `centre` [columns]. Returns [columns]. */
export function squaresAbout(table: Matrix, rows: ArrayLike<number>, centre: Float64Array): Float64Array {
  const { columns } = table;
  return scope(() => {
    const at = placeRows(table, rows);
    const sum = place(new Float64Array(columns));
    kernels().addSquares(at, rows.length, columns, place(centre), 1, rows.length, sum);
    return read(sum, columns);
  });
}

/** Location and scale of each column. [columns] each */
export interface ColumnScale {
  readonly mean: Float64Array;
  readonly scale: Float64Array;
}

/** Some rows of a table, minus `mean` and divided by `scale`, column by column. Returns [rows × columns]. */
export function standardisedRows(table: Matrix, rows: ArrayLike<number>, { mean, scale }: ColumnScale): Matrix {
  const { columns } = table;
  return scope(() => {
    const at = placeRows(table, rows);
    kernels().standardise(at, rows.length, columns, place(mean), place(scale));
    return { data: read(at, rows.length * columns), rows: rows.length, columns };
  });
}

/** The table with each column multiplied by its scale [columns] and by `by`. */
export function scaledColumns({ data, rows, columns }: Matrix, scale: Float64Array, by = 1): Matrix {
  return scope(() => {
    const at = place(data);
    kernels().scaleColumns(at, rows, columns, by, place(scale));
    return { data: read(at, data.length), rows, columns };
  });
}

/** Square root of each value; 1 where the value is 0, so that a constant column can be divided by it. */
export function rootsOrOne(values: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  for (let j = 0; j < out.length; j += 1) out[j] = Math.sqrt(values[j]) || 1;
  return out;
}
