import { Figure } from './figure.tsx';
import { IntervalRows, type IntervalRow } from './interval-rows.tsx';
import type { Report } from './report-type.ts';
import { percent, percentInterval, rounded } from './words.ts';

/** Scores of the controls (eyes, muscles, line noise, the time before the cue), beside the chosen method. */
export function Controls({ report }: { readonly report: Report }) {
  const controls = report.controls ?? [];
  if (controls.length === 0) return null;
  const title = 'Controls';
  const description =
    'What can be read from eyes, muscles, line noise and the time before the cue alone, on the same folds. A control ' +
    'near the chosen method means that the score may not come from the brain. The table also shows what the chosen ' +
    'method reaches without each of them.';
  const winner: IntervalRow = {
    label: `Chosen: ${report.method_title}`,
    value: report.balanced_accuracy,
    interval: report.interval_95,
    kind: 'winner',
  };
  const measured = controls.filter(({ status }) => status === 'scored');
  const rows = [
    winner,
    ...measured.map((each): IntervalRow => ({
      label: each.title,
      value: each.balanced_accuracy,
      interval: each.interval_95,
      kind: 'control',
    })),
  ];
  const table = {
    head: ['Read from', 'Balanced accuracy', '95 % interval', 'p', 'Chosen method without it', 'Why not'],
    rows: [
      [
        winner.label,
        percent(report.balanced_accuracy),
        percentInterval(report.interval_95),
        rounded(report.p_value, 4),
        '',
        '',
      ],
      ...controls.map((each) => [
        each.title,
        percent(each.balanced_accuracy),
        percentInterval(each.interval_95),
        rounded(each.p_value, 4),
        each.without ? `${percent(each.without.balanced_accuracy)} (${percentInterval(each.without.interval_95)})` : '',
        each.reason ?? '',
      ]),
    ],
  };
  const missing = controls.filter(({ status }) => status !== 'scored');
  return (
    <Figure title={title} description={description} table={table}>
      <IntervalRows title={title} description={description} rows={rows} chance={report.chance} />
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
