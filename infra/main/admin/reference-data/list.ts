import { stat } from 'node:fs/promises';
import { filesOf, peopleOf, runsOf } from '../../../contract/reference-data/data-sets.ts';
import type { DataSet } from '../../../contract/reference-data/data-set-schema.ts';
import { formatTable } from '../../demo/table.ts';
import { megabytes } from '../../../embedded/progress.ts';
import { countPeople } from '../../../recordings/reference-data/collect.ts';
import type { ReferenceSource } from '../../../recordings/reference-data/source.ts';

/** Lines of text about a data set: what it is, its licence, and how much of it is on this machine. */
export async function describeDataSet(set: DataSet, source: ReferenceSource): Promise<string[]> {
  const files = filesOf(set);
  const sizes = new Map<string, number>();
  for (const file of files) {
    const about = await stat(source.pathOf(file)).catch(() => null);
    if (about?.isFile()) sizes.set(file.path, about.size);
  }
  const isThere = ({ path }: { path: string }): boolean => sizes.has(path);
  const { whole, part, missing } = countPeople(files, isThere);
  const localBytes = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const rows = set.tasks.map((task) => {
    const people = countPeople(filesOf(set, runsOf(task)), isThere);
    return [task.id, ...[people.whole, people.part, people.missing].map(({ length }) => String(length))];
  });
  return [
    `${set.id}: ${set.name} ${set.version}`,
    `  Page       ${set.home}`,
    `  Licence    ${set.licence.name} (${set.licence.spdx}), ${set.licence.url}`,
    ...set.citations.map((citation) => `  Cite       ${citation}`),
    ...set.notes.map((note) => `  Note       ${note}`),
    `  From       ${source.inPlace ? `${source.from}, read in place` : `${source.from}, kept in ${source.folder}`}`,
    `  Held       ${sizes.size} of ${files.length} recordings (${megabytes(localBytes)}); ` +
      `of ${peopleOf(set).length} people ${whole.length} whole, ${part.length} in part, ${missing.length} missing`,
    ...(set.excluded.length
      ? [`  Not used   ${set.excluded.map(({ person }) => person).join(', ')} (known to be bad)`]
      : []),
    '',
    formatTable([['Task', 'People held', 'In part', 'Missing'], ...rows], '  '),
    '',
  ];
}
