import { Figure } from './figure.tsx';
import { IntervalRows, type IntervalRow } from './interval-rows.tsx';
import type { Report } from './report-type.ts';
import { baselineRow } from './score-rows.ts';
import { reasonWords } from './reason-words.ts';
import { percent, percentInterval, rounded } from './words.ts';

/** What each control reads. */
const names = {
  eyes: 'Eye movements',
  muscles: 'Muscle activity',
  mains: 'Line noise',
  baseline: 'Time before the event',
} as const;

type Control = NonNullable<Report['controls']>[number];

const missingWords = ({ status, reason }: Pick<Control, 'status' | 'reason'>): string =>
  status === 'failed' ? 'It could not be measured.' : `Not measured. ${reasonWords(reason ?? '')}`;

/** Scores of the controls (eyes, muscles, line noise, the time before the cue), beside the chosen method. */
export function Controls({ report }: { readonly report: Report }) {
  const controls = report.controls ?? [];
  if (controls.length === 0) return null;
  const title = 'Controls';
  const description = 'Scores from the eyes, the muscles, line noise or the time before the event alone.';
  const reading =
    'If a control is near the first row and the solid line, the score may not come from the brain. The table also has the ' +
    'score of the chosen method without each of them.';
  const first = baselineRow(report);
  const measured = controls.filter(({ status }) => status === 'scored');
  const rows = [
    first,
    ...measured.map((each): IntervalRow => ({
      label: names[each.id],
      value: each.balanced_accuracy,
      interval: each.interval_95,
      kind: 'control',
    })),
  ];
  const table = {
    head: ['Read from', 'Score', '95\u00A0% interval', 'p', 'Chosen method without it', 'Why not'],
    rows: [
      [first.label, percent(first.value), percentInterval(first.interval), rounded(report.p_value, 4), '', ''],
      ...controls.map((each) => [
        `${names[each.id]} (${each.title})`,
        percent(each.balanced_accuracy),
        percentInterval(each.interval_95),
        rounded(each.p_value, 4),
        each.without ? `${percent(each.without.balanced_accuracy)} (${percentInterval(each.without.interval_95)})` : '',
        each.status === 'scored' ? '' : missingWords(each),
      ]),
    ],
  };
  const missing = controls.filter(({ status }) => status !== 'scored');
  return (
    <Figure title={title} description={description} reading={reading} table={table}>
      <IntervalRows
        title={title}
        description={description}
        rows={rows}
        chance={report.chance}
        expected={first.value ?? undefined}
      />
      {missing.map((each) => (
        <p key={each.id}>
          <small>
            {names[each.id]}: {missingWords(each)}
          </small>
        </p>
      ))}
    </Figure>
  );
}
