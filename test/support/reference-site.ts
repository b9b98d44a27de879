import { createHash } from 'node:crypto';
import { type ReferenceFile, filesOf } from '../../infra/contract/reference-data/data-sets.ts';
import type { DataSet } from '../../infra/contract/reference-data/data-set-schema.ts';
import { openFileSite, type FileSite } from './file-site.ts';

/** A small data set, and a site that serves it. */
export interface ReferenceSite extends FileSite {
  readonly set: DataSet;
  readonly files: readonly ReferenceFile[];
}

const people = ['S001', 'S002', 'S003', 'S004', 'S005', 'S006'];
const runs = ['01', '02'];

export async function openReferenceSite(fileBytes = 20_000, sizesPublished = true): Promise<ReferenceSite> {
  const contents = new Map<string, Buffer>();
  const rows: DataSet['files'] = people.flatMap((person) =>
    runs.map((run): DataSet['files'][number] => {
      const content = Buffer.alloc(fileBytes, `${person}${run} `);
      contents.set(`${person}/${person}R${run}.edf`, content);
      return [person, run, sizesPublished ? fileBytes : null, createHash('sha256').update(content).digest('hex')];
    }),
  );
  const site = await openFileSite(contents, '/small/1.0/');
  const set = {
    id: 'small',
    folder: 'small/1.0',
    address: `${site.url}/small/1.0/{path}`,
    path: '{person}/{person}R{run}.edf',
    files: rows,
  } as unknown as DataSet;
  return { ...site, set, files: filesOf(set) };
}
