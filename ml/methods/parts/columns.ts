import type { Vectors } from './types.ts';

/** Some columns of vectors, in the order given. */
export function columnsOf({ x, dimension }: Vectors, columns: Int32Array): Vectors {
  const rows = x.length / dimension;
  const out = new Float64Array(rows * columns.length);
  for (let i = 0; i < rows; i += 1)
    for (let j = 0; j < columns.length; j += 1) out[i * columns.length + j] = x[i * dimension + columns[j]];
  return { x: out, dimension: columns.length };
}
