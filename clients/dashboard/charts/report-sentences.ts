import { choiceSentences, type ChoiceCode } from '../../../ml/choice-sentences.ts';
import { readerOf } from '../../../ml/sentences.ts';
import { percent, percentInterval, rounded } from './words.ts';
import type { Report } from './report-type.ts';

/** Sentences for people about how a report was measured, written from its numbers. */

type Kind = Report['validation']['kind'];
type Values = Readonly<Record<string, string>>;

const heldOut: Readonly<Record<Kind, (folds: number) => string>> = {
  sessions: (folds) =>
    `Whole recordings were held out in turn, in ${folds} groups, so the score is for a new recording.`,
  stratified: (folds) => `The trials were divided into ${folds} parts, and each part was held out in turn.`,
  within_sessions: (folds) =>
    `The trials of each recording were divided into ${folds} parts, and each part was held out in turn. The score says ` +
    'nothing about a new recording.',
  blocks: (folds) => `Whole blocks of trials with the same label were held out in turn, in ${folds} groups.`,
  people: (folds) => `People were held out in turn, in ${folds} groups, so the score is for a new person.`,
};

/** How the trials were held out. */
export function heldOutWords({ validation: { kind, folds, repeats } }: Report): string {
  return heldOut[kind](folds) + (repeats > 1 ? ` This was repeated ${repeats} times with other parts.` : '');
}

const among = ({ candidates }: Values): string => `of ${candidates} methods on held-out trials`;
const notHigher = (values: Values): string =>
  `The calibrated log-loss of ${values['title']} is not clearly higher than the lowest ${among(values)}.`;
const pooled = ({ members }: Values): string => `The pool, an ensemble of ${members} methods, was chosen`;

/** Why the method was chosen, for a person. The compiler asks for a row for each sentence of a choice. */
const choiceRows: Readonly<Record<ChoiceCode, (values: Values) => string>> = {
  lowest_loss: (values) => `${values['title']} has the lowest calibrated log-loss ${among(values)}.`,
  other_people: (values) => `${notHigher(values)} Results on other people decided.`,
  published: (values) => `${notHigher(values)} Published results decided.`,
  pool_lower: (values) => `${pooled(values)}, because its log-loss is lower.`,
  pool_not_higher: (values) =>
    `${pooled(values)}: its log-loss is not clearly higher, and an ensemble seldom does worse on new trials.`,
};

const readChoice = readerOf(choiceSentences);

/** Number of methods with a score on every fold. The pool is made of them and does not count. */
export const scoredCount = ({ methods }: Report): number =>
  methods.filter(({ id, status }) => status === 'scored' && id !== 'pool').length;

/** Why the method was chosen; empty if the report gives no reason that this page knows. */
export function choiceWords(report: Report): string {
  if (scoredCount(report) < 2) return 'It is the only method that was scored.';
  return readChoice(report.choice)
    .map(({ code, values }) => (code === null ? '' : choiceRows[code](values)))
    .filter(Boolean)
    .join(' ');
}

/** How the expected score was measured. */
export function expectedWords({ corrected, balanced_accuracy: chosen }: Report): string {
  if (!corrected) return 'It cannot be given; the points to check say why.';
  const { interval_95: interval, resamples, resampled, measured } = corrected;
  const drawn = resampled === 'sessions' ? 'recordings' : 'trials';
  return (
    `The best of many methods is partly lucky: the chosen one reached ${percent(chosen)} here. This score is without ` +
    `that luck (95\u00A0% interval ${percentInterval(interval)}). The choice was repeated on ${resamples} random draws of ` +
    `the ${drawn}, and tested on those left out.` +
    (measured
      ? ` The test used ${measured.trials_per_class} trials per class. Your model uses ` +
        `${corrected.trials_per_class ?? 'more'}, so the gain from more trials is added.`
      : '')
  );
}

/** What more trials are expected to bring. The numbers of trials are those that the test learned from. */
export function forecastWords({ forecast, learning_curve: curve }: Report): string {
  const last = curve.findLast(({ balanced_accuracy: score }) => score !== null)?.trials_per_class;
  if (!forecast || last === undefined) return 'It does not show what more trials would bring.';
  const {
    balanced_accuracy_with_twice_the_trials: score,
    interval_95_with_twice_the_trials: interval,
    more_trials_per_class: more,
    gain,
  } = forecast;
  const range = interval ? ` (95\u00A0% interval ${percentInterval(interval)})` : '';
  const gained = `${Math.round(100 * gain)} percentage points`;
  return [
    `The test learned from up to ${rounded(last, 1)} trials per class.`,
    score === null ? '' : `With ${rounded(2 * last, 1)}, about ${percent(score)} is expected${range}.`,
    more === null
      ? `More trials of the same kind are not expected to add ${gained}.`
      : `With ${Math.ceil(last + more)}, the score is expected to be ${gained} higher than with ${rounded(last, 1)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
