export interface Patience {
  readonly fewest: number;
  readonly most: number;
  /** Steps between two looks. */
  readonly every: number;
  /** Steps after the best look at which the search ends. */
  readonly patience: number;
}

/** How many steps of a descent leave the least loss on trials that it does not learn from (early stopping). */
export function stepsThatHelp(
  step: () => void,
  watched: () => number,
  { fewest, most, every, patience }: Patience,
): number {
  let [best, at] = [Number.POSITIVE_INFINITY, fewest];
  for (let taken = every; taken <= most && taken - at < patience + every; taken += every) {
    for (let i = 0; i < every; i += 1) step();
    if (taken < fewest) continue;
    const loss = watched();
    if (loss < best) [best, at] = [loss, taken];
  }
  return at;
}

/** Standard errors of the mean gain of a trial by which losses must have fallen. */
const surely = 2;

/** The total of losses where it has surely fallen since `before`, by what each trial gained; else infinite. */
export function totalWhereSure(losses: Float64Array, before: Float64Array): number {
  const gains = losses.map((loss, i) => before[i] - loss);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1);
  return mean > surely * Math.sqrt(variance / gains.length)
    ? losses.reduce((sum, loss) => sum + loss, 0)
    : Number.POSITIVE_INFINITY;
}
