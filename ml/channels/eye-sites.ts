/**
 * Sites with the largest eye signals, nearest first: blinks over the frontal pole, sideways looks at the temples (Croft
 * & Barry 2000, Neurophysiol. Clin. 30(1)). The second row is used if no site of the first is present.
 */
const rows = [/^(?:N|Fp|AFp|AF|AFF)(?:z|\d+h?)$|^F(?:7|8|9|10)$/, /^F(?:z|\d+h?)$/] as const;

/** Indices of the channels nearest to the eyes, in the order of the names; empty if none is frontal. */
export function eyeSites(names: readonly string[]): number[] {
  for (const row of rows) {
    const found = names.flatMap((name, at) => (row.test(name) ? [at] : []));
    if (found.length > 0) return found;
  }
  return [];
}
