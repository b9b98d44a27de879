import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSet } from '../../../contract/reference-data/data-set-schema.ts';
import { isStopped } from '../../../contract/reference-data/preparation.ts';
import { bar, clock, megabytes, type Progress } from '../../../embedded/progress.ts';
import type { StoredPreparation } from '../../../records/reference-data/preparations.ts';
import { askForPreparation, type AskDeps } from '../../../../api/jobs/ask-for-preparation.ts';

/** The service that runs the preparations: the one on DATA_DIR or on the environment's servers. */
export interface PreparingService extends AskDeps {
  close(): Promise<unknown>;
}

export interface PrepareOptions {
  /** All tasks of the data set, or one. */
  readonly task: string | undefined;
  /** Also prepares tasks that are ready. */
  readonly again: boolean;
}

/** Seconds after which a warning says that no worker has taken the task. */
const unclaimedSeconds = 10;

/**
 * Asks the service to prepare tasks of a data set, one by one, and waits for them. Returns a sentence for each failure.
 */
export async function prepareTasks(
  set: DataSet,
  { task: only, again }: PrepareOptions,
  service: PreparingService,
  progress: Progress,
): Promise<string[]> {
  const failed: string[] = [];
  for (const { id: task } of set.tasks.filter(({ id }) => only === undefined || id === only)) {
    const name = `${set.id} ${task}`;
    const key = { set: set.id, version: set.version, task };
    const begun = performance.now();
    let state = await askForPreparation(service, key, { when: again ? 'always' : 'unready' });
    for (let taken = false; !hasEnded(state); state = await askForPreparation(service, key)) {
      taken ||= state.status === 'running';
      const waits = !taken && performance.now() - begun > unclaimedSeconds * 1000;
      progress.status(
        `${name}  ${waits ? 'waits for a worker: is one running (npm start, npm run worker)?' : far(state)}`,
      );
      await sleep(500);
    }
    const line = `${name}: ${ended(state, set)}`;
    progress.line(line);
    if (state.status !== 'ready') failed.push(line);
  }
  return failed;
}

const hasEnded = ({ status }: StoredPreparation): boolean => status === 'ready' || isStopped(status);

/** `█████░░░  12 of 60 people, about 2:10 left, 36 of 180 files, 93.6 MB of 468 MB` */
function far({ progress, estimatedSeconds }: StoredPreparation): string {
  const left = estimatedSeconds === null ? '' : `, about ${clock(estimatedSeconds)} left`;
  if (!progress) return `${bar(0)}  begins${left}`;
  const { people, files, bytes } = progress;
  return (
    `${bar(people.done / people.total)}  ${people.done} of ${people.total} people${left}, ` +
    `${files.done} of ${files.total} files, ${megabytes(bytes.done)} of ${megabytes(bytes.total)}`
  );
}

function ended({ status, reason, people }: StoredPreparation, { electrodes }: DataSet): string {
  if (status !== 'ready') return `${status}. ${reason ?? ''}`;
  const { used, own, missing } = people!;
  const notes = [
    ...(own > 0 ? [`${own} of them from recordings that are not the published ones`] : []),
    ...(missing > 0 ? [`${missing} people missing`] : []),
  ];
  return `ready, ${used} people on ${electrodes.length} electrodes${notes.map((note) => `, ${note}`).join('')}`;
}
