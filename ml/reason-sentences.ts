import { writerOf } from './sentences.ts';

/** Why a method or a control is not tried, by code: the end of a sentence that begins with its name. */
export const reasonSentences = {
  // Electrodes.
  channels_at_least: 'needs at least {needed} channels ({why}); {supplied} supplied',
  channels_at_most: 'reads at most {most} channels ({why}); {supplied} supplied',
  every_site_named:
    'reads 19 fixed sites, and missing_channels is "reject": {missing} of them are not among the {supplied} channels ' +
    'supplied ({names})',
  sites_at_least:
    'reads 19 fixed sites and needs {needed} of them; {filled} can be fed from the {supplied} channels supplied, for the ' +
    'others ({names}) no electrode is within {within} mm',
  positions: 'needs the position of every channel; {without} of {supplied} have none ({names})',
  places_apart:
    'needs electrodes in different places; the positions of {one} and {other} (channels of {supplied}) agree to 1 mm',
  frontal_channel: 'needs a frontal channel (rows Fp, AF or F); none of the {supplied} supplied is one',
  near_the_eyes: 'needs at least {needed} electrodes near the eyes; {found} of the {read} that are read lie there',
  no_place:
    'reads electrodes that have a place in its table, or the 19 fixed sites; none of the {supplied} channels supplied ' +
    'has such a place or is within {within} mm of a site',
  network_sites:
    'needs {needed} electrodes within 20 mm of the {sites} sites of the network; {found} of {supplied} are',
  beside_midline: 'needs an electrode beside the midline, because it compares left and right; {names} are on it',
  shared_channels: 'needs at least {needed} channels that the recordings have too; {shared} of {supplied} are',

  // Length and rate.
  seconds_at_least: 'needs trials of at least {needed} s ({why}); these are {seconds} s',
  seconds_at_most: 'reads trials of at most {most} s ({why}); these are {seconds} s',
  seconds_of_other_people: 'needs trials of at least {needed} s; {seconds} s declared',
  whole_seconds: 'reads a trial second by second; these are {seconds} s',
  rate_at_least: 'needs a sampling rate of at least {needed} Hz to hold {band} Hz; {rate} Hz declared',

  // Trials and classes.
  trials_at_least: 'needs at least {needed} trials ({why}); {supplied} supplied',
  trials_per_class_at_least: 'needs at least {needed} trials of each class ({why}); "{label}" has {fewest}',
  trials_at_most: 'its cost grows with the square of the trials, so it reads at most {most}; {supplied} supplied',
  classes_at_most: 'reads at most {most} classes ({why}); {supplied} supplied',
  rows_at_most:
    'stacks a copy per frequency, and reads at most {most} rows; {frequencies} frequencies of {channels} channels make ' +
    '{rows}',
  several_sessions:
    'recentres each session on its own mean, and needs 2 sessions (or recordings by normalization_context); {named} named',

  // The task.
  other_kind: 'is for {kinds}; this task reads as {kind}',
  frequencies: 'needs labels that read as stimulation frequencies (such as "13 Hz"); these do not',
  two_responses:
    'tells many evoked responses apart; of two, the methods for event-related potentials read the same averages',
  network_classes:
    'needs classes that the network has learned (left or right hand, movement or rest); these are others',
  control_of_sleep:
    'is not held against sleep stages: slow waves, eye movements and muscle tone are what they are scored by',
  no_cue_in_sleep: 'needs a cue, and epochs of sleep have none',
  baseline_length:
    'needs the length of the baseline: say in `parameters.baseline_seconds` how long each trial lasts before its cue',

  // Recordings of other people.
  no_other_people: 'needs recordings of other people of the same classes; no reference task matches the labels',
  other_people_otherwise: 'learns from recordings of other people as {set}; those of this task are kept as {kept}',
  other_people_lost: 'needs recordings of other people; what was learned from them could not be read',
  other_people_removed: 'needs recordings of other people; what was learned from them was removed meanwhile',
  recognised: 'needs recordings of other people; your trials look like some of them ({names})',
  recognised_networks:
    'needs a network that did not learn from the people whom your trials resemble ({names}); each of its {all} networks ' +
    'learned from one of them',
  no_sketches: 'needs to recognise people from whom the network learned; the file for that cannot be used',
  late_cue: 'needs trials that begin at the cue, as those of other people do; these begin {seconds} s before it',

  // What the service has.
  encoder: 'not tried: {why}',
  encoder_not_stored: 'needs what {encoders} makes of the trials, and the first batch was stored without it',
  features_not_stored:
    'needs {count} feature sets that were not taken from the first batch ({sets}); a deferred fit stores features only, ' +
    'so send every class and field with the first batch',
  average: 'averages {members} methods and needs {needed} that can read the trials; {able} can. {title} {reason}',
} as const;

export type ReasonCode = keyof typeof reasonSentences;

/** Writes a reason. */
export const reasonSentence = writerOf(reasonSentences);
