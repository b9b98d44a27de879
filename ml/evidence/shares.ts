/** Trials that count in a mean over classes of the mean over their trials, and what each weighs. */
export interface Share {
  readonly rows: Int32Array;
  readonly weights: Float64Array;
}

/** The trials of weight above zero, each class weighing the same in total. */
export function shares(labels: Int32Array, classes: number, weights: Float64Array | null): Share {
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

/** Sum of the values by their weights; of trials that do not count they are not looked at. */
export function weighted(values: Float64Array, { rows, weights }: Share): number {
  let sum = 0;
  for (let i = 0; i < rows.length; i += 1) sum += weights[i] * values[rows[i]];
  return sum;
}

/** Standard error of the weighted mean difference of two candidates on the same trials. */
export function pairedError(a: Float64Array, b: Float64Array, { rows, weights }: Share): number {
  let mean = 0;
  for (let i = 0; i < rows.length; i += 1) mean += weights[i] * (a[rows[i]] - b[rows[i]]);
  let square = 0;
  for (let i = 0; i < rows.length; i += 1) {
    const deviation = weights[i] * (a[rows[i]] - b[rows[i]] - mean);
    square += deviation * deviation;
  }
  return Math.sqrt(square);
}
