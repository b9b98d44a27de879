import { rowsBy } from './dealing.ts';

/** An artefact moves a channel by so many times what the median trial does at least, … */
export const leastTimes = 6;
/** … and by so many robust standard deviations of the logarithm. */
const deviations = 5;
/** Standard deviations in a median absolute deviation of normal numbers. */
const perMad = 1.4826;
/** Share of the trials, of a class or of a session, up to which they are artefacts: where more are, it is like that. */
const mostShare = 0.25;
/** Logarithm of microvolts below which a channel carries nothing. */
const nothing = Math.log(1e-6);

/** Trials that could be artefacts, and what they are of. */
export interface Loudness {
  /** Logarithm of how far each channel moves. [trials × channels] */
  readonly steps: ArrayLike<number>;
  readonly channels: number;
  /** One per trial. */
  readonly labels: Int32Array;
  readonly sessions: Int32Array | null;
}

/**
 * Those of `rows` in which an artefact outweighs the EEG of some channel: movements, pops of an electrode. A few of
 * them outweigh all others in every covariance and mean. As FASTER finds them, by each channel's variance over the
 * trials (Nolan, Whelan & Reilly 2010, J. Neurosci. Methods 192), with median and median absolute deviation of the
 * logarithm in place of mean and deviation, which artefacts themselves inflate (Leys et al. 2013, J. Exp. Soc. Psychol.
 * 49); and besides by a multiple of the median, for trials that are very alike differ by many deviations. A class, or a
 * session, is never taken for an artefact. Nothing but `rows` is looked at.
 */
export function artefacts({ steps, channels, labels, sessions }: Loudness, rows: Int32Array): Int32Array {
  const limits = Array.from({ length: channels }, (_, c) => limitOf(steps, channels, c, rows));
  const loud = new Set(rows.filter((row) => exceeds(steps, row * channels, limits)));
  if (loud.size === 0 || loud.size > mostShare * rows.length) return new Int32Array(0);
  for (const [keys, least] of [
    [labels, 1],
    [sessions, 2],
  ] as const)
    for (const own of keys ? rowsBy(keys, rows).values() : []) {
      const found = own.filter((row) => loud.has(row));
      if (found.length >= least && found.length > mostShare * own.length) found.forEach((row) => loud.delete(row));
    }
  return rows.filter((row) => loud.has(row));
}

/** What a trial may reach in a channel without being an artefact. */
function limitOf(steps: ArrayLike<number>, channels: number, channel: number, rows: Int32Array): number {
  const own = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) own[i] = steps[rows[i] * channels + channel];
  const middle = sortedMedian(own);
  for (let i = 0; i < own.length; i += 1) own[i] = Math.abs(own[i] - middle);
  const spread = perMad * sortedMedian(own);
  return middle > nothing ? middle + Math.max(Math.log(leastTimes), deviations * spread) : Infinity;
}

/** Whether some of the values that begin at `from` is above its limit. */
function exceeds(values: ArrayLike<number>, from: number, limits: readonly number[]): boolean {
  for (let c = 0; c < limits.length; c += 1) if (values[from + c] > limits[c]) return true;
  return false;
}

/** Median of values, which it sorts. */
function sortedMedian(values: Float64Array): number {
  const sorted = values.sort();
  const at = sorted.length >> 1;
  return sorted.length % 2 ? sorted[at] : (sorted[at - 1] + sorted[at]) / 2;
}
