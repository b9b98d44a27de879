import { eyeSites } from '../../channels/index.ts';
import {
  atLeastChannels,
  atLeastRate,
  atLeastSeconds,
  atMostChannels,
  atMostClasses,
  atMostSeconds,
  atMostStack,
  firstOf,
  needsFrequencies,
} from '../reasons.ts';
import type { Check } from '../reasons.ts';
import { apart, everyPosition } from '../site-reasons.ts';
import { reasonSentence } from '../../reason-sentences.ts';

const evoked = firstOf(atLeastSeconds(0.1, 'an evoked response'), atMostSeconds(5, 'an evoked response'));
const correlations = firstOf(needsFrequencies, atLeastSeconds(0.5, 'several periods of the stimulation'));
const power = atLeastSeconds(0.5, 'two periods of 4 Hz');

const seesTheEyes: Check = ({ channelNames }) =>
  eyeSites(channelNames).length === 0 ? reasonSentence('frontal_channel', { supplied: channelNames.length }) : null;

/** Requirements of each feature set, by its id, or by its first part if the rest is an argument. */
const needs: Readonly<Record<string, Check>> = {
  'cov/8-32': firstOf(atLeastSeconds(0.4, 'three periods of 8 Hz'), atLeastRate(16)),
  'cov/4-40': firstOf(atLeastSeconds(0.4, 'a period and a half of 4 Hz'), atLeastRate(16)),
  fbcov: firstOf(atLeastSeconds(0.5, 'two periods of 4 Hz'), atLeastRate(20)),
  'acm/8-32': firstOf(
    atLeastChannels(1, 'a signal'),
    atMostChannels(64, 'delayed copies at least double the matrices'),
    atLeastSeconds(0.8, 'delayed copies of 8 Hz'),
    atLeastRate(16),
  ),
  ssvep: firstOf(needsFrequencies, atMostStack(96), atLeastSeconds(1, 'bands of 1 Hz')),
  cca: correlations,
  fbcca: correlations,
  logpower: power,
  logspectrum: atLeastSeconds(1, 'bins of 1 Hz'),
  'sites19/logpower': power,
  'laplacian/logpower': firstOf(everyPosition, atLeastChannels(8, 'a gradient over the scalp'), apart, power),
  'erp/windows': evoked,
  'erp/windows/40': evoked,
  slow: firstOf(atLeastSeconds(0.5, 'two windows of 0.25 s'), atMostSeconds(10, 'a slow potential')),
  cosines: firstOf(
    atLeastSeconds(0.2, 'a response locked to the stimulus'),
    atMostSeconds(8, 'a response locked to the stimulus'),
    atMostClasses(128, 'a template of each is kept'),
  ),
  sleep: atLeastSeconds(8, 'windows of 5 s'),
  eyes: firstOf(seesTheEyes, atLeastSeconds(0.75, 'two windows of 0.5 s that overlap by half')),
  muscles: firstOf(atLeastRate(48), atLeastSeconds(0.25, 'bins of 4 Hz')),
  mains: firstOf(atLeastRate(52), atLeastSeconds(0.25, 'bins of 4 Hz')),
  baseline: ({ baselineSeconds, kind }) =>
    baselineSeconds !== undefined
      ? null
      : kind === 'sleep'
        ? reasonSentence('no_cue_in_sleep', {})
        : reasonSentence('baseline_length', {}),
};

/** Why the values of a feature set could not be read from such trials. Throws for a set without a row here. */
export function needsOf(set: string): Check {
  const check = needs[set] ?? needs[set.split('/')[0]];
  if (!check) throw new RangeError(`No needs are known of feature set '${set}'; add a row for it.`);
  return check;
}
