import type { AccountLimitsAnswer } from '../../../../api/account/contract/responses.ts';
import { percent } from '../../charts/words.ts';
import { ask } from '../../fetch.ts';
import { Facts } from '../../ui/facts.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded, useLoad } from '../../ui/load.tsx';
import { toast } from '../../ui/toasts.tsx';
import { count, Money, windowWords } from '../../ui/values.tsx';
import { Quotas } from './quotas.tsx';

type Limited = AccountLimitsAnswer;

/** An amount in the API's format; null for an empty field: no cap. */
const amountOf = (text: FormDataEntryValue | null): string | null => {
  const amount = typeof text === 'string' ? text.trim().replace(/^\$\s*/, '') : '';
  return amount === '' ? null : amount;
};

/** Amount spent under a cap. */
const Spent = ({ usd, cap }: { readonly usd: string; readonly cap: string | null }) => (
  <>
    <Money usd={usd} /> spent so far
    {cap !== null && Number(cap) > 0 && <>, {percent(Number(usd) / Number(cap))} of the cap</>}.
  </>
);

function Caps({ limits, onChanged }: { readonly limits: Limited; readonly onChanged: (limits: Limited) => void }) {
  const send = async (values: FormData): Promise<void> => {
    const body = {
      daily_cap_usd: amountOf(values.get('daily_cap_usd')),
      monthly_cap_usd: amountOf(values.get('monthly_cap_usd')),
    };
    onChanged((await ask<Limited>('PATCH', '/limits', { body })).body);
    toast('The spending caps are saved.');
  };
  return (
    <Form submit="Save the caps" onSubmit={send}>
      <div class="columns">
        <Field
          name="daily_cap_usd"
          label="Daily cap in US dollars"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={limits.daily_cap_usd ?? ''}
          placeholder="none"
          hint={<Spent usd={limits.spent_today_usd} cap={limits.daily_cap_usd} />}
        />
        <Field
          name="monthly_cap_usd"
          label="Monthly cap in US dollars"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={limits.monthly_cap_usd ?? ''}
          placeholder="none"
          hint={<Spent usd={limits.spent_this_month_usd} cap={limits.monthly_cap_usd} />}
        />
      </div>
    </Form>
  );
}

const windows = (value: number | null): string => (value === null ? 'no limit' : count(value));

/** Spending caps, which the account holder sets, and limits, which the operator sets. */
export function Limits() {
  const limits = useLoad<Limited>('/limits');
  return (
    <>
      <h2 id="caps">Spending caps</h2>
      <p>
        Requests that would spend more are refused until the day or month (UTC) is over. Hosting counts, too. Leave a
        cap empty for none.
      </p>
      <Loaded of={limits} what="your limits">
        {(data) => (
          <>
            <Caps limits={data} onChanged={limits.set} />
            <h2>Limits</h2>
            <p>The operator of this service sets these.</p>
            <Facts
              facts={[
                [
                  'Requests a second',
                  count(data.rps),
                  `On average over 10 seconds; at most ${count(data.burst)} in one.`,
                ],
                ['At the same time', count(data.concurrency), 'Requests that are being worked on.'],
                ['Estimates a day', count(data.daily_estimates), 'They show costs and warnings, and are free.'],
                [
                  'Labelled windows a day',
                  windows(data.daily_windows),
                  `A month: ${windows(data.monthly_windows)}. ${windowWords}`,
                ],
              ]}
            />
            <h2>Storage and allowances</h2>
            <p>Deleting frees storage at once.</p>
            <Quotas quotas={data.quotas} />
          </>
        )}
      </Loaded>
    </>
  );
}
