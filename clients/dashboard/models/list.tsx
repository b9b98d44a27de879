import { useEffect, useState } from 'preact/hooks';
import { limits } from '../../../infra/contract/limits.ts';
import { formatUsd, prices } from '../../../infra/contract/prices.ts';
import { verdictOf } from '../../../infra/contract/verdict.ts';
import { percent, percentInterval } from '../charts/words.ts';
import { asFailure, type Failure } from '../fetch.ts';
import { FailureMessage } from '../ui/failure.tsx';
import { Loaded, type Load } from '../ui/load.tsx';
import { Page } from '../ui/page.tsx';
import { TermsNotice, useHasTerms } from '../ui/terms-notice.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { toast } from '../ui/toasts.tsx';
import { money, Time } from '../ui/values.tsx';
import { arranged, type Order } from './arrange.ts';
import { Badges, endOf, iso } from './badges.tsx';
import { isBeingDeleted, onDeletes } from './pending-delete.ts';
import { RunningJobs, useJobs } from './running-jobs.tsx';
import { SampleStart } from './sample/sample-start.tsx';
import { listModels, type Mode } from './service.ts';
import type { ListAnswer, TaskModelRowAnswer } from './response-types.ts';
import { useAnswer } from './use-answer.ts';

const day = (seconds: number | null) => (seconds === null ? '–' : <Time at={iso(seconds)} day />);

/** The score to expect, beside guessing. The verdict in words is its tooltip. */
function Score({ model }: { readonly model: TaskModelRowAnswer }) {
  const report = model.training_report;
  if (!report) return <>–</>;
  const { text, baseline } = verdictOf(report);
  return (
    <span class="score-cell" title={text}>
      <strong>{percent(baseline.score)}</strong>{' '}
      <small>
        {baseline.isExpected ? percentInterval(baseline.interval) : 'in its recording only'}; guessing{' '}
        {percent(report.chance)}
      </small>
    </span>
  );
}

interface Chosen {
  readonly ids: readonly string[];
  toggle(id: string): void;
}

const columnsOf = ({ ids, toggle }: Chosen): readonly Column<TaskModelRowAnswer>[] => [
  {
    head: 'Compare',
    cell: ({ id, name, description, training_report: report }) =>
      report && (
        <input
          type="checkbox"
          aria-label={`Compare ${name ?? description}`}
          checked={ids.includes(id)}
          disabled={ids.length === 2 && !ids.includes(id)}
          onChange={() => toggle(id)}
        />
      ),
  },
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
  { head: 'Ends', cell: (model) => (endOf(model) === Infinity ? 'never' : day(endOf(model))) },
  {
    head: 'Next charge',
    cell: ({ next_charge_at: at, fit_before: fit }) => (fit ? <>fit before {day(fit)}</> : day(at)),
  },
];

/** Models of one mode, page after page. */
function Models({
  mode,
  load,
  search,
  order,
  chosen,
}: {
  readonly mode: Mode;
  readonly load: Load<ListAnswer>;
  readonly search: string;
  readonly order: Order;
  readonly chosen: Chosen;
}) {
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
            columns={columnsOf(chosen)}
            rows={arranged(page.data, { search, order }).filter(({ id }) => !isBeingDeleted(id))}
            keyOf={({ id }) => id}
            empty={
              search !== '' && page.data.length > 0 ? (
                'No model has these words in its name, task or classes.'
              ) : mode === 'live' ? (
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

/** The lists of both modes. Search and order are above them once there is a model. */
function Lists({ turn }: { readonly turn: number }) {
  const live = useAnswer(() => listModels('live', null), 'live', turn);
  const test = useAnswer(() => listModels('test', null), 'test', turn);
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>('newest');
  const [kind, setKind] = useState<Mode | 'all'>('all');
  const [ids, setIds] = useState<readonly string[]>([]);
  const chosen: Chosen = {
    ids,
    toggle: (id) => setIds(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]),
  };
  const list = { search, order, chosen };
  const hasModels = [live, test].some(({ data }) => data !== null && data.data.length > 0);
  return (
    <>
      {hasModels && (
        <div class="filter">
          <label for="search" class="unseen">
            Search
          </label>
          <input
            id="search"
            type="search"
            size={36}
            placeholder="Search by name, task or class"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <span class="labelled">
            <label for="kind">Show</label>
            <select
              id="kind"
              value={kind}
              onChange={({ currentTarget }) => setKind(currentTarget.value as Mode | 'all')}
            >
              <option value="all">live and test</option>
              <option value="live">live only</option>
              <option value="test">test only</option>
            </select>
          </span>
          <span class="labelled">
            <label for="order">Sort by</label>
            <select id="order" value={order} onChange={({ currentTarget }) => setOrder(currentTarget.value as Order)}>
              <option value="newest">newest</option>
              <option value="score">score</option>
              <option value="name">name</option>
            </select>
          </span>
          {ids.length === 2 ? (
            <a class="button" href={`/dashboard/compare?a=${ids[0]}&b=${ids[1]}`}>
              Compare the two
            </a>
          ) : (
            <small>{ids.length === 1 ? 'Tick one more model to compare.' : 'Tick two models to compare them.'}</small>
          )}
        </div>
      )}
      {kind !== 'test' && (
        <>
          <h2>Live</h2>
          <Models mode="live" load={live} {...list} />
        </>
      )}
      {kind !== 'live' && (
        <>
          <h2>Test</h2>
          <p>Test models are free. Each is deleted {limits.testModelDays} days after it was made.</p>
          <Models mode="test" load={test} {...list} />
        </>
      )}
    </>
  );
}

export default function List() {
  const [turn, setTurn] = useState(0);
  const again = (): void => setTurn((before) => before + 1);
  const hasTerms = useHasTerms();
  const jobs = useJobs(() => {
    again();
    toast('A fit has ended.');
  });
  useEffect(() => onDeletes(again), []);
  return (
    <Page
      title="Models"
      lead="Classifiers that are hosted for you, and those that still collect trials."
      actions={
        <a class="button" href="/dashboard/create">
          Create a model
        </a>
      }
    >
      <RunningJobs jobs={jobs} canNotify />
      {hasTerms ? <Lists turn={turn} /> : <TermsNotice />}
    </Page>
  );
}
