import { Figure } from './figure.tsx';
import { IntervalRows, type IntervalRow } from './interval-rows.tsx';
import type { Report } from './report-type.ts';
import { baselineRow } from './score-rows.ts';
import { percent, percentInterval, rounded } from './words.ts';

/** What each control reads, and why it may be missing. */
const controlWords = {
  eyes: { name: 'Eye movements', missing: 'no electrode is near the eyes' },
  muscles: { name: 'Muscle activity', missing: 'the sampling rate is too low for it' },
  mains: { name: 'Line noise', missing: 'the sampling rate is too low for it' },
  baseline: { name: 'Time before the event', missing: 'the trials begin with the event' },
} as const;

/** Scores of the controls (eyes, muscles, line noise, the time before the cue), beside the chosen method. */
export function Controls({ report }: { readonly report: Report }) {
  const controls = report.controls ?? [];
  if (controls.length === 0) return null;
  const title = 'Controls';
  const description =
    'What can be read from eyes, muscles, line noise or the time before the event alone. A control near the first row ' +
    'and the solid line means that the score may not come from the brain. The table also shows what the chosen method ' +
    'reaches without each of them.';
  const first = baselineRow(report);
  const measured = controls.filter(({ status }) => status === 'scored');
  const rows = [
    first,
    ...measured.map((each): IntervalRow => ({
      label: controlWords[each.id].name,
      value: each.balanced_accuracy,
      interval: each.interval_95,
      kind: 'control',
    })),
  ];
  const table = {
    head: ['Read from', 'Balanced accuracy', '95 % interval', 'p', 'Chosen method without it', 'Why not'],
    rows: [
      [first.label, percent(first.value), percentInterval(first.interval), rounded(report.p_value, 4), '', ''],
      ...controls.map((each) => [
        `${controlWords[each.id].name} (${each.title})`,
        percent(each.balanced_accuracy),
        percentInterval(each.interval_95),
        rounded(each.p_value, 4),
        each.without ? `${percent(each.without.balanced_accuracy)} (${percentInterval(each.without.interval_95)})` : '',
        each.status === 'scored' ? '' : controlWords[each.id].missing,
      ]),
    ],
  };
  const missing = controls.filter(({ status }) => status !== 'scored');
  return (
    <Figure title={title} description={description} table={table}>
      <IntervalRows
        title={title}
        description={description}
        rows={rows}
        chance={report.chance}
        expected={first.value ?? undefined}
      />
      {missing.map(({ id, status }) => (
        <p key={id}>
          <small>
            {controlWords[id].name}:{' '}
            {status === 'failed' ? 'could not be measured' : `not measured, since ${controlWords[id].missing}`}.
          </small>
        </p>
      ))}
    </Figure>
  );
}
