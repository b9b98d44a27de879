/** Log-scores that are linear in the features: `weights` [classes × dimension], `bias` [classes]. Plain data. */
export interface LinearHead {
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly [name: string]: Float64Array;
}

/**
 * Log-scores [rows × classes] of features x [rows × dimension]. Each row is summed in one fixed order, so that it has
 * the same bits alone and among others.
 */
export function decideLinear(head: LinearHead, x: Float64Array): Float64Array {
  const classes = head.bias.length;
  const dimension = head.weights.length / classes;
  const rows = x.length / dimension;
  const out = new Float64Array(rows * classes);
  for (let i = 0; i < rows; i += 1) {
    for (let k = 0; k < classes; k += 1) {
      const from = i * dimension;
      const at = k * dimension;
      let sum = head.bias[k];
      for (let j = 0; j < dimension; j += 1) sum += x[from + j] * head.weights[at + j];
      out[i * classes + k] = sum;
    }
  }
  return out;
}

/** Weight of each trial that gives every class the same total: n / (classes · trials of its class). */
export function balancedWeights(labels: Int32Array, classes: number): Float64Array {
  const counts = new Float64Array(classes);
  for (const label of labels) counts[label] += 1;
  const weights = new Float64Array(labels.length);
  for (let i = 0; i < labels.length; i += 1) weights[i] = labels.length / (classes * counts[labels[i]]);
  return weights;
}
