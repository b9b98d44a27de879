/** Mean of the trials of each class, means [classes × dimension], and how many there were. */
export function classMeans(
  x: Float64Array,
  trials: number,
  dimension: number,
  labels: Int32Array,
  classes: number,
): { means: Float64Array; counts: Int32Array } {
  const means = new Float64Array(classes * dimension);
  const counts = new Int32Array(classes);
  for (let i = 0; i < trials; i += 1) {
    counts[labels[i]] += 1;
    for (let j = 0; j < dimension; j += 1) means[labels[i] * dimension + j] += x[i * dimension + j];
  }
  for (let k = 0; k < classes; k += 1)
    for (let j = 0; j < dimension; j += 1) means[k * dimension + j] /= Math.max(1, counts[k]);
  return { means, counts };
}
