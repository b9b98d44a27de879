/** Sums counts by name; names in order of first appearance. */
export function sumCounts(rows: Iterable<readonly [name: string, count: number]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [name, count] of rows) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
}

/** Trials of each label, in order of first appearance. */
export const countLabels = (labels: readonly string[]): Map<string, number> =>
  sumCounts(labels.map((label) => [label, 1] as const));
