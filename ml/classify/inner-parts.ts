/** Parts of the cross-validation inside the training trials by which a hyper-parameter is chosen. */
export const innerParts = 4;

/** Part of each trial: the i-th of its class is in part i mod `innerParts`. */
export function partOfEach(labels: Int32Array, classes: number): Int32Array {
  const seen = new Int32Array(classes);
  return labels.map((label) => {
    seen[label] += 1;
    return (seen[label] - 1) % innerParts;
  });
}
