import { reasonSentences, type ReasonCode } from '../../../ml/reason-sentences.ts';
import { wholeReaderOf } from '../../../ml/sentences.ts';

type Values = Readonly<Record<string, string>>;

const electrodes = (count: string): string => (count === '1' ? '1 electrode' : `${count} electrodes`);
const noOthers = 'It begins from recordings of other people, and the service has none that fit this task.';

/**
 * Why a method was not tried, for a person, and what would change that. The compiler asks for a row for each reason.
 */
export const reasonRows: Readonly<Record<ReasonCode, (values: Values) => string>> = {
  channels_at_least: ({ needed, supplied }) =>
    `It needs ${needed} electrodes or more; there are ${supplied}. Choose more electrodes.`,
  channels_at_most: ({ most, supplied }) =>
    `It reads up to ${electrodes(most)}; there are ${supplied}. Fewer electrodes would let it take part.`,
  every_site_named: ({ missing, names }) => `It needs 19 usual electrodes, and ${missing} are missing: ${names}.`,
  sites_at_least: ({ needed, filled }) =>
    `It needs electrodes near ${needed} of 19 usual places; there are ${filled}. Check the electrode names.`,
  positions: ({ names }) => `It needs the place of every electrode, and these have none: ${names}. Check their names.`,
  places_apart: ({ one, other }) =>
    `It needs electrodes in different places, and ${one} and ${other} are in the same place.`,
  frontal_channel: () => 'It needs an electrode near the eyes, and there is none.',
  near_the_eyes: ({ needed, found }) => `It needs ${needed} or more electrodes near the eyes; there are ${found}.`,
  no_place: () => 'It knows none of these electrodes. Check their names.',
  network_sites: ({ needed, found }) =>
    `It needs ${needed} or more electrodes where the network learned; there are ${found}.`,
  beside_midline: () => 'It compares left and right, so it needs an electrode beside the midline.',
  shared_channels: ({ needed, shared }) =>
    `It needs ${needed} or more electrodes that the recordings of other people have too; there are ${shared}.`,
  seconds_at_least: ({ needed, seconds }) =>
    `It needs trials of ${needed} s or longer; these last ${seconds} s. Choose a longer window.`,
  seconds_at_most: ({ most, seconds }) =>
    `It reads trials of up to ${most} s; these last ${seconds} s. Choose a shorter window.`,
  seconds_of_other_people: ({ needed, seconds }) =>
    `It needs trials of ${needed} s or longer; these last ${seconds} s. Choose a longer window.`,
  whole_seconds: ({ seconds }) => `It needs trials of 1 s or longer; these last ${seconds} s. Choose a longer window.`,
  rate_at_least: ({ needed, rate }) => `It needs ${needed} samples per second or more; the recording has ${rate}.`,
  trials_at_least: ({ needed, supplied }) =>
    `It needs ${needed} trials or more; there are ${supplied}. Record more trials.`,
  trials_per_class_at_least: ({ needed, label, fewest }) =>
    `It needs ${needed} trials or more of each class; “${label}” has ${fewest}. Record more trials.`,
  trials_at_most: ({ most, supplied }) =>
    `It reads up to ${most} trials, because it becomes slow with more; there are ${supplied}.`,
  classes_at_most: ({ most, supplied }) => `It tells up to ${most} classes apart; there are ${supplied}.`,
  rows_at_most: ({ frequencies, channels }) =>
    `It becomes too large with ${frequencies} frequencies and ${electrodes(channels)}. Fewer electrodes would let it take part.`,
  several_sessions: () => 'It corrects differences between recordings, so it needs two or more files.',
  other_kind: ({ kinds, kind }) => `It is made for ${kinds}, and this task looks like ${kind}.`,
  frequencies: () => 'It reads flicker, so class names must be frequencies such as “13 Hz”.',
  two_responses: () => 'It is made for three or more classes. Other methods read the same from two.',
  network_classes: () => 'The network knows other classes: left or right hand, and movement or rest.',
  control_of_sleep: () => 'Sleep stages are scored by eye movements and muscle tone, so this comparison says nothing.',
  no_cue_in_sleep: () => 'Sleep has no event that a trial begins with.',
  baseline_length: () => 'The trials begin with the event. Begin the window before the event to measure it.',
  no_other_people: () => noOthers,
  other_people_otherwise: () => noOthers,
  other_people_lost: () => 'What was learned from other people could not be read. A new model can use it.',
  other_people_removed: () => 'What was learned from other people was removed meanwhile. A new model can use it.',
  recognised: () => 'Your trials look like the recordings it learned from, so its score would be too high.',
  no_sketches: () => 'A file of the movement network cannot be used. Tell the operator of the service.',
  recognised_networks: () =>
    'Your trials look like those of the people its networks learned from, so its score would be too high. If they are ' +
    'public recordings, leave them out. If they are your own, nothing is wrong with them.',
  late_cue: ({ seconds }) =>
    `It needs trials that begin with the event; these begin ${seconds} s before it. Change the window.`,
  encoder: () => 'It needs a pretrained network that this service does not have.',
  encoder_not_stored: () => 'It needs a network that did not read the first trials. A new model can include it.',
  features_not_stored: () => 'It needs values that were not kept from the first trials. A new model can include it.',
  average: ({ members, needed, able }) =>
    `It combines ${members} methods and needs ${needed} that can read the trials; ${able} can.`,
};

const read = wholeReaderOf(reasonSentences);

/** Words for the reason why a method was not tried. */
export function reasonWords(reason: string): string {
  const found = read(reason);
  return found.code === null
    ? 'It was not tried, for a reason that this page does not know. Load the page again to read it.'
    : reasonRows[found.code](found.values);
}

/** Words for the reason why a method has no score. */
export const unscoredWords = (status: 'failed' | 'dropped' | 'skipped', reason: string | null | undefined): string =>
  status === 'failed'
    ? 'It could not learn from these trials.'
    : status === 'dropped'
      ? 'It was clearly behind the best method on the first part of the trials, so it was not tested on the rest.'
      : reasonWords(reason ?? '');
