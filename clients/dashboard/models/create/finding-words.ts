import { limits } from '../../../../infra/contract/limits.ts';
import { plural } from '../../ui/values.tsx';
import type { Point } from '../points.tsx';
import type { FindingAnswer } from '../response-types.ts';
import { unknownPoint, warningWords } from '../warning-words.ts';
import { severityOf } from '../severity.ts';

/** What a finding means for a person who does not program, by the name of its check. */
const words: Readonly<Record<string, string>> = {
  length: 'The window is shorter or longer than is usual for such a task. That can lower the score.',
  few_trials: `A class has fewer than ${limits.recommendedTrialsPerClass} trials. The score will be uncertain.`,
  imbalance: 'One class has at least twice the trials of another. Classes are weighted, so that each counts the same.',
  motor_channels: 'Fewer than two electrodes are over the motor cortex, where movement is read best.',
  one_channel: 'There is one electrode only. Three or more usually score better.',
  visual_channels: 'No electrode is over the visual cortex, where the response to flicker is strongest.',
  frequency_resolution: 'The trials are too short to separate two of the flicker frequencies. Choose a longer window.',
  trials_per_session: 'There is about one trial in each recording. Then the score on unseen recordings says little.',
  low_rate: 'The sampling rate is low for such a task, so fast rhythms were not recorded.',
  flat_trials: 'Some trials hold no signal. They are left out.',
  artefacts: 'Some trials are far louder than the rest, as during movements or bad contact.',
  units: 'The size of the signal is unusual for EEG. Check the unit in the export of your recording software.',
  rate: 'A line in the spectrum suggests that the sampling rate in the file is wrong. Check it.',
  flat_channels: 'Some electrodes carry no signal.',
  dropouts: 'The signal drops out for a part of some trials.',
  doubled_channels: 'Two electrodes carry the same signal.',
  doubled_trials: 'Some trials are there twice.',
  augmented_copies:
    'Some trials are altered copies of others. They are held out together, because a copy is no new trial.',
  overlapping_trials: 'Trials overlap in time. They are held out together, and count for less than separate trials.',
  label_order: 'The classes come in long blocks. The score may come from the time and not from the task.',
  held_out_sessions: 'Trials and classes of the recordings limit what the score says about a new recording.',
  sessions_and_classes:
    'Some recordings hold one class only. What differs between recordings may then look like the task.',
  offsets: 'Some electrodes have a large constant offset. Methods remove it, but the export may be unfiltered.',
  rank: 'Some electrodes are computed from others, as after interpolation or a common reference.',
  line_noise: 'There is strong line noise. Methods read below 45 Hz, so it matters little.',
  label_form: 'Two class names look the same and differ in hidden characters. They are read as one class.',
  label_spelling: 'Two class names differ only in case or blanks. If they are one class, write them the same way.',
  expires_at: 'The expiry is read as the beginning of that day in UTC.',
};

/** Checks with several sentences about the trials that are held out. The words follow the sentences of the message. */
const ofHeldOut: ReadonlySet<string> = new Set(['label_order', 'held_out_sessions', 'sessions_and_classes']);

const pointOf = ({ check, message }: Pick<FindingAnswer, 'check' | 'message'>): Pick<Point, 'words' | 'severity'> =>
  ofHeldOut.has(check) && message !== ''
    ? warningWords(message)
    : { words: Object.hasOwn(words, check) ? words[check] : unknownPoint, severity: severityOf([check]) };

/** A finding in words, and what the person can do about it. An empty message: only its check is known. */
export function findingWords({ check, message, remove }: Pick<FindingAnswer, 'check' | 'message' | 'remove'>): Point {
  const { words: first, severity } = pointOf({ check, message });
  const channels = remove?.channels ?? [];
  const trials = remove?.trials.length ?? 0;
  const said = [
    first,
    channels.length > 0 ? `Untick ${channels.join(', ')} above.` : '',
    trials > 0 ? `This concerns ${plural(trials, 'trial')}.` : '',
  ];
  return { words: said.filter(Boolean).join(' '), severity };
}
