import { createRandom, shuffle } from '../random.ts';
import { trialsFitted } from './fit-size.ts';

/** Trials of a class in a session that are kept before the others are shared out, where there are so many. */
const leastOfStratum = 100;

interface Named {
  readonly labels: readonly string[];
  readonly sessions: readonly (string | null)[] | null;
}

/** Rows of the trials that a fit reads, and of how many; rows is null where it reads all. */
export interface SampledRows {
  readonly rows: Int32Array | null;
  readonly sampledFrom?: number;
}

/** The trials that a fit reads of those with these features: all, or a stratified sample of as many as fit. */
export function sampleRows({ labels, sessions }: Named, sets: Readonly<Record<string, number>>): SampledRows {
  const count = trialsFitted(labels.length, sets);
  if (count === labels.length) return { rows: null };
  return { rows: stratifiedSample({ labels, sessions }, count), sampledFrom: labels.length };
}

/** What belongs to the sampled trials of one value a trial; `rows` as in `SampledRows`. */
export const sampledValues = <T>(values: readonly T[], rows: Int32Array | null): readonly T[] =>
  rows ? Array.from(rows, (row) => values[row]) : values;

/** Rows of each class in each session, or of each class where these would be too many. */
function strataOf({ labels, sessions }: Named, most: number): Int32Array[] {
  const by = (key: (row: number) => string): Int32Array[] =>
    [...Map.groupBy(labels.keys(), key).values()].map((rows) => Int32Array.from(rows));
  const strata = by((row) => JSON.stringify([labels[row], sessions?.[row] ?? null]));
  return strata.length <= most ? strata : by((row) => labels[row]);
}

/**
 * Rows of a stratified sample of at most `count` trials, in order; the same every time. Each class in each session has
 * the share in it that it has of all trials, but at least 100 where that leaves the others half of the sample, so that a
 * rare class keeps what tells it.
 */
export function stratifiedSample(named: Named, count: number): Int32Array {
  const half = Math.floor(count / 2);
  const strata = strataOf(named, half);
  const least = Math.max(1, Math.min(leastOfStratum, Math.floor(half / strata.length)));
  const kept = strata.map(({ length }) => Math.min(length, least));
  const others = strata.map(({ length }, at) => length - kept[at]);
  const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
  const share = Math.max(0, count - sum(kept)) / Math.max(1, sum(others));
  const random = createRandom(named.labels.length);
  const chosen = strata.flatMap((rows, at) => [
    ...shuffle(rows, random).subarray(0, kept[at] + Math.floor(others[at] * Math.min(1, share))),
  ]);
  return Int32Array.from(chosen).sort();
}
