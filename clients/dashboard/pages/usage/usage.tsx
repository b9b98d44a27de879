import type { UsageDays } from '../../../../api/account/contract/responses.ts';
import { Loaded, useLoad } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { count, Money, money, plural, windowWords } from '../../ui/values.tsx';
import { Bars, type Part } from './bars.tsx';

type Day = UsageDays['data'][number];

const days = 30;

const requestParts: readonly Part<Day>[] = [
  { name: 'answered', value: ({ requests, refused }) => requests - refused },
  { name: 'refused', value: ({ refused }) => refused },
];
const moneyParts: readonly Part<Day>[] = [{ name: 'charged', value: ({ usd }) => Number(usd) }];

const columns: readonly Column<Day>[] = [
  { head: 'Day (UTC)', cell: ({ day }) => <time dateTime={day}>{day}</time>, names: true },
  { head: 'Requests', cell: ({ requests }) => count(requests), number: true },
  { head: 'Refused', cell: ({ refused }) => count(refused), number: true },
  { head: 'Labelled windows', cell: ({ windows }) => count(windows), number: true },
  { head: 'Test windows', cell: ({ test_windows: windows }) => count(windows), number: true },
  { head: 'Creates', cell: ({ create_usd: usd }) => <Money usd={usd} />, number: true },
  { head: 'Hosting', cell: ({ hosting_usd: usd }) => <Money usd={usd} />, number: true },
  { head: 'Labels', cell: ({ predict_usd: usd }) => <Money usd={usd} />, number: true },
  { head: 'Total', cell: ({ usd }) => <Money usd={usd} />, number: true },
];

const isUsed = ({ requests, test_windows: windows, usd }: Day): boolean =>
  requests > 0 || windows > 0 || Number(usd) !== 0;

const sum = (rows: readonly Day[], value: (row: Day) => number): number =>
  rows.reduce((total, row) => total + value(row), 0);

const dollars = (value: number): string => money(value.toFixed(value !== 0 && value < 0.1 ? 3 : 2));

function Drawn({ rows }: { readonly rows: readonly Day[] }) {
  const requests = sum(rows, (row) => row.requests);
  const refused = sum(rows, (row) => row.refused);
  const charged = sum(rows, ({ usd }) => Number(usd));
  return (
    <>
      <Bars
        title="Requests a day"
        words={`${plural(requests, 'request')} in ${days} days, ${count(refused)} of them refused; see the table.`}
        rows={rows}
        parts={requestParts}
        format={count}
        atLeast={4}
      />
      {charged === 0 ? (
        <p>Nothing was charged in these {days} days.</p>
      ) : (
        <Bars
          title="Charged a day, in US dollars"
          words={`${dollars(charged)} were charged in ${days} days; by day in the table.`}
          rows={rows}
          parts={moneyParts}
          format={dollars}
          atLeast={0.04}
        />
      )}
    </>
  );
}

export default function Usage() {
  const usage = useLoad<UsageDays>(`/usage?days=${days}`);
  return (
    <Page
      title="Usage"
      lead={`The last ${days} days, in UTC. Money is that of live keys alone; test keys cost nothing. ${windowWords}`}
    >
      <Loaded of={usage} what="your usage">
        {({ data }) => (
          <>
            <Drawn rows={data} />
            <h2>By day</h2>
            <Table
              caption="Usage by day, the newest first; days without any are left out"
              columns={columns}
              rows={data.filter(isUsed).toReversed()}
              keyOf={({ day }) => day}
              empty={`Nothing was used in the last ${days} days.`}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
