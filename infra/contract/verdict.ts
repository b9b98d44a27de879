type Interval = readonly (number | null)[] | null;

interface Control {
  readonly id: 'eyes' | 'muscles' | 'mains' | 'baseline';
  readonly balanced_accuracy: number | null;
  readonly interval_95: Interval;
  readonly p_value: number | null;
}

/** The fields of a training report that a verdict reads. A list has only the scores. */
export interface Judged {
  readonly balanced_accuracy: number;
  readonly chance: number;
  readonly corrected?: { readonly balanced_accuracy: number | null; readonly interval_95?: Interval } | null;
  readonly interval_95?: Interval;
  readonly controls?: readonly Control[];
  readonly reference?: { readonly people: number; readonly one_person_95: Interval };
  readonly trials?: number;
  readonly trials_per_class?: Readonly<Record<string, number>>;
}

/**
 * The score that every sentence, table and picture compares with: the share of new trials that will be labelled
 * correctly, averaged over the classes.
 */
export interface Baseline {
  readonly score: number;
  /** 95 % interval of one new person or recording; null: not known. */
  readonly interval: readonly [number, number] | null;
  /** False if no folds can show what to expect of new trials. The score is then of this recording only. */
  readonly isExpected: boolean;
}

export interface Verdict {
  /** One or a few sentences for people. */
  readonly text: string;
  readonly baseline: Baseline;
  /** `good`: better than guessing, and nothing else explains it. */
  readonly trust: 'good' | 'warn' | 'bad';
  /** The three numbers that stand beside the text. */
  readonly numbers: readonly { readonly name: string; readonly value: string; readonly meaning: string }[];
}

/** The sign of per cent after a number. No line breaks before it. */
export const perCentSign = '\u00A0%';

const percent = (value: number): string => `${Math.round(value * 100)}${perCentSign}`;
const between = ([low, high]: readonly [number, number]): string =>
  `${Math.round(low * 100)} to ${Math.round(high * 100)}${perCentSign}`;

const known = (interval: Interval | undefined): readonly [number, number] | null => {
  const [low, high] = interval ?? [];
  return typeof low === 'number' && typeof high === 'number' ? [low, high] : null;
};

/** The one score of a report for all comparisons: corrected for the choice of the best of many methods. */
export function baselineOf(report: Judged): Baseline {
  if (report.reference)
    return { score: report.balanced_accuracy, interval: known(report.reference.one_person_95), isExpected: true };
  const { corrected } = report;
  if (typeof corrected?.balanced_accuracy === 'number')
    return { score: corrected.balanced_accuracy, interval: known(corrected.interval_95), isExpected: true };
  return { score: report.balanced_accuracy, interval: known(report.interval_95), isExpected: false };
}

/** Significance level of one of the four controls (Bonferroni correction), as in `ml/evidence/control.ts`. */
const controlLevel = 0.05 / 4;
/** A control that reaches this fraction of the score's distance above chance explains it. */
const mostFraction = 2 / 3;

/** The control that explains the score best; null: none does. The rule is that of the warnings of the report. */
export function explainedBy(report: Judged): Control | null {
  const { score, interval } = baselineOf(report);
  const explaining = (report.controls ?? []).filter(({ balanced_accuracy: own, interval_95: of, p_value: p }) => {
    if (own === null) return false;
    const [low] = known(of) ?? [Number.NaN];
    const isAboveChance = p === null ? low > report.chance : p <= controlLevel;
    const reaches = interval !== null && own >= interval[0];
    return isAboveChance && (reaches || own - report.chance >= mostFraction * (score - report.chance));
  });
  const sorted = explaining.sort((a, b) => b.balanced_accuracy! - a.balanced_accuracy!);
  return sorted[0] ?? null;
}

const alone: Readonly<Record<Control['id'], string>> = {
  eyes: 'Eye movements alone reach',
  muscles: 'Muscle activity alone reaches',
  mains: 'Line noise alone reaches',
  baseline: 'The time before the event alone reaches',
};

/** What a report means for the person, in one sentence with its doubts. Every place that shows a score uses it. */
export function verdictOf(report: Judged): Verdict {
  const baseline = baselineOf(report);
  const { score, interval, isExpected } = baseline;
  const guessing = `guessing gives ${percent(report.chance)}`;
  const range = interval ? ` (${between(interval)})` : '';
  const isChance = interval !== null && interval[0] <= report.chance;
  const control = explainedBy(report);
  const subject = report.reference ? 'on a person it has not seen' : 'on new trials';
  const first = isExpected
    ? `About ${percent(score)} ${subject}${range}; ${guessing}.`
    : `It is not known how well it labels new trials: ${percent(score)} in this recording${range}; ${guessing}.`;
  const doubts = [
    isExpected
      ? null
      : 'The trials of the classes differ in more than their class, such as the time when they were recorded.',
    isChance ? 'It may be no better than guessing.' : null,
    control && !isChance ? `${alone[control.id]} ${percent(control.balanced_accuracy!)}: treat with care.` : null,
  ].filter((each) => each !== null);
  return {
    text: [first, ...doubts].join(' '),
    baseline,
    trust: isChance || !isExpected ? 'bad' : control ? 'warn' : 'good',
    numbers: [
      {
        name: isExpected ? 'Expected on new trials' : 'In this recording only',
        value: percent(score),
        meaning: interval ? `95${perCentSign} interval: ${between(interval)}` : 'No interval is known.',
      },
      { name: 'Guessing', value: percent(report.chance), meaning: 'One divided by the number of classes.' },
      report.reference
        ? {
            name: 'People',
            value: String(report.reference.people),
            meaning: 'Each was left out of the fit once, and then labelled.',
          }
        : {
            name: 'Trials',
            value: String(report.trials ?? '–'),
            meaning: countsOf(report.trials_per_class ?? {}),
          },
    ],
  };
}

/** Most classes whose counts are listed. */
const mostListed = 4;

function countsOf(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts);
  if (all.length === 0) return '';
  const values = all.map(([, count]) => count);
  if (new Set(values).size === 1) return `${values[0]} of each class`;
  if (all.length <= mostListed) return all.map(([name, count]) => `${name}: ${count}`).join(', ');
  return `${all.length} classes of ${Math.min(...values)} to ${Math.max(...values)} trials`;
}
