/** Trials with a weight above zero, and their weights, which sum to one: the weights of a class-balanced mean. */
export interface TrialWeights {
  readonly rows: Int32Array;
  readonly weights: Float64Array;
}

/** Weights that give every class the same total. `weights`: weight of each trial within its class; null: equal. */
export function trialWeights(labels: Int32Array, classes: number, weights: Float64Array | null): TrialWeights {
  const totals = new Float64Array(classes);
  const rows = new Int32Array(labels.length);
  const own = new Float64Array(labels.length);
  let count = 0;
  for (let i = 0; i < labels.length; i += 1) {
    const weight = weights ? weights[i] : 1;
    totals[labels[i]] += weight;
    rows[count] = i;
    own[count] = weight;
    count += weight > 0 ? 1 : 0;
  }
  const present = totals.reduce((sum, total) => sum + (total > 0 ? 1 : 0), 0);
  for (let i = 0; i < count; i += 1) own[i] /= totals[labels[rows[i]]] * present;
  return { rows: rows.subarray(0, count), weights: own.subarray(0, count) };
}

/** Weighted sum of values [trials]; values of trials without weight are not read. */
export function weighted(values: Float64Array, { rows, weights }: TrialWeights): number {
  let sum = 0;
  for (let i = 0; i < rows.length; i += 1) sum += weights[i] * values[rows[i]];
  return sum;
}

/** Standard error of the weighted mean difference of two candidates, from values of both on the same trials. */
export function pairedError(a: Float64Array, b: Float64Array, { rows, weights }: TrialWeights): number {
  let mean = 0;
  for (let i = 0; i < rows.length; i += 1) mean += weights[i] * (a[rows[i]] - b[rows[i]]);
  let square = 0;
  for (let i = 0; i < rows.length; i += 1) {
    const deviation = weights[i] * (a[rows[i]] - b[rows[i]] - mean);
    square += deviation * deviation;
  }
  return Math.sqrt(square);
}
