import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataSetOf, filesOf } from '../../../infra/contract/reference-data/data-sets.ts';
import { readRun } from '../../../infra/recordings/reference-data/run.ts';
import type { Trials } from '../../../ml/types.ts';
import { findTrials } from '../../support/reference-trials.ts';
import { seconds, trialsOf } from '../reference-fits/people.ts';

/** Runs of the left and right fist, in order: moved in 03 and 07, imagined in 04, 08 and 12. */
const runs = ['03', '04', '07', '08', '12'] as const;
const imagined = ['04', '08', '12'];
const set = dataSetOf('eegmmidb');
const tasks = ['left-right-fist-imagined', 'left-right-fist-executed'].map((id) =>
  set.tasks.find((task) => task.id === id)!,
);

/** Trials of one person in time order, on all electrodes of the set. */
export interface HandPerson {
  readonly id: string;
  readonly trials: Trials;
  /** `left` or `right`. */
  readonly labels: readonly string[];
  /** Run of each trial. */
  readonly runs: readonly string[];
}

/** Reads the people of a folder who have the three runs of imagery, and their runs of movement where they are there. */
export async function* readHandPeople(folder: string): AsyncGenerator<HandPerson> {
  const files = filesOf(set, new Set(runs)).map((file) => ({ ...file, at: join(folder, set.folder, file.path) }));
  for (const [id, all] of Map.groupBy(files, ({ person }) => person)) {
    const own = all.filter(({ at }) => existsSync(at));
    if (imagined.every((run) => own.some((file) => file.run === run))) yield await readPerson(id, own);
  }
}

type File = ReturnType<typeof filesOf>[number] & { readonly at: string };

async function readPerson(id: string, files: readonly File[]): Promise<HandPerson> {
  const read = await Promise.all(files.map((file) => readRun({ ...file, published: true }, set)));
  const cut = read.flatMap((run) => {
    const task = tasks[imagined.includes(run.run) ? 0 : 1]!;
    return findTrials(run, task, seconds).map(({ from, classId }) => ({
      run,
      from,
      label: classId === task.classes[0]!.id ? 'left' : 'right',
    }));
  });
  return {
    id,
    trials: trialsOf(cut),
    labels: cut.map(({ label }) => label),
    runs: cut.map(({ run }) => run.run),
  };
}
