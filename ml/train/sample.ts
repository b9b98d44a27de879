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

/**
 * Rows of a stratified sample of `count` trials, in order; the same every time. Of each class in each session it has the
 * share that it has of all trials, but at least 100 where that leaves the others half of the sample, so that a rare
 * class keeps what tells it.
 */
export function stratifiedSample({ labels, sessions }: Named, count: number): Int32Array {
  const key = labels.map((label, row) => JSON.stringify([label, sessions?.[row] ?? null]));
  const strata = [...Map.groupBy(labels.keys(), (row) => key[row]).values()].map((rows) => Int32Array.from(rows));
  const least = Math.max(1, Math.min(leastOfStratum, Math.floor(count / 2 / strata.length)));
  const kept = strata.map(({ length }) => Math.min(length, least));
  const left = count - kept.reduce((sum, each) => sum + each, 0);
  const others = labels.length - kept.reduce((sum, each) => sum + each, 0);
  const random = createRandom(labels.length);
  const chosen = strata.flatMap((rows, at) => {
    const more = others > 0 ? Math.floor(((rows.length - kept[at]) * Math.max(0, left)) / others) : 0;
    return [...shuffle(rows, random).subarray(0, kept[at] + more)];
  });
  return Int32Array.from(chosen).sort();
}
