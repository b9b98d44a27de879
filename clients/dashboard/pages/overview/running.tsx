import { percent } from '../../charts/words.ts';
import type { JobsAnswer } from '../../../../api/account/contract/responses.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { plural, Time } from '../../ui/values.tsx';

type Job = JobsAnswer['data'][number];

/** Progress of a fit, as text. */
function Progress({ of }: { readonly of: Job }) {
  const over = of.candidates.filter(({ status }) => status !== 'running').length;
  const best = Math.max(...of.candidates.map(({ balanced_accuracy: score }) => score ?? -1));
  if (of.candidates.length === 0) return <>reading the trials</>;
  return (
    <>
      {over} of {plural(of.candidates.length, 'method')} done
      {best >= 0 && <>, the best so far at {percent(best)}</>}
    </>
  );
}

const columns: readonly Column<Job>[] = [
  {
    head: 'Model',
    names: true,
    cell: ({ model_id: id, name, description, mode }) => (
      <>
        <a href={`/dashboard/models/${id}`}>{name || description || 'A new model'}</a>{' '}
        <span class={`badge ${mode}`}>{mode}</span>
      </>
    ),
  },
  { head: 'Begun', cell: ({ started }) => <Time at={started} /> },
  { head: 'How far', cell: (job) => <Progress of={job} /> },
];

/** Fits that run now. */
export const RunningFits = ({ jobs }: { readonly jobs: readonly Job[] }) => (
  <>
    <h2>Running fits</h2>
    <Table
      caption="Fits that run now"
      columns={columns}
      rows={jobs}
      keyOf={({ job_id: id }) => id}
      empty="No fit is running."
    />
  </>
);
