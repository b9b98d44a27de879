import { eyeSites } from '../../channels/index.ts';
import {
  atLeastChannels,
  atLeastRate,
  atMostChannels,
  atMostClasses,
  atMostSeconds,
  atMostStack,
  firstOf,
  longEnoughFor,
  needsFrequencies,
} from '../reasons.ts';
import type { Check } from '../reasons.ts';
import { apart, everyPosition } from '../site-reasons.ts';
import { reasonSentence } from '../../reason-sentences.ts';

const evoked = atMostSeconds(5, 'an evoked response');
const anything: Check = () => null;

const seesTheEyes: Check = ({ channelNames }) =>
  eyeSites(channelNames).length === 0 ? reasonSentence('frontal_channel', { supplied: channelNames.length }) : null;

/**
 * Requirements of each feature set in addition to the least length of a trial, by its id, or by its first part if the
 * rest is an argument.
 */
const needs: Readonly<Record<string, Check>> = {
  'cov/8-32': atLeastRate(16),
  'cov/4-40': atLeastRate(16),
  fbcov: atLeastRate(20),
  'acm/8-32': firstOf(
    atLeastChannels(1, 'a signal'),
    atMostChannels(64, 'delayed copies at least double the matrices'),
    atLeastRate(16),
  ),
  ssvep: firstOf(needsFrequencies, atMostStack(96)),
  cca: needsFrequencies,
  fbcca: needsFrequencies,
  logpower: anything,
  logspectrum: anything,
  'sites19/logpower': anything,
  'laplacian/logpower': firstOf(everyPosition, atLeastChannels(8, 'a gradient over the scalp'), apart),
  'erp/windows': evoked,
  'erp/windows/40': evoked,
  slow: atMostSeconds(10, 'a slow potential'),
  cosines: firstOf(
    atMostSeconds(8, 'a response locked to the stimulus'),
    atMostClasses(128, 'a template of each is kept'),
  ),
  sleep: anything,
  eyes: seesTheEyes,
  muscles: atLeastRate(48),
  mains: atLeastRate(52),
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
  return firstOf(check, longEnoughFor(set));
}
