import { leastLength } from '../features/index.ts';
import type { DatasetShape } from '../types.ts';
import { reasonSentence } from '../reason-sentences.ts';

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
    channelNames.length < needed
      ? reasonSentence('channels_at_least', { needed, why, supplied: channelNames.length })
      : null;

export const atMostChannels =
  (most: number, why: string): Check =>
  ({ channelNames }) =>
    channelNames.length > most
      ? reasonSentence('channels_at_most', { most, why, supplied: channelNames.length })
      : null;

export const atLeastSeconds =
  (needed: number, why: string): Check =>
  ({ seconds }) =>
    seconds < needed - 1e-6 ? reasonSentence('seconds_at_least', { needed, why, seconds: round(seconds) }) : null;

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
    seconds > most + 1e-6 ? reasonSentence('seconds_at_most', { most, why, seconds: round(seconds) }) : null;

/**
 * The declared rate must be at least 2.2 times the frequency that the features need: the Nyquist rate plus a tenth for
 * the anti-aliasing filter's roll-off. That frequency may be below the band's upper edge; the rest of the band is then
 * empty.
 */
export const atLeastRate =
  (bandHz: number): Check =>
  ({ sourceRateHz }) =>
    sourceRateHz < 2.2 * bandHz
      ? reasonSentence('rate_at_least', {
          needed: Math.ceil(2.2 * bandHz),
          band: bandHz,
          rate: round(sourceRateHz),
        })
      : null;

export const atLeastTrialsPerClass =
  (needed: number, why: string): Check =>
  ({ trialsPerClass, classes }) => {
    const fewest = Math.min(...trialsPerClass);
    return fewest < needed
      ? reasonSentence('trials_per_class_at_least', {
          needed,
          why,
          label: classes[trialsPerClass.indexOf(fewest)],
          fewest,
        })
      : null;
  };

export const atLeastTrials =
  (needed: number, why: string): Check =>
  ({ trials }) =>
    trials < needed ? reasonSentence('trials_at_least', { needed, why, supplied: trials }) : null;

export const atMostTrials =
  (most: number): Check =>
  ({ trials }) =>
    trials > most ? reasonSentence('trials_at_most', { most, supplied: trials }) : null;

export const atMostClasses =
  (most: number, why: string): Check =>
  ({ classes }) =>
    classes.length > most ? reasonSentence('classes_at_most', { most, why, supplied: classes.length }) : null;

/** Requires labels that are stimulation frequencies. */
export const needsFrequencies: Check = ({ frequenciesHz }) =>
  frequenciesHz && frequenciesHz.length > 0 ? null : reasonSentence('frequencies', {});

/** Channels × frequencies: the size of a matrix of stacked narrow-band copies. */
export const atMostStack =
  (most: number): Check =>
  ({ channelNames, frequenciesHz = [] }) => {
    const side = channelNames.length * frequenciesHz.length;
    return side > most
      ? reasonSentence('rows_at_most', {
          most,
          frequencies: frequenciesHz.length,
          channels: channelNames.length,
          rows: side,
        })
      : null;
  };

const round = (value: number): number => Math.round(value * 1000) / 1000;
