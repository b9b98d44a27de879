import { limits } from '../../../infra/contract/limits.ts';
import { choiceWords, expectedWords, heldOutWords } from './report-sentences.ts';
import type { Report } from './report-type.ts';
import { percent, percentInterval, rounded } from './words.ts';

/** Electrodes, sampling rate and length of the trials of a report. */
export interface TrialShape {
  readonly electrodes: number;
  readonly rateHz: number;
  /** Length of a trial. */
  readonly seconds: number;
}

/** A paragraph of the methods section. */
export interface MethodPart {
  readonly heading: string;
  readonly words: string;
}

type Status = Report['methods'][number]['status'];
type Versioned = Pick<Report['methods'][number], 'title'> & { readonly version: string };

const versioned = ({ title, version }: Versioned): string => `${title} (v${version})`;

function dataWords(
  { trials, trials_sent: sent, trials_per_class: counts, reference }: Report,
  shape: TrialShape,
): string {
  const { electrodes, rateHz, seconds } = shape;
  const classes = Object.entries(counts)
    .map(([label, count]) => `${label}: ${count}`)
    .join(', ');
  const resampled = rateHz === limits.workingRateHz ? '' : `, resampled to ${limits.workingRateHz} Hz`;
  const recording = `${rounded(seconds, 3)} s on ${electrodes} electrodes, sampled at ${rateHz} Hz${resampled}`;
  if (reference) return `Recordings of ${reference.people} other people, as trials of ${recording}.`;
  const drawn = sent === undefined ? '' : ` They are a random sample of ${sent} trials.`;
  return `${trials} trials (${classes}) of ${recording}.${drawn}`;
}

const others = (count: number, one: string, several: string): string[] =>
  count === 0 ? [] : [count === 1 ? `1 other method ${one}.` : `${count} other methods ${several}.`];

function comparedWords({ methods }: Report): string {
  const count = (status: Status): number => methods.filter((each) => each.status === status).length;
  const scored = methods.filter((each) => each.status === 'scored');
  const pool = scored.find(({ id }) => id === 'pool');
  const behind = 'was too far behind that of the best method';
  return [
    `Scored on every fold: ${scored
      .filter((each) => each !== pool)
      .map(versioned)
      .join('; ')}.`,
    ...(pool ? [`Their ensemble was scored too: ${versioned(pool)}.`] : []),
    ...others(
      count('dropped'),
      `was dropped after the first fold, because its log-loss ${behind}`,
      `were dropped after the first fold, because their log-loss ${behind}`,
    ),
    ...others(count('failed'), 'could not be fitted', 'could not be fitted'),
    ...others(
      count('skipped'),
      'was not tried; the scores by method give the reason',
      'were not tried; the scores by method give the reasons',
    ),
  ].join(' ');
}

const scoringWords = (report: Report): string =>
  `${heldOutWords(report)} In each fold, everything that uses labels was fitted on the training trials only. The score is ` +
  'the balanced accuracy: the share of held-out trials labelled correctly, averaged over the classes.';

function chosenWords(report: Report): string {
  const { method_title: title, method_version: version, pool, averaged, reference } = report;
  const members =
    report.method === 'pool' && pool
      ? pool.map(({ weight, ...each }) => `${versioned(each)}, weight ${percent(weight)}`)
      : (averaged ?? []).map(versioned);
  return [
    `${versioned({ title, version })}.`,
    reference ? '' : choiceWords(report),
    members.length > 0 ? `It averages the probabilities of ${members.join('; ')}.` : '',
    reference ? '' : 'It was then fitted again on all trials.',
  ]
    .filter(Boolean)
    .join(' ');
}

function resultWords(report: Report): string {
  const { balanced_accuracy: score, interval_95: interval, chance, p_value: p, permutations, reference } = report;
  return [
    `${percent(score)} (95\u00A0% interval ${percentInterval(interval)}); guessing gives ${percent(chance)}.`,
    p === null ? '' : `p = ${rounded(p, 4)}, from ${permutations} random orders of the labels.`,
    reference || !report.corrected
      ? ''
      : `Expected on new trials: ${percent(report.corrected.balanced_accuracy)}. ${expectedWords(report)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** How a report was measured, in the order of a paper: data, methods, scoring, choice, result, versions. */
export const methodsSection = (report: Report, shape: TrialShape): MethodPart[] => [
  { heading: 'Data', words: dataWords(report, shape) },
  ...(report.methods.some(({ status }) => status === 'scored')
    ? [{ heading: 'Compared methods', words: comparedWords(report) }]
    : []),
  { heading: 'Scoring', words: scoringWords(report) },
  { heading: 'Chosen method', words: chosenWords(report) },
  { heading: 'Result', words: resultWords(report) },
  {
    heading: 'Repetition',
    words:
      'All random draws (folds, bootstrap samples, orders of labels, starts of networks) have fixed seeds, so the same ' +
      'trials give the same numbers. A version, such as v1, names the code of a method. That of a hosted model never changes.',
  },
];
