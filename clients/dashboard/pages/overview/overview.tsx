import { useEffect, useRef } from 'preact/hooks';
import { limits } from '../../../../infra/contract/limits.ts';
import type { JobsAnswer, KeyList } from '../../../../api/account/contract/responses.ts';
import { useSession } from '../../session.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded, useLoad } from '../../ui/load.tsx';
import { Page } from '../../ui/page.tsx';
import { useHasTerms } from '../../ui/terms-notice.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Money } from '../../ui/values.tsx';
import { isOver } from '../keys/table.tsx';
import { LatestModels, type ModelList } from './models.tsx';
import { NextSteps } from './next-steps.tsx';
import { OverviewNotices } from './notices.tsx';
import { RunningFits } from './running.tsx';

/** Polling interval of running fits, seconds. */
const everySeconds = 5;

export default function Overview() {
  const { me, refresh } = useSession();
  const keys = useLoad<KeyList>('/keys');
  const jobs = useLoad<JobsAnswer>('/jobs', { everySeconds });
  const hasTerms = me?.terms.accepted === me?.terms.current;
  // The API refuses requests until a version of the terms is accepted; until then there can be no model.
  const hadTerms = useHasTerms();
  const newest = hadTerms ? `/v1/task-models?limit=${limits.listPageSize.max}` : null;
  const models = useLoad<ModelList>(newest, { mode: 'live' });
  const tried = useLoad<ModelList>(newest, { mode: 'test' });
  const running = jobs.data?.data.length ?? 0;
  const before = useRef(running);
  useEffect(() => {
    if (before.current === running) return;
    if (running < before.current) toast('A fit has ended.');
    before.current = running;
    // A finished fit changes models and balance.
    void refresh();
    void models.reload();
    void tried.reload();
  }, [running]);
  if (!me) return null;
  const hasKey = keys.data?.data.some((key) => !isOver(key)) ?? null;
  const read = models.data && tried.data ? [...models.data.data, ...tried.data.data] : null;
  const latest = hadTerms ? read : [];
  return (
    <Page
      title="Overview"
      actions={
        <a class="button" href="/dashboard/create">
          Create a model
        </a>
      }
    >
      {latest && <OverviewNotices models={latest} balanceUsd={me.balance_usd} />}
      <Facts
        facts={[
          [
            'Balance',
            <Money key="balance" usd={me.balance_usd} />,
            me.credit_waits ? 'The free credit waits for the word of the operator.' : 'What new requests can use.',
          ],
          ['Reserved', <Money key="reserved" usd={me.held_usd} />, 'For fits that run.'],
        ]}
      />
      {hasKey !== null && latest !== null && (
        <NextSteps hasTerms={hasTerms} hasKey={hasKey} hasModel={latest.length > 0} />
      )}
      {jobs.data && running > 0 && <RunningFits jobs={jobs.data.data} />}
      <h2>Latest models</h2>
      {latest ? <LatestModels models={latest} /> : <Loaded of={models.failure ? models : tried} what="your models" />}
      {keys.failure && <Loaded of={keys} what="your keys" />}
    </Page>
  );
}
