/** What a run of the reconciler put right: a line for each count but zero. */
export const counted = (counts: readonly (readonly [number, string])[]): string[] =>
  counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
