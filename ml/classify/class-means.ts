import type { Matrix } from '../matrix.ts';

/** Mean of the trials of each class [classes × dimension] and trials of each class, from x [trials × dimension]. */
export function classMeans(
  { data: x, rows: trials, columns: dimension }: Matrix,
  labels: Int32Array,
  classes: number,
): { readonly means: Matrix; readonly counts: Int32Array } {
  const means = new Float64Array(classes * dimension);
  const counts = new Int32Array(classes);
  for (let i = 0; i < trials; i += 1) {
    counts[labels[i]] += 1;
    for (let j = 0; j < dimension; j += 1) means[labels[i] * dimension + j] += x[i * dimension + j];
  }
  for (let k = 0; k < classes; k += 1)
    for (let j = 0; j < dimension; j += 1) means[k * dimension + j] /= Math.max(1, counts[k]);
  return { means: { data: means, rows: classes, columns: dimension }, counts };
}
