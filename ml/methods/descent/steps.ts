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
