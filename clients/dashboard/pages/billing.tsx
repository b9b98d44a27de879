import type { Billing as BillingAnswer, LedgerLine } from '../../../api/account/contract/responses.ts';
import { limits } from '../../../infra/contract/limits.ts';
import { priceList } from '../../../infra/contract/price-list.ts';
import { Loaded } from '../ui/load.tsx';
import { Page } from '../ui/page.tsx';
import { More, usePages } from '../ui/pages.tsx';
import { Facts } from '../ui/facts.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { Money, plural, Time } from '../ui/values.tsx';

/** Texts of the kinds of ledger lines. A kind without a text is shown as its code. */
const kinds: Readonly<Record<string, string>> = {
  'task_models.create_fee': 'Create fee',
  'task_models.hosting': `Hosting of ${limits.hostingDays} days`,
  'task_models.hosting_refund': 'Hosting given back',
  'task_models.predict': 'Labels',
  'credit.free': 'Free credit',
  'credit.operator': 'Credit',
  'hold.reserve': 'Reserved for a fit',
  'hold.release': 'No longer reserved',
};

function What({ line }: { readonly line: LedgerLine }) {
  return (
    <>
      {kinds[line.kind] ?? line.kind}
      {line.windows !== null && line.windows !== '0' && (
        <>
          {' '}
          ({plural(Number(line.windows), 'window')} of {limits.windowSeconds} s)
        </>
      )}
      {line.model_id && (
        <small class="hint">
          <a href={`/dashboard/models/${line.model_id}`}>{line.model_name ?? `${line.model_id.slice(0, 12)}…`}</a>
        </small>
      )}
      {line.note && <small class="hint">{line.note}</small>}
    </>
  );
}

const columns: readonly Column<LedgerLine>[] = [
  { head: 'Time', cell: ({ at }) => <Time at={at} /> },
  { head: 'What', cell: (line) => <What line={line} /> },
  { head: 'Charged', cell: ({ charged_usd: usd }) => Number(usd) !== 0 && <Money usd={usd} />, number: true },
  { head: 'Change', cell: ({ amount_usd: usd }) => <Money usd={usd} signed />, number: true },
  { head: 'Balance', cell: ({ balance_usd: usd }) => <Money usd={usd} />, number: true },
];

export default function Billing() {
  const billing = usePages<BillingAnswer>('/billing');
  return (
    <Page
      title="Billing"
      lead="Everything is paid from a prepaid balance. Test keys, estimates and fits that fail cost nothing."
      actions={
        <a class="button secondary outline" href="/dashboard/api/billing.csv" download="billing.csv">
          Download as CSV
        </a>
      }
    >
      <Loaded of={billing} what="the ledger">
        {(data) => (
          <>
            <Facts
              facts={[
                [
                  'Balance',
                  <Money key="balance" usd={data.balance_usd} />,
                  'What new requests can use. For more, ask the operator of this service.',
                ],
                [
                  'Reserved',
                  <Money key="reserved" usd={data.held_usd} />,
                  'For fits that run. It is given back if they fail.',
                ],
              ]}
            />
            <h2>Prices</h2>
            <Facts facts={priceList.map(({ what, price, note }) => [what, price, note])} />
            <p class="fine">
              <a href="/docs/billing">What is charged when, and refunds</a>. To spend at most a sum a day or a month,{' '}
              <a href="/dashboard/settings#caps">set a spending cap</a>.
            </p>
            <h2>Ledger</h2>
            <p class="fine">The cost of a fit is reserved when the fit begins, and charged when it succeeds.</p>
            <Table
              caption="Ledger, the newest first"
              columns={columns}
              rows={data.data}
              keyOf={(_, i) => String(i)}
              empty="Nothing has been charged or credited yet."
            />
            <More of={billing} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
