import { percent } from '../../charts/words.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { count, money, Time } from '../../ui/values.tsx';
import type { PastLabelling } from './history.ts';

const columns: readonly Column<PastLabelling>[] = [
  { head: 'Time', names: true, cell: ({ at }) => <Time at={at} /> },
  { head: 'Trials', cell: ({ trials }) => count(trials), number: true },
  {
    head: 'Labels',
    cell: ({ counts }) =>
      Object.entries(counts)
        .map(([name, number]) => `${name}: ${count(number)}`)
        .join(', '),
  },
  { head: 'Right', cell: ({ known, right }) => (known > 0 ? percent(right / known) : 'not known'), number: true },
  { head: 'Cost', cell: ({ usd }) => (usd === null ? 'free' : money(usd)), number: true },
];

/** Recordings that were labelled in this browser. */
export function PastLabellings({
  past,
  onClear,
}: {
  readonly past: readonly PastLabelling[];
  readonly onClear: () => void;
}) {
  if (past.length === 0) return null;
  return (
    <details class="past">
      <summary>Labelled before ({past.length})</summary>
      <Table caption="Labelled before" columns={columns} rows={past} keyOf={({ at }) => at} empty="" />
      <p class="fine">
        Only this browser keeps the list. It has no signal and no file names.{' '}
        <button type="button" class="plain" onClick={onClear}>
          Clear the list
        </button>
      </p>
    </details>
  );
}
