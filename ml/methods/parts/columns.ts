import type { Vectors } from './types.ts';

/** Some columns of vectors, in the given order. */
export function columnsOf({ data: x, rows, columns: dimension }: Vectors, columns: Int32Array): Vectors {
  const out = new Float64Array(rows * columns.length);
  for (let i = 0; i < rows; i += 1)
    for (let j = 0; j < columns.length; j += 1) out[i * columns.length + j] = x[i * dimension + columns[j]];
  return { data: out, rows, columns: columns.length };
}
