import type { Trials } from '../types.ts';
import { median, statisticsOf } from './statistics.ts';

/** A channel whose deviation is this many times that in the median trial contains an artefact and no EEG. */
export const loud = 50;
/** Loud trials are left out if they are at most this fraction; if there are more, the recording itself is loud. */
const mostFraction = 0.1;

/**
 * Trials in which a channel's deviation is more than fifty times that in the median trial: a detached electrode, a
 * saturated amplifier. One such trial outweighs all others in every covariance. Empty if they are more than a tenth.
 */
export function loudTrials(trials: Trials): number[] {
  const { channels, trials: count } = trials;
  const { deviations, alive } = statisticsOf(trials);
  const every = Array.from({ length: count }, (_, t) => t);
  const most = alive.map((c) => loud * median(every.map((t) => deviations[t * channels + c])));
  const found = every.filter((t) => alive.some((c, i) => most[i] > 0 && deviations[t * channels + c] > most[i]));
  return found.length <= mostFraction * count ? found : [];
}
