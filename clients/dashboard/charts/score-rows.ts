import { unscoredWords } from './reason-words.ts';
import { baselineOf } from '../../../infra/contract/verdict.ts';
import type { ChartTable } from './figure.tsx';
import type { IntervalRow } from './interval-rows.tsx';
import type { MethodAndReason } from './reasons.tsx';
import type { Report } from './report-type.ts';
import { percent, percentInterval, rounded } from './words.ts';

/** Most methods in the chart; the table shows all. */
export const mostRows = 12;

type Scored = Extract<Report['methods'][number], { status: 'scored' }>;

const scored = (report: Report): Scored[] =>
  report.methods.filter((each) => each.status === 'scored').sort((a, b) => b.balanced_accuracy - a.balanced_accuracy);

/** The row of the score that everything is compared with. */
export function baselineRow(report: Report): IntervalRow {
  const { score, interval, isExpected } = baselineOf(report);
  return {
    label: isExpected ? 'Expected on new trials' : 'In this recording',
    value: score,
    interval,
    kind: 'corrected',
  };
}

/** The score to expect, then the chosen method, then the best others. */
export function scoreRows(report: Report): IntervalRow[] {
  const methods = scored(report);
  const isChosen = ({ id }: Scored): boolean => id === report.method;
  const shown = [...methods.filter(isChosen), ...methods.filter((each) => !isChosen(each))].slice(0, mostRows);
  return [
    baselineRow(report),
    ...shown.map(({ id, title, balanced_accuracy: value, interval_95: interval }): IntervalRow => ({
      label: id === report.method ? `Chosen: ${title}` : title,
      value,
      interval,
      kind: id === report.method ? 'winner' : 'other',
    })),
  ];
}

/** Every method that was scored. */
export function scoreTable(report: Report): ChartTable {
  const { label, value, interval } = baselineRow(report);
  return {
    head: ['Method', 'Score', '95\u00A0% interval', 'Log-loss', 'Seconds'],
    rows: [
      [label, percent(value), percentInterval(interval), '–', '–'],
      ...scored(report).map((each) => [
        each.id === report.method ? `${each.title} (chosen)` : each.title,
        percent(each.balanced_accuracy),
        percentInterval(each.interval_95),
        rounded(each.log_loss),
        rounded(each.seconds),
      ]),
      ['Guessing', percent(report.chance), '–', '–', '–'],
    ],
  };
}

/** Methods without a score, with the reason. Those that were tried come first. */
export function unscored(report: Report): MethodAndReason[] {
  const order = ['dropped', 'failed', 'skipped'] as const;
  return order.flatMap((status) =>
    report.methods.flatMap((each) =>
      each.status === status ? [{ title: each.title, reason: unscoredWords(status, each.reason) }] : [],
    ),
  );
}
