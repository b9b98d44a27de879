import { Figure } from './figure.tsx';
import { IntervalRows, type IntervalRow } from './interval-rows.tsx';
import type { Report } from './report-type.ts';
import { baselineRow } from './score-rows.ts';
import { percent, percentInterval, rounded } from './words.ts';

/** Scores of the controls (eyes, muscles, the time before the cue), beside the chosen method. */
export function Controls({ report }: { readonly report: Report }) {
  const controls = report.controls ?? [];
  if (controls.length === 0) return null;
  const title = 'Controls';
  const description =
    'Scores of a simple method that reads only the eyes, the muscles or the time before the event. A control near the ' +
    'first row and the solid line means that the score may not come from the brain.';
  const first = baselineRow(report);
  const measured = controls.filter(({ status }) => status === 'scored');
  const rows = [
    first,
    ...measured.map((each): IntervalRow => ({
      label: each.title,
      value: each.balanced_accuracy,
      interval: each.interval_95,
      kind: 'control',
    })),
  ];
  const table = {
    head: ['Read from', 'Balanced accuracy', '95 % interval', 'p', 'Why not'],
    rows: [
      [first.label, percent(first.value), percentInterval(first.interval), rounded(report.p_value, 4), ''],
      ...controls.map((each) => [
        each.title,
        percent(each.balanced_accuracy),
        percentInterval(each.interval_95),
        rounded(each.p_value, 4),
        each.reason ?? '',
      ]),
    ],
  };
  const missing = controls.filter(({ status }) => status !== 'scored');
  return (
    <Figure title={title} description={description} table={table}>
      <IntervalRows title={title} description={description} rows={rows} chance={report.chance} expected={first.value ?? undefined} />
      {missing.map(({ id, title, reason }) => (
        <p key={id}>
          <small>
            {title}: not measured. {reason}
          </small>
        </p>
      ))}
    </Figure>
  );
}
