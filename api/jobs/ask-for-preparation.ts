import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { dataSetOf, peopleOf } from '../../infra/contract/reference-data/data-sets.ts';
import type { ReferenceTaskKey } from '../../infra/contract/reference-data/preparation.ts';
import { startPreparation } from '../../infra/drivers/temporal/preparation-workflow.ts';
import { bytesOfTask, usualSecondsPerByte } from '../../infra/records/reference-data/estimate.ts';
import { markQueued } from '../../infra/records/reference-data/prepare.ts';
import { readPreparation, type StoredPreparation } from '../../infra/records/reference-data/preparations.ts';

/** Dependencies of requests for reference data. */
export interface AskDeps {
  readonly pool: pg.Pool;
  readonly client: Client;
  readonly taskQueue?: string | undefined;
  /** Whether recordings are read from a folder instead of being downloaded. The first time estimate depends on it. */
  readonly inPlace?: boolean;
}

/**
 * When to start a task: never (only read its state); if it is due; whenever it is not ready; or always, because the
 * source may have more recordings now.
 */
type StartWhen = 'never' | 'due' | 'unready' | 'always';

/**
 * The progress of a task. Starts it according to `when`; concurrent calls start it once. Never waits for it. Throws a
 * RangeError if the catalogue has no such task, and the errors of Postgres and Temporal if they are unreachable.
 */
export async function askForPreparation(
  { pool, client, taskQueue, inPlace = false }: AskDeps,
  key: ReferenceTaskKey,
  { at = new Date(), when = 'due' }: { readonly at?: Date; readonly when?: StartWhen } = {},
): Promise<StoredPreparation> {
  const before = await readPreparation(pool, key, at);
  if (!isStarted[when](before)) return before;
  const set = dataSetOf(key.set);
  const task = set.tasks.find(({ id }) => id === key.task);
  if (!task || set.version !== key.version)
    throw new RangeError(`There is no task "${key.task}" of ${key.set} ${key.version}.`);
  const expected = {
    secondsPerByte: usualSecondsPerByte(inPlace),
    bytes: bytesOfTask(set, task),
    people: peopleOf(set).length,
  };
  await markQueued(pool, key, expected, { again: when === 'always', at });
  await startPreparation(client, key, { taskQueue });
  return await readPreparation(pool, key, at);
}

const isStarted: Readonly<Record<StartWhen, (before: StoredPreparation) => boolean>> = {
  never: () => false,
  due: ({ due }) => due,
  unready: ({ status }) => status !== 'ready',
  always: () => true,
};
