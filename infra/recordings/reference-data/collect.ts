import type { ReferenceFile } from '../../contract/reference-data/data-sets.ts';
import { ReferenceFault } from './fault.ts';
import type { LocalFile, ReferenceSource } from './source.ts';

/** Number of files on this machine, and of bytes, including the bytes of files in transfer. */
export interface CollectProgress {
  readonly files: number;
  readonly bytes: number;
}

export interface Collected {
  readonly present: readonly LocalFile[];
  /** Files that the source does not have. */
  readonly missing: readonly ReferenceFile[];
}

export interface CollectOptions {
  readonly signal?: AbortSignal | undefined;
  readonly parallel?: number;
  onProgress?(progress: CollectProgress): void;
}

const usualParallel = 4;

/** Collected files, and the faults of the others. */
export interface CollectedInPart extends Collected {
  readonly faults: readonly ReferenceFault[];
}

/**
 * Downloads recordings to this machine, a few at a time. Files that the source does not have are listed as missing. A
 * faulty file does not stop the others: the first fault is thrown at the end, or at once if it affects every file.
 * Throws a ReferenceFault, or the reason of `signal`.
 */
export async function collectFiles(
  source: ReferenceSource,
  files: readonly ReferenceFile[],
  options: CollectOptions = {},
): Promise<Collected> {
  const { present, missing, faults } = await collectInPart(source, files, options);
  if (faults.length > 0) throw faults.length === 1 ? faults[0] : others(faults[0], faults.length - 1);
  if (present.length === 0 && files.length > 0) throw nothingThere(source, files);
  return { present, missing };
}

/**
 * Like `collectFiles`, but returns the faults instead of throwing them. Throws a ReferenceFault only if no file can be
 * obtained, or the reason of `signal`.
 */
export async function collectInPart(
  source: ReferenceSource,
  files: readonly ReferenceFile[],
  { signal, parallel = usualParallel, onProgress }: CollectOptions = {},
): Promise<CollectedInPart> {
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const found = Array.from<LocalFile | null | undefined>({ length: files.length });
  const sizes = new Float64Array(files.length);
  const faults: ReferenceFault[] = [];
  let [present, bytes] = [0, 0];
  const report = (): void => onProgress?.({ files: present, bytes });
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < files.length && !both.aborted) {
      const i = next++;
      try {
        const onSize = (size: number): void => {
          bytes += size - sizes[i];
          sizes[i] = size;
          report();
        };
        found[i] = await source.obtain(files[i], { signal: both, onSize });
        if (found[i]) present++;
        report();
      } catch (error) {
        if (both.aborted && !(error instanceof ReferenceFault)) return;
        if (!(error instanceof ReferenceFault)) {
          stop.abort();
          throw error;
        }
        faults.push(error);
        if (error.stopsAll) stop.abort();
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(parallel, files.length) }, work));
  signal?.throwIfAborted();
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  const worst = faults.find((fault) => fault.stopsAll);
  if (worst) throw worst;
  return {
    present: found.filter((each): each is LocalFile => Boolean(each)),
    missing: files.filter((_, i) => found[i] === null),
    faults,
  };
}

/** The source has no file at all. */
export const nothingThere = (
  { from }: Pick<ReferenceSource, 'from'>,
  files: readonly Pick<ReferenceFile, 'path'>[],
): ReferenceFault =>
  new ReferenceFault(
    'nothing_there',
    `${from} holds none of the ${files.length} files, ${files[0]?.path} to ${files.at(-1)?.path}.`,
  );

const others = (fault: ReferenceFault, more: number): ReferenceFault =>
  new ReferenceFault(fault.fault, `${fault.message} ${more} more ${more === 1 ? 'file has' : 'files have'} a fault.`, {
    cause: fault,
  });

/** People by the files on this machine: all, some, or none; in the order of the files. */
export function countPeople(
  files: readonly ReferenceFile[],
  isThere: (file: ReferenceFile) => boolean,
): { readonly whole: string[]; readonly part: string[]; readonly missing: string[] } {
  const people = new Map<string, { there: number; all: number }>();
  for (const file of files) {
    const count = people.get(file.person) ?? { there: 0, all: 0 };
    people.set(file.person, { there: count.there + (isThere(file) ? 1 : 0), all: count.all + 1 });
  }
  const named = (test: (count: { there: number; all: number }) => boolean): string[] =>
    [...people].filter(([, count]) => test(count)).map(([person]) => person);
  return {
    whole: named(({ there, all }) => there === all),
    part: named(({ there, all }) => there > 0 && there < all),
    missing: named(({ there }) => there === 0),
  };
}
