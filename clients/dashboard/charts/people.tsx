import { Figure } from './figure.tsx';
import { IntervalRows, type IntervalRow } from './interval-rows.tsx';
import type { Report } from './report-type.ts';
import { percent, percentInterval } from './words.ts';

/** Scores of a zero-shot model on other people, each left out of the fit in turn. */
export function People({ report }: { readonly report: Report }) {
  const { reference } = report;
  if (!reference) return null;
  const title = 'Evidence over people';
  const description = `Scores on ${reference.people} people. Each was left out of the fit in turn.`;
  const reading = 'One person to come is expected inside the wide interval. The dashed line is guessing.';
  const [lower, median, upper] = reference.quartiles;
  const rows: IntervalRow[] = [
    { label: 'Mean over people', value: report.balanced_accuracy, interval: report.interval_95, kind: 'winner' },
    { label: 'One person to come', value: report.balanced_accuracy, interval: reference.one_person_95, kind: 'other' },
    { label: 'Half of the people (median, quartiles)', value: median, interval: [lower, upper], kind: 'other' },
    { label: 'Trials read one by one', value: reference.balanced_accuracy_unaligned, interval: null, kind: 'control' },
  ];
  const table = {
    head: ['What', 'Score', 'Interval'],
    rows: [
      ...rows.map(({ label, value, interval }) => [label, percent(value), percentInterval(interval)]),
      ['Bound that the mean exceeds with 95\u00A0%', percent(reference.lower_bound_95), '–'],
      ['Guessing', percent(report.chance), '–'],
    ],
  };
  return (
    <Figure title={title} description={description} reading={reading} table={table}>
      <IntervalRows title={title} description={description} rows={rows} chance={report.chance} />
    </Figure>
  );
}
