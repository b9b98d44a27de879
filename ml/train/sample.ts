import { createRandom, shuffle, type Random } from '../random.ts';
import { trialsFitted } from './fit-size.ts';

interface Named {
  readonly labels: readonly string[];
  readonly sessions: readonly (string | null)[] | null;
}

/** A sample of trials: its rows among all, ascending, and the names of all trials. */
export interface Sample extends Named {
  readonly rows: Int32Array;
}

/** The sample that a fit reads of trials with these features; null: it reads all trials. */
export function sampleOf({ labels, sessions }: Named, sets: Readonly<Record<string, number>>): Sample | null {
  const count = trialsFitted(labels.length, sets);
  if (count === labels.length) return null;
  return { rows: stratifiedSample({ labels, sessions }, count), labels, sessions };
}

/** Values of the sampled trials, from one value per trial; all values without a sample. */
export const sampledValues = <T>(values: readonly T[], sample: Sample | null): readonly T[] =>
  sample ? Array.from(sample.rows, (row) => values[row]) : values;

/**
 * Divides `count` places among groups of these sizes. Half of the places are dealt in equal numbers, the others in
 * proportion to the rest of each group, rounded by largest remainder (Hamilton's method); chance breaks ties. No group
 * gets more than its size, and every place is used while any group has trials left.
 */
function divideAmong(sizes: readonly number[], count: number, random: Random): number[] {
  const equal = Math.floor(count / 2 / sizes.length);
  const places = sizes.map((size) => Math.min(size, equal));
  const left = sizes.map((size, i) => size - places[i]);
  const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
  const open = Math.min(count - sum(places), sum(left));
  const exact = left.map((each) => (each * open) / Math.max(1, sum(left)));
  exact.forEach((each, i) => (places[i] += Math.floor(each)));
  const order = shuffle([...sizes.keys()], random).sort((a, b) => (exact[b] % 1) - (exact[a] % 1));
  let rest = open - sum(exact.map(Math.floor));
  for (const i of order) {
    if (rest === 0) break;
    if (places[i] === sizes[i]) continue;
    places[i] += 1;
    rest -= 1;
  }
  return places;
}

/**
 * Draws `count` of the trials without replacement, by class and session (stratified random sampling). Returns their
 * rows, ascending. The same trials give the same sample. `divideAmong` divides the places among the classes, and those
 * of a class among its sessions. Rare classes and short sessions thus have more than their proportion: a class keeps
 * all trials if it has at most count / (2 × classes). A class with more sessions than half of its places is drawn as if
 * it had no sessions.
 */
export function stratifiedSample({ labels, sessions }: Named, count: number): Int32Array {
  const random = createRandom(labels.length);
  const classes = [...Map.groupBy(labels.keys(), (row) => labels[row]).values()];
  const sizesOf = (groups: readonly { readonly length: number }[]): number[] => groups.map(({ length }) => length);
  const places = divideAmong(sizesOf(classes), count, random);
  const chosen = classes.flatMap((rows, k) => {
    const bySession = [...Map.groupBy(rows, (row) => sessions?.[row] ?? null).values()];
    const strata = 2 * bySession.length <= places[k] ? bySession : [rows];
    const own = divideAmong(sizesOf(strata), places[k], random);
    return strata.flatMap((stratum, s) => shuffle(stratum, random).slice(0, own[s]));
  });
  return Int32Array.from(chosen).sort();
}
