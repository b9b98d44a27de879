import type { LabelledTrials } from '../../evidence/types.ts';
import { createRandom, shuffle } from '../../random.ts';

/** Labels and sessions for the split. */
export type Split = Pick<LabelledTrials, 'labels' | 'sessions'>;

export interface InnerSplit {
  readonly learn: Int32Array;
  readonly watch: Int32Array;
}

const watchedFraction = 0.2;
const seed = 6_021;

/**
 * Splits training trials into those that train and those that are watched for early stopping. Watched is the session
 * nearest to a fifth of the trials, if one has a tenth to two fifths and both sides have every class; else a fifth of
 * each class.
 */
export function innerSplit(data: Split, rows: Int32Array): InnerSplit {
  return bySession(data, rows) ?? byClass(data, rows);
}

function bySession({ sessions, labels }: Split, rows: Int32Array): InnerSplit | null {
  if (!sessions) return null;
  const far = (watch: Int32Array): number => Math.abs(watch.length / rows.length - watchedFraction);
  const fits = [...new Set(rows.map((row) => sessions[row]))]
    .sort((a, b) => a - b)
    .map((session): InnerSplit => ({
      learn: rows.filter((row) => sessions[row] !== session),
      watch: rows.filter((row) => sessions[row] === session),
    }))
    .filter(({ watch }) => watch.length >= 0.1 * rows.length && watch.length <= 0.4 * rows.length)
    .filter(
      ({ learn, watch }) =>
        distinct(labels, rows) === distinct(labels, learn) && distinct(labels, rows) === distinct(labels, watch),
    );
  return fits.length === 0 ? null : fits.reduce((a, b) => (far(b.watch) < far(a.watch) ? b : a));
}

function byClass({ labels }: Split, rows: Int32Array): InnerSplit {
  const random = createRandom(seed);
  const watched = new Set<number>();
  const classes = rows.reduce((most, row) => Math.max(most, labels[row] + 1), 0);
  for (let k = 0; k < classes; k += 1) {
    const own = shuffle(
      rows.filter((row) => labels[row] === k),
      random,
    );
    const count = own.length < 2 ? 0 : Math.max(1, Math.round(watchedFraction * own.length));
    for (const row of own.subarray(0, count)) watched.add(row);
  }
  return { learn: rows.filter((row) => !watched.has(row)), watch: rows.filter((row) => watched.has(row)) };
}

const distinct = (labels: Int32Array, rows: Int32Array): number => new Set(rows.map((row) => labels[row])).size;
