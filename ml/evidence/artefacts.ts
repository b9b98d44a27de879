import { rowsBy } from './dealing.ts';

/** A trial is an artefact if a channel moves at least this many times as far as in the median trial, … */
export const leastTimes = 6;
/** … and at least this many robust standard deviations of the logarithm further. */
const deviations = 5;
/** Standard deviations in a median absolute deviation of normal numbers. */
const perMad = 1.4826;
/**
 * Largest fraction of the trials of a class or session that may be artefacts. If more are loud, loudness belongs to
 * that class or session.
 */
const mostFraction = 0.25;
/** Logarithm of microvolts below which a channel carries no signal. */
const silent = Math.log(1e-6);

/** Trials to be searched for artefacts. */
export interface Loudness {
  /** Logarithm of the mean step of each channel. [trials × channels] */
  readonly steps: ArrayLike<number>;
  readonly channels: number;
  /** One per trial. */
  readonly labels: Int32Array;
  readonly sessions: Int32Array | null;
}

/**
 * The trials among `rows` with an artefact in some channel: a movement, or an electrode pop. A few such trials outweigh
 * all others in every covariance and mean.
 *
 * Like FASTER (Nolan, Whelan & Reilly 2010, J. Neurosci. Methods 192), it looks for outliers in each channel's variance
 * over the trials. It uses the median and the median absolute deviation of the logarithm, because artefacts inflate the
 * mean and the standard deviation (Leys et al. 2013, J. Exp. Soc. Psychol. 49). A trial must also exceed a multiple of
 * the median, because trials that are very alike differ by many deviations. A whole class or session never counts as an
 * artefact. Only `rows` are read.
 */
export function artefacts({ steps, channels, labels, sessions }: Loudness, rows: Int32Array): Int32Array {
  const limits = Array.from({ length: channels }, (_, c) => limitOf(steps, channels, c, rows));
  const loud = new Set(rows.filter((row) => exceeds(steps, row * channels, limits)));
  if (loud.size === 0 || loud.size > mostFraction * rows.length) return new Int32Array(0);
  for (const [keys, least] of [
    [labels, 1],
    [sessions, 2],
  ] as const)
    for (const own of keys ? rowsBy(keys, rows).values() : []) {
      const found = own.filter((row) => loud.has(row));
      if (found.length >= least && found.length > mostFraction * own.length) found.forEach((row) => loud.delete(row));
    }
  return rows.filter((row) => loud.has(row));
}

/** Highest value of a channel in a trial without an artefact. */
function limitOf(steps: ArrayLike<number>, channels: number, channel: number, rows: Int32Array): number {
  const own = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) own[i] = steps[rows[i] * channels + channel];
  const middle = sortedMedian(own);
  for (let i = 0; i < own.length; i += 1) own[i] = Math.abs(own[i] - middle);
  const spread = perMad * sortedMedian(own);
  return middle > silent ? middle + Math.max(Math.log(leastTimes), deviations * spread) : Infinity;
}

/** True if one of the values from index `from` is above its limit. */
function exceeds(values: ArrayLike<number>, from: number, limits: readonly number[]): boolean {
  for (let c = 0; c < limits.length; c += 1) if (values[from + c] > limits[c]) return true;
  return false;
}

/** Median of the values. Sorts them in place. */
function sortedMedian(values: Float64Array): number {
  const sorted = values.sort();
  const at = sorted.length >> 1;
  return sorted.length % 2 ? sorted[at] : (sorted[at - 1] + sorted[at]) / 2;
}
