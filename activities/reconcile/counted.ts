/** Repairs of the reconciler as sentences: one for each count above zero. */
export const counted = (counts: readonly (readonly [number, string])[]): string[] =>
  counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
