import { requestSentences, type RequestCode } from '../../../api/intake/request-sentences.ts';
import { readerOf } from '../../../ml/sentences.ts';
import { warningSentences, type WarningCode } from '../../../ml/warning-sentences.ts';
import { percent } from '../charts/words.ts';
import type { FailureWords } from '../ui/unreadable-words.ts';
import type { Point } from './points.tsx';
import { severityOf } from './severity.ts';

type Values = Readonly<Record<string, string>>;
/** What a page says for a sentence of the service; empty: another sentence of the same warning says it. */
type Say = string | ((values: Values) => string);
interface Row {
  readonly say: Say;
  readonly help?: FailureWords['help'];
}

const create = (words: string): Row['help'] => ({ href: '/dashboard/create', words });
const guide = (words: string): Row['help'] => ({ href: '/docs/epochs', words });

const otherWindow = create('Create the model again with another window');
const otherFile = create('Create the model again from a better recording');
const otherChannels = create('Create the model again with other electrodes');
const moreTrials = create('Create a model with more trials');
const aboutOrder = guide('Read how to cut and order trials');

const row = (say: Say, help?: Row['help']): Row => (help ? { say, help } : { say });
const control =
  (given: string, read: string): Say =>
  ({ score, total }) =>
    `${given} ${score}; the model gives ${total}. The model may read ${read}, not the brain.`;

/** Page words for every sentence of a warning. The compiler asks for a row for each. */
export const warningRows: Readonly<Record<WarningCode | RequestCode, Row>> = {
  low_rate: row(
    ({ rate, highest }) => `The recording has ${rate} samples per second, so nothing above ${highest} Hz is in it.`,
    otherFile,
  ),
  flat_trials: row(({ count, trials }) => `${count} of ${trials} trials hold no signal.`),
  flat_left_out: row('The model does not learn from them.'),
  flat_predicted: row('Ignore the labels that they get.'),
  fit_will_fail: row(
    ({ left, needed }) => `Without them a class has ${left} trials, and ${needed} are needed.`,
    otherFile,
  ),
  loud_trials: row(
    ({ count, trials }) => `${count} of ${trials} trials are far louder than the rest, as with bad contact.`,
  ),
  loud_left_out: row('The model does not learn from them.'),
  restless_trials: row(
    ({ count, trials }) =>
      `${count} of ${trials} trials move far more than the rest, as during movements. The model does not learn from them, ` +
      'but they count in the score.',
  ),
  units: row(
    ({ microvolts, than }) =>
      `The signal varies by ${microvolts} µV, which is ${than} than any EEG. The unit is probably wrong.`,
    create('Create the model again and choose the unit'),
  ),
  better_unit: row(({ unit }) => `In ${unit === 'uV' ? 'µV' : unit} the size would be usual.`),
  other_unit: row(''),
  rate: row(
    ({ rate, truth }) =>
      `The sampling rate is probably wrong: the file says ${rate} Hz, and the signal looks like ${truth} Hz.`,
    otherFile,
  ),
  flat_channels: row(({ channels }) => `These electrodes carry no signal: ${channels}.`, otherChannels),
  flat_channels_fit: row('The model ignores them.'),
  flat_channels_predicted: row(''),
  dropouts: row(({ channels }) => `The signal drops out in some trials: ${channels}.`, otherChannels),
  doubled_channels: row(
    ({ pairs }) => `These electrodes carry the same signal: ${pairs}. Leave one of each pair out.`,
    otherChannels,
  ),
  doubled_trials: row(
    ({ pairs }) => `Some trials are there twice (${pairs}). Each pair counts as one trial.`,
    aboutOrder,
  ),
  doubled_over_batches: row('Some trials were sent twice. Each pair counts as one trial.', moreTrials),
  augmented_copies: row(
    ({ count }) =>
      `${count} trials look like altered copies of others. A copy is no new trial, so choose the recorded ones only.`,
    aboutOrder,
  ),
  differing_labels: row(
    ({ count }) => `${count} pairs of equal trials have two different classes. Check the classes of the events.`,
  ),
  overlapping_trials: row(
    ({ offset, seconds }) =>
      `Trials overlap in time: one begins ${offset} s after another, and both last ${seconds} s. They are held out together.`,
  ),
  offsets: row(
    ({ channels }) =>
      `Some electrodes lie far from zero: ${channels}. Filter slow drift out before you export the recording.`,
  ),
  rank: row(
    ({ channels, dependent }) =>
      `${dependent} of ${channels} electrodes are computed from the others, as after interpolation. They add nothing.`,
  ),
  line_noise: row(
    ({ line }) => `There is strong line noise at ${line} Hz. Methods read below 45 Hz, so it matters little.`,
  ),
  length: row(
    ({ seconds, short }) => `Trials of ${seconds} s are ${short} for such a task. That can lower the score.`,
    otherWindow,
  ),
  few_trials: row(
    ({ recommended, classes }) =>
      `Some classes have fewer than ${recommended} trials (${classes}). The score is uncertain.`,
    moreTrials,
  ),
  imbalance: row(
    ({ most, least }) =>
      `The classes have different numbers of trials (${most}, ${least}). Each class counts the same.`,
  ),
  motor_channels: row(
    ({ count, channels }) =>
      `${count} of ${channels} electrodes lie over the motor cortex, where movement is read best.`,
    otherChannels,
  ),
  one_channel: row('There is one electrode only. Three or more usually score better.', otherChannels),
  visual_channels: row(
    'No electrode lies over the visual cortex, where the response to flicker is strongest.',
    otherChannels,
  ),
  frequency_resolution: row(
    ({ seconds, needed }) =>
      `Trials of ${seconds} s are too short to separate two of the flicker frequencies. ${needed} s or longer would do.`,
    otherWindow,
  ),
  trials_per_session: row(
    ({ trials, sessions }) =>
      `There are ${trials} trials in ${sessions} recordings, about one each. The score on unseen recordings says little.`,
  ),
  low_rate_for_task: row(
    ({ rate, needed }) => `The recording has ${rate} samples per second. ${needed} or more suit such a task.`,
    otherFile,
  ),
  overlap: row(
    ({ count, trials }) =>
      `${count} of ${trials} trials share a part of the recording with another. They are held out together, and count for less than separate trials.`,
  ),
  copies: row(
    ({ count, trials }) => `${count} of ${trials} trials hold the same signal as another. Leave the copies out.`,
  ),
  altered_copies: row(
    ({ count, trials }) =>
      `${count} of ${trials} trials look like altered copies of others. Use only the trials that were recorded.`,
  ),
  nothing_to_hold_out: row(
    'Nearly all trials of a class overlap or are copies. So no trial can be held out for a fair test, and the score is too ' +
      'high.',
    otherWindow,
  ),
  one_class_each: row(
    'Every recording holds one class only. The score may come from differences between the recordings. Record every class ' +
      'in each recording.',
    aboutOrder,
  ),
  hidden_sessions: row(
    ({ places, parts }) =>
      `The recording seems to consist of ${parts} parts (it changes at trial ${places}), and the classes differ between ` +
      'them. Use one file for each recording.',
    otherFile,
  ),
  class_in_one_block: row(
    ({ blocks, counts }) =>
      `The classes were recorded in ${blocks} blocks (${counts}), one after another. The score may come from the time and ` +
      'not from the task. Record each class in two or more blocks, in changing order.',
    aboutOrder,
  ),
  blocks_held_out: row(
    ({ blocks, counts }) =>
      `The classes were recorded in ${blocks} blocks (${counts}). Whole blocks are held out for the test, because ` +
      'neighbouring trials resemble one another.',
    aboutOrder,
  ),
  blocks_in_sessions: row(({ blocks }) => `Within the recordings the classes come in ${blocks} blocks.`, aboutOrder),
  same_order_each_session: row(
    'Their order is the same in every recording, so tiredness or drift looks like a class. Change the order.',
  ),
  drift_each_session: row('Drift that comes back in each recording may look like a class.'),
  small_sessions: row(
    ({ count, sessions, least }) =>
      `${count} of ${sessions} recordings hold fewer than ${least} trials. They are held out together.`,
  ),
  small_sessions_only: row(
    ({ count, sessions, least }) =>
      `${count} of ${sessions} recordings hold fewer than ${least} trials. So the score says nothing about a new recording.`,
    moreTrials,
  ),
  single_class_sessions: row(
    ({ count, sessions }) =>
      `${count} of ${sessions} recordings hold one class only. So the score says nothing about a new recording.`,
    moreTrials,
  ),
  sessions_needed: row(
    'Without one of the recordings too few trials of a class are left. So the score says nothing about a new recording.',
    moreTrials,
  ),
  may_be_chance: row(({ score, chance }) => `The score of ${score} may be luck: guessing gives ${chance}.`, moreTrials),
  optimistic: row(
    ({ score, expected }) =>
      `The best method reached ${score} here. Expect ${expected} on new trials, because the best of many is partly lucky.`,
  ),
  sample: row(
    ({ some, all }) =>
      `The model learned from a random sample of ${some} of the ${all} trials, since more do not fit in memory.`,
  ),
  control_eyes: row(control('Eye movements alone give', 'the eyes')),
  control_muscles: row(control('Muscle activity alone gives', 'the muscles')),
  control_mains: row(control('Line noise alone gives', 'the line noise')),
  control_baseline: row(
    ({ score, total }) =>
      `The time before the event alone gives ${score}; the model gives ${total}. The task has not begun then, so the model ` +
      'may read the order of the classes or a drift.',
    aboutOrder,
  ),
  control_without: row(({ score, interval }) => `Without it the method gives ${score} (${interval}).`),
  swapped: row(
    'Left and right look swapped, compared with other people. Check the classes and the names of the electrodes. The model ' +
      'was turned round.',
    create('Create the model again'),
  ),
  recognised: row(
    'Your trials look like public recordings that the service has learned from. A score that uses them would be too high.',
  ),
  recognised_left_out: row('Methods that learned from these recordings were left out.'),
  recognised_learned_again: row(({ people }) => `The service learned from ${people} other people instead.`),
  recognised_networks: row(
    ({ left, all }) =>
      `${left} of the ${all} movement networks ${left === '1' ? 'was' : 'were'} used. The others learned from these recordings.`,
  ),
  recognised_no_network: row('Each movement network learned from one of these people, so none was used.'),
  eyes_of_people: row(control('The electrodes near the eyes alone give', 'the eyes')),
  only_aligned: row(
    ({ score, chance }) =>
      `Single trials of a new person are hardly read: ${shareOf(score)} right, where guessing gives ${shareOf(chance)}. ` +
      'Label whole recordings of one person.',
  ),
  other_length: row(
    ({ scored, seconds }) =>
      `The score is for trials of ${scored} s. How well trials of ${seconds} s work was not measured.`,
  ),
  label_spelling: row(
    ({ pairs }) =>
      `These class names differ only in case or blanks: ${pairs}. Write them the same way if they are one class.`,
  ),
  label_form: row('Two class names look the same and differ in hidden characters. They are read as one class.'),
  expires_at: row('The end date is read in universal time.'),
  positions: row(
    ({ far, channels }) => `${far} of ${channels} electrodes lie far from their usual places. Check their positions.`,
  ),
  positions_not_used: row('The electrode positions of the first trials are used for all.'),
  trial_length: row(({ length }) => `Trials of ${length} were brought to the length of the first ones.`),
  other_rate: row(
    ({ sent, fitted }) => `Trials with ${sent} and ${fitted} samples per second were brought to one rate.`,
  ),
  other_scale: row(
    ({ sent, fitted }) =>
      `These trials vary by ${sent}, and the earlier ones by ${fitted}. The unit is probably wrong.`,
    create('Create the model again and choose the unit'),
  ),
  encoder_failed: row('One pretrained network failed on these trials. The model is made without it.'),
  ignored_classes: row(
    ({ ignored, classes, trials }) =>
      `${ignored} of ${classes} classes with ${trials} trials were left out, as you chose.`,
  ),
  other_people: row(
    ({ people, quartile }) =>
      `The score was measured on ${people} other people, not on you. A quarter of them reached less than ${shareOf(quartile)}.`,
  ),
};

/** Percentages of the service, which have decimals, as those of the pages. */
const wholePercent = (text: string): string =>
  text.replaceAll(/(\d+(?:\.\d+)?) %/g, (_, number: string) => percent(Number(number) / 100));

const shareOf = (fraction: string): string => percent(Number(fraction));

const read = readerOf({ ...warningSentences, ...requestSentences });
/** Words for a warning or finding that the page has no words for. */
export const unknownPoint = 'The service reports a point that this page does not know. Load the page again to read it.';

/** A warning of the service in words, with its numbers and the page that helps. Never repeats the warning itself. */
export function warningWords(text: string): Point {
  const rows = read(text).flatMap(({ code, values }) =>
    code === null ? [] : [{ ...warningRows[code], code, values }],
  );
  const said = rows.map(({ say, values }) => (typeof say === 'string' ? say : say(values))).filter(Boolean);
  const help = rows.find((each) => each.help)?.help;
  return {
    words: said.length > 0 ? wholePercent(said.join(' ')) : unknownPoint,
    severity: severityOf(rows.map(({ code }) => code)),
    ...(help && { help }),
  };
}
