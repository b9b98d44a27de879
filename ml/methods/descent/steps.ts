export interface Patience {
  readonly fewest: number;
  readonly most: number;
  /** Steps between two evaluations. */
  readonly every: number;
  /** Steps after the best evaluation at which the search ends. */
  readonly patience: number;
}

/** Number of steps with the least loss on watched trials (early stopping). */
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

/** The losses must have fallen by this many standard errors of a trial's mean gain. */
const surely = 2;

/** The total loss, if it has significantly fallen since `before`, by the gains of the trials; else infinite. */
export function totalWhereSure(losses: Float64Array, before: Float64Array): number {
  const gains = losses.map((loss, i) => before[i] - loss);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / (gains.length - 1);
  return mean > surely * Math.sqrt(variance / gains.length)
    ? losses.reduce((sum, loss) => sum + loss, 0)
    : Number.POSITIVE_INFINITY;
}
