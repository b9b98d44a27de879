import { leastLength } from '../features/index.ts';
import type { DatasetShape } from '../types.ts';

/** A reason why a method cannot read the data, or null. */
export type Check = (shape: DatasetShape) => string | null;

/** The first reason that is not null. */
export const firstOf =
  (...checks: readonly Check[]): Check =>
  (shape) => {
    for (const check of checks) {
      const reason = check(shape);
      if (reason !== null) return reason;
    }
    return null;
  };

export const atLeastChannels =
  (needed: number, why: string): Check =>
  ({ channelNames }) =>
    channelNames.length < needed ? `needs at least ${needed} channels (${why}); ${channelNames.length} supplied` : null;

export const atMostChannels =
  (most: number, why: string): Check =>
  ({ channelNames }) =>
    channelNames.length > most ? `reads at most ${most} channels (${why}); ${channelNames.length} supplied` : null;

export const atLeastSeconds =
  (needed: number, why: string): Check =>
  ({ seconds }) =>
    seconds < needed - 1e-6 ? `needs trials of at least ${needed} s (${why}); these are ${round(seconds)} s` : null;

/** Requires the least length of a trial that a feature set can be computed from. */
export const longEnoughFor =
  (set: string): Check =>
  (shape) => {
    const least = leastLength(set, shape);
    return least ? atLeastSeconds(least.seconds, least.why)(shape) : null;
  };

export const atMostSeconds =
  (most: number, why: string): Check =>
  ({ seconds }) =>
    seconds > most + 1e-6 ? `reads trials of at most ${most} s (${why}); these are ${round(seconds)} s` : null;

/**
 * The declared rate must be at least 2.2 times the frequency that the features need: the Nyquist rate plus a tenth for
 * the anti-aliasing filter's roll-off. That frequency may be below the band's upper edge; the rest of the band is then
 * empty.
 */
export const atLeastRate =
  (bandHz: number): Check =>
  ({ sourceRateHz }) =>
    sourceRateHz < 2.2 * bandHz
      ? `needs a sampling rate of at least ${Math.ceil(2.2 * bandHz)} Hz to hold ${bandHz} Hz; ` +
        `${round(sourceRateHz)} Hz declared`
      : null;

export const atLeastTrialsPerClass =
  (needed: number, why: string): Check =>
  ({ trialsPerClass, classes }) => {
    const fewest = Math.min(...trialsPerClass);
    return fewest < needed
      ? `needs at least ${needed} trials of each class (${why}); "${classes[trialsPerClass.indexOf(fewest)]}" ` +
          `has ${fewest}`
      : null;
  };

export const atLeastTrials =
  (needed: number, why: string): Check =>
  ({ trials }) =>
    trials < needed ? `needs at least ${needed} trials (${why}); ${trials} supplied` : null;

export const atMostTrials =
  (most: number): Check =>
  ({ trials }) =>
    trials > most
      ? `its cost grows with the square of the trials, so it reads at most ${most}; ${trials} supplied`
      : null;

export const atMostClasses =
  (most: number, why: string): Check =>
  ({ classes }) =>
    classes.length > most ? `reads at most ${most} classes (${why}); ${classes.length} supplied` : null;

/** Requires labels that are stimulation frequencies. */
export const needsFrequencies: Check = ({ frequenciesHz }) =>
  frequenciesHz && frequenciesHz.length > 0
    ? null
    : 'needs labels that read as stimulation frequencies (such as "13 Hz"); these do not';

/** Channels × frequencies: the size of a matrix of stacked narrow-band copies. */
export const atMostStack =
  (most: number): Check =>
  ({ channelNames, frequenciesHz = [] }) => {
    const side = channelNames.length * frequenciesHz.length;
    return side > most
      ? `stacks a copy per frequency, and reads at most ${most} rows; ${frequenciesHz.length} frequencies of ` +
          `${channelNames.length} channels make ${side}`
      : null;
  };

const round = (value: number): number => Math.round(value * 1000) / 1000;
