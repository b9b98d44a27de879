import type { Trials } from '../types.ts';
import { median, statisticsOf } from './statistics.ts';

/** A channel that varies by so many times what it does in the median trial shows an artefact and no EEG. */
export const loud = 50;
/** Share of the trials up to which loud ones are left out: where there are more, the recording is like that. */
const mostShare = 0.1;

/**
 * Trials in which a channel varies by more than fifty times what it does in the median trial: an electrode that came
 * off, an amplifier that saturated. One of them outweighs all others in every covariance. None where they are more than
 * a tenth.
 */
export function loudTrials(trials: Trials): number[] {
  const { channels, trials: count } = trials;
  const { deviations, alive } = statisticsOf(trials);
  const every = Array.from({ length: count }, (_, t) => t);
  const most = alive.map((c) => loud * median(every.map((t) => deviations[t * channels + c])));
  const found = every.filter((t) => alive.some((c, i) => most[i] > 0 && deviations[t * channels + c] > most[i]));
  return found.length <= mostShare * count ? found : [];
}
