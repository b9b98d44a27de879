import { electrodeNames, legacyNames } from './template.ts';

/** Letters and digits that are often mistaken for each other; swapping them costs half an edit. */
const confusable = new Set(['0o', 'o0', '1l', 'l1', '1i', 'i1', 'z2', '2z', '5s', 's5']);

/**
 * Optimal-string-alignment distance (insert, delete, replace, swap of neighbours), in lower case. Its own code, since
 * libraries of edit distances weigh neither confusable characters nor swaps.
 */
function editDistance(first: string, second: string): number {
  const a = first.toLowerCase();
  const b = second.toLowerCase();
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : confusable.has(a[i - 1] + b[j - 1]) ? 0.5 : 1;
      let best = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2][j - 2] + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

/** Candidates ordered by edit distance, at most `count`, those at most `limit` away. Ties keep the order of `among`. */
export function nearestOf(text: string, among: readonly string[], count: number, limit: number): string[] {
  return among
    .map((name) => ({ name, cost: editDistance(text, name) }))
    .filter(({ cost }) => cost <= limit)
    .sort((a, b) => a.cost - b.cost)
    .slice(0, count)
    .map(({ name }) => name);
}

const common = 'Fp1 Fp2 F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2 Fpz Oz'.split(' ');
/** All names, those of the 10-20 system first, then 10-10 (the template lists it before 10-05). */
const byUse = [...common, ...electrodeNames.filter((name) => !common.includes(name)), ...Object.keys(legacyNames)];

/** Electrode names close in spelling, best first; never a name in `taken`. */
export function nearestNames(text: string, taken: ReadonlySet<string>, count = 3): string[] {
  const free = byUse.filter((name) => !taken.has(legacyNames[name] ?? name));
  return nearestOf(text, free, count, Math.max(2, Math.ceil(text.length / 2)));
}
