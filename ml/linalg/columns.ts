import { allocateDoubles, kernels, place, read, scope, viewDoubles } from '../kernels/index.ts';

/** Rows of a table whose rows have `width` values, brought where the kernels reach them; the address. */
function placeRows(table: Float64Array, width: number, rows: ArrayLike<number>): number {
  const at = allocateDoubles(rows.length * width);
  const view = viewDoubles(at, rows.length * width);
  for (let i = 0; i < rows.length; i += 1) view.set(table.subarray(rows[i] * width, (rows[i] + 1) * width), i * width);
  return at;
}

/** Means of the columns of some rows of a table, and their variances about them. [width] each */
export function columnMoments(
  table: Float64Array,
  width: number,
  rows: ArrayLike<number>,
): { mean: Float64Array; variance: Float64Array } {
  return scope(() => {
    const share = 1 / rows.length;
    const at = placeRows(table, width, rows);
    const [mean, variance] = [place(new Float64Array(width)), place(new Float64Array(width))];
    kernels().addRows(at, rows.length, width, share, mean);
    kernels().addSquares(at, rows.length, width, mean, share, 1, variance);
    return { mean: read(mean, width), variance: read(variance, width) };
  });
}

/** Mean squares of the columns of some rows of a table about given values. [width] */
export function squaresAbout(
  table: Float64Array,
  width: number,
  rows: ArrayLike<number>,
  about: Float64Array,
): Float64Array {
  return scope(() => {
    const at = placeRows(table, width, rows);
    const sum = place(new Float64Array(width));
    kernels().addSquares(at, rows.length, width, place(about), 1, rows.length, sum);
    return read(sum, width);
  });
}

/** Some rows of a table, less `mean` and over `scale` by column. [rows × width] */
export function standardisedRows(
  table: Float64Array,
  width: number,
  rows: ArrayLike<number>,
  mean: Float64Array,
  scale: Float64Array,
): Float64Array {
  return scope(() => {
    const at = placeRows(table, width, rows);
    kernels().standardise(at, rows.length, width, place(mean), place(scale));
    return read(at, rows.length * width);
  });
}

/** Rows times `by` and the scale of each column. */
export function scaledColumns(table: Float64Array, scale: Float64Array, by = 1): Float64Array {
  return scope(() => {
    const at = place(table);
    kernels().scaleColumns(at, table.length / scale.length, scale.length, by, place(scale));
    return read(at, table.length);
  });
}

/** Square roots; 1 for nothing, as of a column that does not vary. */
export function rootsOrOne(values: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  for (let j = 0; j < out.length; j += 1) out[j] = Math.sqrt(values[j]) || 1;
  return out;
}
