import { useMemo, useState } from 'preact/hooks';
import { percent, percentInterval } from '../../charts/words.ts';
import { saveFile } from '../../ui/save-file.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { plural } from '../../ui/values.tsx';
import type { Reader } from '../file/reader.ts';
import type { TaskModelAnswer } from '../response-types.ts';
import { agreementOf } from './agreement.ts';
import { labelCsv, secondsText, type LabelRows } from './label-csv.ts';
import { colourOf, Strip } from './strip.tsx';

/** Rows of the table at first, and that each press of the button adds. */
const page = 50;
/** With more classes the table shows the most probable ones only. */
const mostColumns = 6;

/** Trials of each class, in the order of the classes. */
export function countsOf({ classes, trials }: Pick<LabelRows, 'classes' | 'trials'>): Record<string, number> {
  const counts = new Map(classes.map((name) => [name, 0]));
  for (const { label } of trials) counts.set(label, (counts.get(label) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** How many labels are right, if the events carry classes. */
function Right({ rows, chance }: { readonly rows: LabelRows; readonly chance: number }) {
  const labels = rows.trials.map(({ label }) => label);
  const agreement = agreementOf(labels, rows.truth);
  if (!agreement) return null;
  const { known, right, balanced, interval } = agreement;
  return (
    <p class="right" role="status">
      <strong>
        {right} of {plural(known, 'label')} {right === 1 ? 'is' : 'are'} right: {percent(right / known)}
      </strong>{' '}
      ({percentInterval(interval)}). Guessing gives about {percent(chance)}.
      {Math.round(balanced * 100) !== Math.round((100 * right) / known) &&
        ` Averaged over the classes it is ${percent(balanced)}.`}
    </p>
  );
}

/** Labels of a recording: how many of each, over time, and one by one. */
export function LabelResult({
  model,
  rows,
  reader,
  trialSeconds,
  fileName,
}: {
  readonly model: TaskModelAnswer;
  readonly rows: LabelRows;
  readonly reader: Pick<Reader, 'envelope'>;
  readonly trialSeconds: number;
  readonly fileName: string;
}) {
  const [shown, setShown] = useState(page);
  const counts = useMemo(() => countsOf(rows), [rows]);
  const { classes, trials } = rows;
  return (
    <section class="labels" aria-label="Labels of the recording">
      <div class="head">
        <h3>{plural(trials.length, 'trial')} labelled</h3>
        <button
          type="button"
          data-testid="label-csv"
          onClick={() =>
            saveFile(new Blob([labelCsv(rows)], { type: 'text/csv' }), `${fileName.replace(/\.[^.]*$/, '')}-labels.csv`)
          }
        >
          Download as CSV
        </button>
      </div>
      <ul class="counts">
        {classes.map((name) => (
          <li key={name} class={colourOf(classes, name)}>
            {name} <strong>{counts[name]}</strong>
          </li>
        ))}
      </ul>
      <Right rows={rows} chance={1 / classes.length} />
      <Strip reader={reader} rows={rows} electrodes={model.channels} trialSeconds={trialSeconds} />
      <Table
        caption="Labels"
        columns={columnsOf(rows)}
        rows={trials.slice(0, shown).map((_, i) => i)}
        keyOf={String}
        empty="There are no labels."
        dense
      />
      {trials.length > shown && (
        <button type="button" class="secondary outline more" onClick={() => setShown(shown + page)}>
          Show more of {trials.length} trials
        </button>
      )}
    </section>
  );
}

function columnsOf({ classes, begins, trials, truth }: LabelRows): Column<number>[] {
  const hasTruth = truth.some((each) => each !== null);
  const few = classes.length <= mostColumns;
  const perClass = classes.map((name): Column<number> => ({
    head: name,
    cell: (i) => <Probability value={trials[i].probabilities[name]} />,
    number: true,
    only: 'wide',
  }));
  const ofLabel: Column<number> = {
    head: 'Probability',
    cell: (i) => percent(trials[i].probabilities[trials[i].label]),
    number: true,
    only: 'phone',
  };
  const best: Column<number> = {
    head: 'Most probable',
    cell: (i) =>
      Object.entries(trials[i].probabilities)
        .sort((a, b) => b[1] - a[1])
        .slice(0, 3)
        .map(([name, value]) => `${name} ${percent(value)}`)
        .join(', '),
  };
  return [
    { head: 'Trial', cell: (i) => i + 1, number: true, only: 'wide' },
    { head: 'Begins at', cell: (i) => `${secondsText(begins[i])} s`, number: true },
    {
      head: 'Label',
      names: true,
      cell: (i) => <span class={`swatch ${colourOf(classes, trials[i].label)}`}>{trials[i].label}</span>,
    },
    ...(hasTruth
      ? [
          {
            head: 'Event says',
            cell: (i: number) => {
              const known = truth[i];
              if (known === null) return '–';
              return known === trials[i].label ? (
                <span class="state good">{known} ✓</span>
              ) : (
                <span class="state bad">{known} ✗</span>
              );
            },
          },
        ]
      : []),
    ...(few ? [...perClass, ofLabel] : [best]),
  ];
}

const Probability = ({ value }: { readonly value: number }) => (
  <span class="probability">
    <meter min={0} max={1} value={value} aria-hidden="true" /> {percent(value)}
  </span>
);
