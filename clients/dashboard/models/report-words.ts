import { percent, percentInterval, rounded } from '../charts/words.ts';
import type { Report } from '../charts/report-type.ts';
import { choiceWords, expectedWords, heldOutWords } from '../charts/report-sentences.ts';

/** A number of the report and its meaning. */
export interface ReportFigure {
  readonly what: string;
  readonly value: string;
  readonly meaning: string;
}

const corrected = (report: Report): ReportFigure => ({
  what: 'Expected on new trials',
  value: percent(report.corrected?.balanced_accuracy),
  meaning: expectedWords(report),
});

/** The numbers of a report in sentences, without those that were not measured. */
export function reportWords(report: Report): ReportFigure[] {
  const overPeople = report.validation.kind === 'people';
  const figures: (ReportFigure | null)[] = [
    {
      what: 'Score of the chosen method',
      value: percent(report.balanced_accuracy),
      meaning: overPeople
        ? `Balanced accuracy: the mean over people who were left out of the fit, averaged over the classes (95\u00A0% interval ` +
          `${percentInterval(report.interval_95)}).`
        : `Balanced accuracy: the share of unseen trials labelled correctly, averaged over the classes (95\u00A0% interval ` +
          `${percentInterval(report.interval_95)}).`,
    },
    overPeople ? null : corrected(report),
    {
      what: 'Guessing',
      value: percent(report.chance),
      meaning: 'The score of guessing: one divided by the number of classes.',
    },
    report.p_value === null
      ? null
      : {
          what: 'p-value',
          value: rounded(report.p_value, 4),
          meaning: `How often shuffled labels reach this score (of ${report.permutations} random orders).`,
        },
    report.calibration_error === null
      ? null
      : {
          what: 'Calibration error',
          value: percent(report.calibration_error),
          meaning: 'Mean difference between the probabilities and the share of correct labels.',
        },
    report.log_loss === null
      ? null
      : {
          what: 'Log-loss',
          value: rounded(report.log_loss, 3),
          meaning: `Error of the probabilities. Lower is better; equal probabilities for all classes give ${rounded(
            Math.log(1 / report.chance),
            3,
          )}.`,
        },
    typeof report.balanced_accuracy_aligned === 'number'
      ? {
          what: 'Score with alignment',
          value: percent(report.balanced_accuracy_aligned),
          meaning: 'The held-out score if the trials of each request are recentred together.',
        }
      : null,
    {
      what: 'Trials',
      value: String(report.trials),
      meaning: `${classCounts(report)}. ${heldOutWords(report)}`,
    },
    { what: 'Method', value: report.method_title, meaning: choiceWords(report) },
  ];
  return figures.filter((each) => each !== null);
}

const classCounts = ({ trials_per_class: counts }: Report): string =>
  Object.entries(counts)
    .map(([label, count]) => `${label}: ${count}`)
    .join(', ');
