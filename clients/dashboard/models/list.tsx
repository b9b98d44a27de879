import { useState } from 'preact/hooks';
import { limits } from '../../../infra/contract/limits.ts';
import { formatUsd, prices } from '../../../infra/contract/prices.ts';
import { verdictOf } from '../../../infra/contract/verdict.ts';
import { percent, percentInterval } from '../charts/words.ts';
import { asFailure, type Failure } from '../fetch.ts';
import { FailureMessage } from '../ui/failure.tsx';
import { Loaded } from '../ui/load.tsx';
import { Page } from '../ui/page.tsx';
import { TermsNotice, useHasTerms } from '../ui/terms-notice.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { money, Time } from '../ui/values.tsx';
import { Badges, iso } from './badges.tsx';
import { RunningJobs, useJobs } from './running-jobs.tsx';
import { SampleStart } from './sample/sample-start.tsx';
import { listModels, type Mode } from './service.ts';
import type { TaskModelRowAnswer } from './response-types.ts';
import { useAnswer } from './use-answer.ts';

const day = (seconds: number | null) => (seconds === null ? '–' : <Time at={iso(seconds)} day />);

/** The score to expect, beside guessing. The verdict in words is its tooltip. */
function Score({ model }: { readonly model: TaskModelRowAnswer }) {
  const report = model.training_report;
  if (!report) return <>–</>;
  const { text, baseline } = verdictOf(report);
  return (
    <span title={text}>
      <strong>{percent(baseline.score)}</strong>{' '}
      <small>
        {baseline.isExpected ? percentInterval(baseline.interval) : 'in its recording only'}; guessing{' '}
        {percent(report.chance)}
      </small>
    </span>
  );
}

const columns: readonly Column<TaskModelRowAnswer>[] = [
  {
    head: 'Model',
    names: true,
    cell: (model) => (
      <>
        <a href={`/dashboard/models/${model.id}`}>{model.name ?? model.description}</a> <Badges model={model} />
      </>
    ),
  },
  { head: 'Classes', cell: ({ classes }) => <span class="classes">{classes.join(', ')}</span> },
  { head: 'Method', cell: ({ method }) => method?.title ?? 'not fitted yet' },
  { head: 'Score', cell: (model) => <Score model={model} /> },
  { head: 'Expires', cell: ({ expires_at: at, test_ends_at: end }) => day(at ?? end) },
  {
    head: 'Next charge',
    cell: ({ next_charge_at: at, fit_before: fit }) => (fit ? <>fit before {day(fit)}</> : day(at)),
  },
];

/** Models of one mode, page after page. */
function Models({ mode, turn }: { readonly mode: Mode; readonly turn: number }) {
  const load = useAnswer(() => listModels(mode, null), mode, turn);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const more = async (): Promise<void> => {
    setBusy(true);
    try {
      const next = await listModels(mode, load.data!.next_before);
      load.set({ ...next, data: [...load.data!.data, ...next.data] });
      setFailure(null);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Loaded of={load} what="the models">
      {(page) => (
        <>
          <Table
            caption={`${mode === 'live' ? 'Live' : 'Test'} models`}
            columns={columns}
            rows={page.data}
            keyOf={({ id }) => id}
            empty={
              mode === 'live' ? (
                <>
                  No live models yet. <a href="/dashboard/create">Make one from a recording</a>. It costs{' '}
                  {money(formatUsd(prices.createFee + prices.hostingMonth))} with the first month.
                </>
              ) : (
                <>
                  <p>No test models yet. A test model is free. Try one with a real recording:</p>
                  <SampleStart secondary />
                </>
              )
            }
          />
          {failure && <FailureMessage failure={failure} />}
          {page.next_before && (
            <button type="button" class="secondary outline more" aria-busy={busy} onClick={() => void more()}>
              Show older
            </button>
          )}
        </>
      )}
    </Loaded>
  );
}

export default function List() {
  const [turn, setTurn] = useState(0);
  const hasTerms = useHasTerms();
  const jobs = useJobs(() => setTurn((before) => before + 1));
  return (
    <Page
      title="Models"
      lead="Classifiers that are hosted for you, and those that still collect trials."
      actions={
        <a class="button" href="/dashboard/create">
          Create from a file
        </a>
      }
    >
      <RunningJobs jobs={jobs} />
      {hasTerms ? (
        <>
          <h2>Live</h2>
          <Models mode="live" turn={turn} />
          <h2>Test</h2>
          <p>Test models are free. Each is deleted {limits.testModelDays} days after it was made.</p>
          <Models mode="test" turn={turn} />
        </>
      ) : (
        <TermsNotice />
      )}
    </Page>
  );
}
