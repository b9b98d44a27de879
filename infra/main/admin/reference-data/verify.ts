import { stat } from 'node:fs/promises';
import { filesOf } from '../../../contract/reference-data/data-sets.ts';
import type { DataSet } from '../../../contract/reference-data/data-set-schema.ts';
import { bar, megabytes, type Progress } from '../../../embedded/progress.ts';
import { ReferenceFault } from '../../../recordings/reference-data/fault.ts';
import { readLocalFile, type ReferenceSource } from '../../../recordings/reference-data/source.ts';

export interface Verified {
  readonly published: number;
  /** Readable recordings of the operator's own in the folder. */
  readonly own: readonly string[];
  /** One sentence for each damaged file. */
  readonly damaged: readonly string[];
  readonly absent: number;
}

/** Compares every recording on this machine with the published hash; downloads and removes nothing. */
export async function verifyDataSet(set: DataSet, source: ReferenceSource, progress: Progress): Promise<Verified> {
  const files = filesOf(set);
  const there: { bytes: number; file: (typeof files)[number] }[] = [];
  for (const file of files) {
    const about = await stat(source.pathOf(file)).catch(() => null);
    if (about) there.push({ bytes: about.size, file });
  }
  const all = there.reduce((sum, { bytes }) => sum + bytes, 0);
  const own: string[] = [];
  const damaged: string[] = [];
  let [done, published] = [0, 0];
  for (const [i, { bytes, file }] of there.entries()) {
    progress.status(
      `${set.id}  ${bar(done / all)}  ${i} of ${there.length} files, ${megabytes(done)} of ${megabytes(all)}`,
    );
    done += bytes;
    try {
      const local = await source.check(file);
      if (local?.published) published++;
      else if (local) {
        await readLocalFile(local);
        own.push(local.at);
      }
    } catch (error) {
      if (!(error instanceof ReferenceFault)) throw error;
      damaged.push(error.message);
    }
  }
  return { published, own, damaged, absent: files.length - published - own.length - damaged.length };
}

/** The result as lines of text. */
export function describeVerified(set: DataSet, { published, own, damaged, absent }: Verified): string[] {
  return [
    `${set.id}: ${published} recordings are the published ones; ${own.length} are others that can be read, ` +
      `${damaged.length} are damaged, ${absent} are not here.`,
    ...own.map((at) => `  other: ${at}`),
    ...damaged.map((sentence) => `  ${sentence}`),
  ];
}
