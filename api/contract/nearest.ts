/**
 * Optimal-string-alignment distance (insert, delete, replace, swap of neighbours), in lower case. Libraries of edit
 * distances do not support swaps.
 */
function editDistance(first: string, second: string): number {
  const a = first.toLowerCase();
  const b = second.toLowerCase();
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + Number(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2][j - 2] + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

/** A longer text is not a misspelt name. */
const longest = 40;

/**
 * The name of which a text is a misspelling: at most one change in four characters. If several are equally near, the
 * first.
 */
export function nearestOf(text: string, among: readonly string[]): string | undefined {
  if (text.length > longest) return undefined;
  const limit = Math.ceil(text.length / 4);
  const near = among.map((name) => ({ name, cost: editDistance(text, name) })).filter(({ cost }) => cost <= limit);
  return near.sort((a, b) => a.cost - b.cost)[0]?.name;
}
