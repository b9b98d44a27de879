import { writerOf } from './sentences.ts';

/** Sentences of warnings about trials and scores, by code. A warning may consist of several. */
export const warningSentences = {
  // Checks of the trials.
  low_rate: 'The sampling rate of {rate} Hz leaves nothing above {highest} Hz.',
  flat_trials: 'Flat trials: {count} of {trials} hold one value throughout in every channel{nearly} ({which}).',
  flat_left_out: 'The fit leaves flat trials out.',
  flat_predicted:
    'Their labels mean nothing. Every class gets the same probability, or with `priors: as_sent` its share in the fit.',
  fit_will_fail:
    'The fit will fail: without them a class is left with {left} of the {needed} trials that it needs. Send the trials ' +
    'as they were recorded.',
  loud_trials:
    'Artefacts: in {count} of {trials} trials ({which}) a channel varies by more than {times} times what it does in the ' +
    'median trial.',
  loud_left_out: 'The fit leaves them out.',
  restless_trials:
    'Artefacts: in {count} of {trials} trials ({which}) a channel moves by more than {times} times what it does in the ' +
    'median trial. The fit learns from the others only; these are scored and predicted like them.',
  units: 'Likely wrong units: the median channel varies by {microvolts} µV, {than} than any scalp EEG ({limit} µV).',
  better_unit: 'Declared in {unit} it would be of usual size.',
  other_unit: 'Were the values in {unit}?',
  rate:
    'Likely wrong rate: a line at {line} Hz, {ratio} times its neighbourhood, would be line noise if the true rate were ' +
    '{truth} Hz and not {rate} Hz.',
  flat_channels: 'Flat channels: {channels} carry no signal (below a thousandth of the median channel).',
  flat_channels_fit:
    'The fit reads nothing in them, nor do predictions later. Leave them out of `x` and of `channels`.',
  flat_channels_predicted: 'The model was fitted on them too, unless they were flat then.',
  dropouts: 'Dropouts: {channels} {are} constant while other channels vary. Leave out the {what}.',
  doubled_channels: 'Duplicated channels: {pairs} hold the same signal. Leave the copies out of `x` and of `channels`.',
  doubled_trials:
    'Doubled trials, the same trial twice: {pairs} hold the same signal. They stay in one fold where that can be done, ' +
    'and tell no more than one. Leave the copies out of `x` and of `labels`.',
  doubled_over_batches:
    'Doubled trials: {pairs} hold the same signal. They stay in one fold if possible, and count as one trial. Collect ' +
    'the trials again without the copies. Send each batch with an Idempotency-Key: it is then stored once, also if it ' +
    'is sent again.',
  augmented_copies:
    'Augmented copies: {count} trials are likely altered copies of others or mixed from them ({which}). The noise, sign, ' +
    'filter, reference or direction in time differs, the signal does not. They stay in one fold if possible. Send only ' +
    'the trials that were recorded. The service needs no augmentation.',
  differing_labels: '{count} of these pairs have two different labels.',
  overlapping_trials:
    'Overlapping trials: trial {later} begins {offset} s into trial {earlier}, which lasts {seconds} s{more}. Where that ' +
    'can be done, no trial that overlaps a held-out one trains the fit that it tests. Trials that overlap tell less than ' +
    'as many that do not: cut epochs apart where you can.',
  offsets:
    'Offsets: {channels} lie far from zero, as direct-coupled amplifiers and rows that hold no EEG do. Methods look past ' +
    'an offset, but not past the drift that comes with it: high-pass the recording before cutting it into trials.',
  rank:
    'Rank: the {channels} channels have rank {rank}, so {dependent} of them are combinations of the others. Interpolation ' +
    'and removed ICA components do this, and an average reference accounts for 1. They add nothing.',
  line_noise:
    'Line noise: power at {line} Hz is {ratio} times that of its neighbourhood. Methods read below 45 Hz; a notch filter ' +
    'before sending helps.',

  // Advice from the shape of the trials.
  length: 'Trials of {seconds} s are {short}: {advice}. Trial duration can affect accuracy.',
  few_trials: 'Fewer than {recommended} trials in a class ({classes}): scores will be uncertain.',
  imbalance: 'Classes are unbalanced ({most}, {least}): they are weighted, and the score is balanced accuracy.',
  motor_channels:
    '{count} of {channels} channels lie over the motor cortex (FC, C and CP rows), which distinguishes motor tasks.',
  one_channel:
    'One channel ({channel}): methods that compare channels are not tried; 3 or more channels usually score better.',
  visual_channels:
    'None of the {channels} channels lies over the visual cortex (PO, O and I rows): responses to {frequencies} Hz ' +
    'flicker are strongest there.',
  frequency_resolution:
    'Trials of {seconds} s resolve {resolved} Hz, and two of the frequencies are {apart} Hz apart: trials of {needed} s ' +
    'or longer tell them apart better.',
  trials_per_session:
    '{trials} trials in {sessions} sessions: with about one trial a session, whole sessions left out say little more ' +
    'than single trials.',
  low_rate_for_task:
    'At {rate} Hz nothing above {highest} Hz was recorded: {needed} Hz or more is advised for this kind of task.',

  // How trials were held out.
  overlap:
    'Overlap: {count} of {trials} trials share a stretch of the recording with another trial ({groups} in all): {folds}. ' +
    'They tell less than as many trials of their own would.',
  copies:
    'The same trial twice: {count} of {trials} trials hold the same signal as another ({groups} in all): {folds}. Leave ' +
    'the copies out.',
  altered_copies:
    'Augmented copies: {count} of {trials} trials are likely altered copies of another trial or mixed from it ({groups} ' +
    'in all): {folds}. Noise, another sign, filter or reference, a reversal or a stretch in time do not make a new ' +
    'trial. Send the trials as they were recorded.',
  nothing_to_hold_out:
    'No trials can be held out that overlap none of the others: nearly all trials of a class share one stretch of the ' +
    'recording, or are copies of one trial. Independent groups of trials: {groups}; each class needs two or more. The ' +
    'score repeats what the fits have seen, and neither a corrected score nor a p-value is given. Send epochs that do ' +
    'not overlap, as recorded.',
  one_class_each:
    'Every session holds one class only: whatever differs between the sessions (time, electrodes, drift) differs ' +
    'between the classes too. The score cannot show which of the two the model reads. Neither a corrected score nor a ' +
    'p-value is given. Record every class in each session.',
  hidden_sessions:
    'Hidden sessions: the recording changes at trial {places}, and the {parts} parts have different shares of the ' +
    'classes ({shares}). Several people or recordings sent as one look like this. The parts are treated as sessions. ' +
    'Name your `sessions`.',
  class_in_one_block:
    'The labels come in {blocks} blocks ({counts}), in the order of the trials: a shuffled order would have about {runs} ' +
    'runs. Drift in a recording (electrodes, tiredness, the room) then differs between the classes too. If a class has ' +
    'one block only, no folds can separate class and drift. Neither a corrected score nor a p-value is given, and the ' +
    'score may come from the drift. If you sorted the trials by class, send them in the order recorded, or name their ' +
    '`sessions`. If you recorded them in blocks, record each class in two blocks or more, in changing order.',
  blocks_held_out:
    'The labels come in {blocks} blocks ({counts}), in the order of the trials, where a shuffled order would have about ' +
    '{runs} runs: whole blocks are held out, because trials of one block resemble one another, and the p-value shuffles ' +
    'the labels of blocks{lowest}.',
  blocks_in_sessions:
    'Within the sessions the labels come in {blocks} blocks ({counts}), where a shuffled order would have about {runs} ' +
    'runs: the p-value shuffles the labels of blocks.',
  same_order_each_session:
    'The classes follow each other in the same order in every session. A drift that comes back in each session then ' +
    'looks like the class. Change the order from session to session.',
  drift_each_session: 'A drift that comes back in each session may look like the class.',
  small_sessions:
    '{count} of {sessions} sessions hold fewer than {least} trials{names}: they are held out together with others.',
  small_sessions_only:
    '{count} of {sessions} sessions hold fewer than {least} trials{names}, so whole sessions cannot be held out: scores ' +
    'come from folds within sessions and say nothing about an unseen session.',
  single_class_sessions:
    '{count} of {sessions} sessions hold one class only{names}, so whole sessions cannot be held out: scores come from ' +
    'folds within sessions and say nothing about an unseen session.',
  sessions_needed:
    'Holding out whole sessions leaves too few trials of some class: scores come from folds within sessions and say ' +
    'nothing about an unseen session.',

  // Scores.
  may_be_chance: 'The score ({score}) could be chance ({chance}): p = {p}.',
  optimistic: 'The best of several scores is optimistic: {score} measured, {expected} expected on new trials.',
  sample:
    'The fit read a sample of {some} of the {all} trials, because the features of more do not fit in its memory. The ' +
    'sample was drawn at random by class and session; rare classes and short sessions have more than their share of it. ' +
    'The model was fitted on the sample, and every number of this report was measured on it.',
  control_eyes:
    '{title}: these alone reach {score} ({interval}) on the same folds, where the score is {total} ({around}). Blinks ' +
    'and eye movements that differ between the classes would explain {much}{caveat}.',
  control_muscles:
    '{title}: these alone reach {score} ({interval}) on the same folds, where the score is {total} ({around}). Muscle ' +
    'tension that differs between the classes would explain {much}{caveat}.',
  control_mains:
    '{title}: these alone reach {score} ({interval}) on the same folds, where the score is {total} ({around}). Line ' +
    'noise that differs between the classes would explain {much}{caveat}.',
  control_baseline:
    '{title}: these alone reach {score} ({interval}) on the same folds, where the score is {total} ({around}). Before ' +
    'the cue nothing of the task can be known: the order of the classes, drift or the trial before would explain ' +
    '{much}{caveat}.',
  control_without: 'Without what they predict the method reaches {score} ({interval}).',
  swapped:
    'Left and right look swapped: a network that learned left and right from other people reads your trials the other ' +
    'way round (p < 0.01). Check the labels and the places of the electrodes. The network was turned round for your ' +
    'model.',

  // Recordings of other people.
  recognised:
    'Your trials look like recordings of people from whom the service has learned ({names}). A score that uses what was ' +
    'learned from them would be too high for new people.',
  recognised_left_out: 'The methods that begin from other people were left out.',
  recognised_learned_again: 'Methods that begin from other people learned from {people} others only.',
  recognised_networks:
    'The movement network was tried with {left} of its {all} networks: the others learned from these people.',
  recognised_no_network:
    'The movement network was left out, because each of its {all} networks learned from one of these people.',
  eyes_of_people:
    '{title}: these alone reach {score} ({interval}) on the same people. The score is {total} ({around}). Eye movements ' +
    'that differ between the classes would explain {much}; these electrodes see the brain too{kept}.',
  only_aligned:
    'Without `align: "batch"` it was not shown to work. On people left out, the balanced accuracy was {score}; its ' +
    'one-sided 95 % bound ({bound}) is not above chance ({chance}).',
  other_length:
    'The score was measured with trials of {scored} s that begin at the cue. Yours of {seconds} s are read whole; how ' +
    'well that works was not measured.',
} as const;

export type WarningCode = keyof typeof warningSentences;

/** Writes a sentence of a warning. */
export const warningSentence = writerOf(warningSentences);
