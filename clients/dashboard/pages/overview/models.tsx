import type { TaskModelResource } from '../../../../infra/contract/task-model-resource.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/values.tsx';

export interface ModelList {
  readonly data: readonly TaskModelResource[];
}

const shown = 5;

const columns: readonly Column<TaskModelResource>[] = [
  {
    head: 'Model',
    names: true,
    cell: ({ id, name, description, test }) => (
      <>
        <a href={`/dashboard/models/${id}`}>{name ?? description}</a> {test && <span class="badge test">test</span>}
      </>
    ),
  },
  { head: 'Classes', cell: ({ classes }) => classes.join(', ') },
  { head: 'Status', cell: ({ status }) => <span class={status === 'active' ? 'state good' : 'state'}>{status}</span> },
  { head: 'Made', cell: ({ created }) => <Time at={new Date(created * 1000).toISOString()} /> },
];

/** The newest models of both modes. */
export const LatestModels = ({ models }: { readonly models: readonly TaskModelResource[] }) => (
  <>
    <Table
      caption="Latest models"
      columns={columns}
      rows={models.toSorted((a, b) => b.created - a.created).slice(0, shown)}
      keyOf={({ id }) => id}
      empty={
        <>
          No models yet. <a href="/dashboard/create">Create one from a recording</a>.
        </>
      }
    />
    {models.length > 0 && (
      <p>
        <a href="/dashboard/models">All models</a>
      </p>
    )}
  </>
);
