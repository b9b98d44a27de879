/** How a list of labels is ordered, compared with the same labels in random order. */
export interface RunsTest {
  /** Runs of one label: observed, and expected in random order. */
  readonly runs: number;
  readonly expected: number;
  /** True if there are too few runs to be chance. */
  readonly blocked: boolean;
}

/**
 * Labels are in blocks if the runs are this many standard deviations below the expected number: 6 of 1,000 random
 * orders.
 */
const fewer = 2.5;
/** Labels with one run per class are in blocks if a random order is sorted with a probability below this. */
const sorted = 0.01;

/**
 * Runs test of Wald & Wolfowitz (1940, Ann. Math. Stat. 11) for any number of classes (Barton & David 1957, Biometrika
 * 44) over several lists. The runs, their means and their variances are summed. `lists` contain class indices.
 */
export function runsTest(lists: readonly ArrayLike<number>[]): RunsTest {
  let runs = 0;
  let expected = 0;
  let variance = 0;
  let fewest = 0;
  let logSorted = 0;
  for (const list of lists) {
    const n = list.length;
    const counts = new Map<number, number>();
    for (let i = 0; i < n; i += 1) {
      counts.set(list[i], (counts.get(list[i]) ?? 0) + 1);
      if (i === 0 || list[i] !== list[i - 1]) runs += 1;
    }
    const power = (exponent: number): number => [...counts.values()].reduce((sum, c) => sum + c ** exponent, 0);
    const [squares, cubes] = [power(2), power(3)];
    expected += n === 0 ? 0 : 1 + (n * n - squares) / n;
    variance += n < 2 ? 0 : (squares * (squares + n + n * n) - 2 * n * cubes - n ** 3) / (n * n * (n - 1));
    fewest += counts.size;
    logSorted += logFactorial(counts.size) - logFactorial(n);
    for (const count of counts.values()) logSorted += logFactorial(count);
  }
  const few = variance > 1e-9 && runs - expected <= -fewer * Math.sqrt(variance);
  return { runs, expected, blocked: few || (runs === fewest && logSorted < Math.log(sorted)) };
}

function logFactorial(n: number): number {
  let sum = 0;
  for (let i = 2; i <= n; i += 1) sum += Math.log(i);
  return sum;
}
