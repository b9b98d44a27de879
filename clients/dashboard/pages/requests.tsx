import { useState } from 'preact/hooks';
import { errorTable } from '../../../infra/contract/errors.ts';
import type { RequestLog } from '../../../api/account/contract/responses.ts';
import { Loaded } from '../ui/load.tsx';
import { Page } from '../ui/page.tsx';
import { More, usePages } from '../ui/pages.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { count, Money, Time } from '../ui/values.tsx';

/** The code of a request that was answered. */
const answered = 'ok';

type Row = RequestLog['data'][number];

/** The caller: a key by its name, or the dashboard. */
const From = ({ row }: { readonly row: Row }) =>
  row.key_id === 'dashboard' ? <>These pages</> : <span title={row.key_id}>{row.key_name ?? row.key_id}</span>;

/** The beginning of an id; the tooltip has all of it. */
const ShortId = ({ id }: { readonly id: string }) => (
  <code class="id" title={id}>
    {id.slice(0, 12)}…
  </code>
);

const columns: readonly Column<Row>[] = [
  { head: 'Time', cell: ({ at }) => <Time at={at} /> },
  { head: 'Request', cell: ({ route }) => <code>{route}</code> },
  {
    head: 'Answer',
    cell: ({ status, code }) => (
      <span class={status < 400 ? 'state good' : status < 500 ? 'state warn' : 'state bad'}>
        {status} {code !== answered && code}
      </span>
    ),
  },
  { head: 'From', cell: (row) => <From row={row} /> },
  { head: 'Windows', cell: ({ windows }) => (windows > 0 ? count(windows) : ''), number: true },
  { head: 'Cost', cell: ({ usd, mode }) => (mode === 'test' ? 'test' : <Money usd={usd} />), number: true },
  { head: 'Request id', cell: ({ request_id: id }) => <ShortId id={id} /> },
];

export default function Requests() {
  const [code, setCode] = useState('');
  const log = usePages<RequestLog>(code ? `/requests?code=${encodeURIComponent(code)}` : '/requests');
  return (
    <Page
      title="Request log"
      lead="Every request by your keys or from these pages, the newest first. Bodies are never kept."
    >
      <div class="filter">
        <label for="code">Show</label>
        <select id="code" value={code} onChange={(event) => setCode(event.currentTarget.value)}>
          <option value="">all requests</option>
          <option value={answered}>those that were answered</option>
          <option value="refused">those that were refused</option>
          {Object.entries(errorTable).map(([name, { status }]) => (
            <option key={name} value={name}>
              {status} {name}
            </option>
          ))}
        </select>
      </div>
      <Loaded of={log} what="the log">
        {(data) => (
          <>
            <Table
              caption="Requests, the newest first"
              columns={columns}
              rows={data.data}
              keyOf={({ request_id: id }) => id}
              empty={code in errorTable ? `No request was answered with ${code}.` : 'There is no such request yet.'}
            />
            <More of={log} />
          </>
        )}
      </Loaded>
      <p>
        What each code means and how to put it right: <a href="/docs/errors">errors by code</a>.
      </p>
    </Page>
  );
}
