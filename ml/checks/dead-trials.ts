import { flatTrials } from '../signal/index.ts';
import type { Trials } from '../types.ts';
import { loudTrials } from './loud-trials.ts';
import { median, statisticsOf } from './statistics.ts';

/** A trial is nearly flat if every channel's deviation is below this fraction of its deviation in the median trial. */
const nearlyFlat = 0.01;

/**
 * Trials that a fit leaves out. First, trials without signal: every channel is constant, or its deviation is below a
 * hundredth of its deviation in the median trial. The logarithm of such a covariance is so far from the others that one
 * trial moves every mean. Second, trials with strong artefacts (see `loudTrials`).
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

/** Names of the channels without signal in any trial; empty if no channel has a signal. */
export function silentChannels(trials: Trials): string[] {
  const { alive } = statisticsOf(trials);
  return alive.length === 0 ? [] : trials.channelNames.filter((_, c) => !alive.includes(c));
}
