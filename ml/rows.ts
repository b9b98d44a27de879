/** 0 … count − 1: every row of a table. */
export function range(count: number): Int32Array {
  const rows = new Int32Array(count);
  for (let i = 0; i < count; i += 1) rows[i] = i;
  return rows;
}

/** Rows of each group, in order of first appearance; null if no row has a name. */
export function rowsOfEach(groups: ArrayLike<number> | readonly (string | null)[] | null): Int32Array[] | null {
  const names = groups && Array.from<number | string | null>(groups as ArrayLike<number>);
  if (!names || names.every((name) => name === null)) return null;
  return [...Map.groupBy(names.keys(), (row) => names[row]).values()].map((rows) => Int32Array.from(rows));
}

/** Values of some rows. */
export function valuesAt(values: Int32Array, rows: Int32Array): Int32Array {
  const out = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) out[i] = values[rows[i]];
  return out;
}

/** Rows of a table whose rows have `width` values, as a new table [rows × width]. */
export function takeRows(table: Float64Array, width: number, rows: ArrayLike<number>): Float64Array {
  const out = new Float64Array(rows.length * width);
  for (let i = 0; i < rows.length; i += 1) out.set(table.subarray(rows[i] * width, (rows[i] + 1) * width), i * width);
  return out;
}

/** Writes `values` [rows × width] into a table, each row of them where `rows` says. */
export function putRows(table: Float64Array, width: number, rows: ArrayLike<number>, values: Float64Array): void {
  for (let i = 0; i < rows.length; i += 1) table.set(values.subarray(i * width, (i + 1) * width), rows[i] * width);
}

/** Tables of rows of one width as one table. */
export function joinTables(tables: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(tables.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const table of tables) {
    out.set(table, at);
    at += table.length;
  }
  return out;
}

/** Tables of one length side by side: value i of each, then value i + 1 of each. [values × tables] */
export function sideBySide(tables: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(tables.length * (tables[0]?.length ?? 0));
  for (let t = 0; t < tables.length; t += 1)
    for (let i = 0, at = t; i < tables[t].length; i += 1, at += tables.length) out[at] = tables[t][i];
  return out;
}

/** sum += by · table. */
export function addScaled(sum: Float64Array, table: Float64Array, by: number): void {
  for (let i = 0; i < sum.length; i += 1) sum[i] += by * table[i];
}
