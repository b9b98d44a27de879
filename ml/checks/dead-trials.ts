import { flatTrials } from '../signal/index.ts';
import type { Trials } from '../types.ts';
import { loudTrials } from './loud-trials.ts';
import { median, statisticsOf } from './statistics.ts';

/** Every channel that varies by less than this share of what it does in the median trial carries no EEG. */
const nearlyFlat = 0.01;

/**
 * Trials that a fit leaves out. Those without signal: every channel holds one value throughout, or varies by less than
 * a hundredth of what it does in the median trial; the logarithm of such a covariance is so far from the others that
 * one of them moves every mean. And those of artefacts (see `loudTrials`).
 */
export function deadTrials(trials: Trials): number[] {
  const { channels } = trials;
  const flat = new Set(flatTrials(trials.data, trials.trials, channels, trials.samples));
  const { deviations, alive } = statisticsOf(trials);
  const all = Array.from({ length: trials.trials }, (_, t) => t);
  const living = all.filter((t) => !flat.has(t));
  const least = alive.map((c) => nearlyFlat * median(living.map((t) => deviations[t * channels + c])));
  const dead = (t: number): boolean =>
    alive.length > 0 && alive.every((c, i) => deviations[t * channels + c] < least[i]);
  const loud = new Set(loudTrials(trials));
  return all.filter((t) => flat.has(t) || dead(t) || loud.has(t));
}

/** Names of the channels that carry no signal in any trial; none where no channel does. */
export function silentChannels(trials: Trials): string[] {
  const { alive } = statisticsOf(trials);
  return alive.length === 0 ? [] : trials.channelNames.filter((_, c) => !alive.includes(c));
}
