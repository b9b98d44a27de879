import brainInvaders from './brain-invaders-2014a.json' with { type: 'json' };
import eegmmidb from './eegmmidb.json' with { type: 'json' };
import type { DataSet, ReferenceTask } from './data-set-schema.ts';

/** One recording of a data set. */
export interface ReferenceFile {
  readonly person: string;
  readonly run: string;
  /** Path below the data set's folder, with `/`. */
  readonly path: string;
  /** null: the size is not published. */
  readonly bytes: number | null;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** The data sets that the service knows, the most useful first. A test validates their files against the schema. */
export const dataSets = [eegmmidb, brainInvaders] as unknown as readonly DataSet[];

/** The data set of that id. Throws if there is none. */
export function dataSetOf(id: string): DataSet {
  const found = dataSets.find((set) => set.id === id);
  if (!found) throw new RangeError(`There is no data set "${id}", but ${dataSets.map((set) => set.id).join(' and ')}.`);
  return found;
}

/** The recordings of a data set, of all people or of the given ones. */
export function filesOf(set: DataSet, runs?: ReadonlySet<string>, people?: ReadonlySet<string>): ReferenceFile[] {
  return set.files
    .filter(([person, run]) => (runs?.has(run) ?? true) && (people?.has(person) ?? true))
    .map(([person, run, bytes, sha256]) => ({
      person,
      run,
      path: set.path.replaceAll('{person}', person).replaceAll('{run}', run),
      bytes,
      sha256,
    }));
}

/** The people of a data set whose recordings are used, in its order. */
export const peopleOf = (set: DataSet): string[] => [...new Set(set.files.map(([person]) => person))];

/** The runs that a task needs of each person. */
export const runsOf = (task: ReferenceTask): ReadonlySet<string> =>
  new Set(task.classes.flatMap(({ takes }) => takes.flatMap(({ runs }) => runs)));

/** The official address of a file. */
export function officialAddress(set: DataSet, file: ReferenceFile): string {
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return set.address
    .replaceAll('{path}', path)
    .replaceAll('{bytes}', String(file.bytes ?? ''))
    .replaceAll('{sha256}', file.sha256);
}
