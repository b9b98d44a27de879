/** How far labels agree with known classes. */
export interface Agreement {
  /** Trials whose class is known. */
  readonly known: number;
  readonly right: number;
  /** Share of right labels, averaged over the classes. */
  readonly balanced: number;
  /** 95 % interval of the share of right labels (Wilson 1927). */
  readonly interval: readonly [number, number];
}

const z = 1.96;

/** Compares labels with the classes that events name; null if none is known. */
export function agreementOf(labels: readonly string[], truth: readonly (string | null)[]): Agreement | null {
  const classes = new Map<string, { known: number; right: number }>();
  labels.forEach((label, i) => {
    const known = truth[i];
    if (known === null) return;
    const before = classes.get(known) ?? { known: 0, right: 0 };
    classes.set(known, { known: before.known + 1, right: before.right + (label === known ? 1 : 0) });
  });
  if (classes.size === 0) return null;
  const counts = [...classes.values()];
  const sum = (of: 'known' | 'right'): number => counts.reduce((total, each) => total + each[of], 0);
  const [known, right] = [sum('known'), sum('right')];
  return {
    known,
    right,
    balanced: counts.reduce((total, each) => total + each.right / each.known, 0) / counts.length,
    interval: wilson(right / known, known),
  };
}

function wilson(share: number, count: number): [number, number] {
  const scale = 1 + z ** 2 / count;
  const middle = (share + z ** 2 / (2 * count)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))) / scale;
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
