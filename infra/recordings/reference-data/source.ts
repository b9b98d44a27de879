import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { officialAddress, type ReferenceFile } from '../../contract/reference-data/data-sets.ts';
import type { DataSet } from '../../contract/reference-data/data-set-schema.ts';
import { downloadFile, type DownloadLimits } from '../../downloads/download.ts';
import { requireReadable } from '../../downloads/fault.ts';
import { sha256Of } from '../../downloads/published.ts';
import { folderOfFileUrl } from '../../drivers/config.ts';
import { RecordingFault } from '../fault.ts';
import { readRecording } from '../edf/read-recording.ts';
import type { Recording } from '../recording.ts';
import { asReferenceFault, ReferenceFault } from './fault.ts';

/** A recording on this machine. */
export interface LocalFile extends ReferenceFile {
  /** Absolute. */
  readonly at: string;
  /** Whether it is the published file. Other recordings come only from an operator's own folder. */
  readonly published: boolean;
  /** SHA-256 of the file, in hexadecimal. */
  readonly content: string;
}

export interface ReferenceSource {
  /** Folder or address of the recordings, for messages. */
  readonly from: string;
  /** Whether `from` is a folder of this machine. Its files are read in place, without a copy. */
  readonly inPlace: boolean;
  /** Folder of this machine for the files of the set, whether they exist or not. */
  readonly folder: string;
  /** Path of a recording on this machine, whether the file exists or not. */
  pathOf(file: ReferenceFile): string;
  /**
   * Checks the file at that path; null if there is none. Throws a ReferenceFault if it is damaged or cannot be read.
   */
  check(file: ReferenceFile, options?: ObtainOptions): Promise<LocalFile | null>;
  /**
   * Downloads a recording if it is missing, and checks it; null if the source does not have it. Throws a
   * ReferenceFault.
   */
  obtain(file: ReferenceFile, options?: ObtainOptions): Promise<LocalFile | null>;
}

export interface ObtainOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of bytes on this machine so far. */
  onSize?(bytes: number): void;
}

export interface SourceOptions {
  /** `file:` folder or address of a mirror, each file at `folder/path` of its data set; null: the official site. */
  readonly url: string | null;
  /** Folder of downloaded files. */
  readonly cacheDir: string;
  readonly limits?: DownloadLimits | undefined;
}

const elsewhere = 'The operator of the service may name a mirror or a folder in REFERENCE_DATA_URL.';

/**
 * Size limit of a file, because files are read into memory as a whole. The largest files of the data sets have a tenth
 * of this.
 */
const largestBytes = 2 ** 28;

/** Opens the source of the recordings of a data set: a folder, or a cache of downloads. */
export function openReferenceSource(set: DataSet, { url, cacheDir, limits }: SourceOptions): ReferenceSource {
  if (url !== null && /^file:/i.test(url)) return openFolder(join(folderOfFileUrl(url), set.folder));
  const addressOf = (file: ReferenceFile): string => {
    if (url === null) return officialAddress(set, file);
    const steps = [...set.folder.split('/'), ...file.path.split('/')];
    return [url.replace(/\/+$/, ''), ...steps.map(encodeURIComponent)].join('/');
  };
  const kept = join(cacheDir, 'reference', set.folder);
  const pathOf = (file: ReferenceFile): string => join(kept, file.path);
  const check: ReferenceSource['check'] = (file, options) => checkFile(pathOf(file), file, false, options);
  return {
    from: url === null ? new URL(set.address).origin : url,
    inPlace: false,
    folder: kept,
    pathOf,
    check,
    async obtain(file, { signal, onSize } = {}) {
      const at = pathOf(file);
      let size = 0;
      const before = await check(file, { signal, onSize: (bytes) => (size = bytes) }).catch((error: unknown) => {
        if (!(error instanceof ReferenceFault)) throw error;
        return null;
      });
      if (before) {
        onSize?.(size);
        return before;
      }
      const name = `${set.folder}/${file.path}`;
      const { sha256, bytes } = file;
      const state = await downloadFile({
        url: addressOf(file),
        target: at,
        name,
        elsewhere,
        published: { bytes, sha256 },
        signal,
        onSize,
        limits,
      }).catch((error: unknown) => {
        throw asReferenceFault(error);
      });
      return state === 'complete' ? { ...file, at, published: true, content: sha256 } : null;
    },
  };
}

/**
 * A folder that is read in place. It may contain the operator's own recordings in the layout of the set. A file that is
 * not the published one counts as the operator's own, unless it has the published size: then it is a damaged copy.
 */
function openFolder(folder: string): ReferenceSource {
  const pathOf = (file: ReferenceFile): string => join(folder, ...file.path.split('/'));
  const check: ReferenceSource['check'] = (file, options) => checkFile(pathOf(file), file, true, options);
  return { from: folder, inPlace: true, folder, pathOf, check, obtain: check };
}

/** `inPlace`: a file that is not the published one may be the operator's own; in a cache of downloads it is damaged. */
async function checkFile(
  at: string,
  file: ReferenceFile,
  inPlace: boolean,
  { signal, onSize }: ObtainOptions = {},
): Promise<LocalFile | null> {
  const about = await stat(at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw unreadable(at, error);
  });
  if (about === null) return null;
  try {
    requireReadable(at, about, largestBytes);
  } catch (error) {
    throw asReferenceFault(error);
  }
  const found = await sha256Of(at, signal).catch((error: NodeJS.ErrnoException) => {
    signal?.throwIfAborted();
    throw unreadable(at, error);
  });
  onSize?.(about.size);
  const published = found === file.sha256;
  if (!published && (!inPlace || about.size === file.bytes))
    throw new ReferenceFault(
      'not_the_published_file',
      `${at} is damaged: it has ${about.size} bytes and the SHA-256 ${found}, and ${file.sha256} is published.`,
    );
  return { ...file, at, published, content: found };
}

/** Reads a recording from this machine. Throws a ReferenceFault that names the file and the problem. */
export async function readLocalFile({ at }: Pick<LocalFile, 'at'>): Promise<Recording> {
  const bytes = await readFile(at).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(at, error);
  });
  try {
    return readRecording(bytes);
  } catch (error) {
    if (!(error instanceof RecordingFault)) throw error;
    throw new ReferenceFault('unreadable', `${at} cannot be read. ${error.message}`, { cause: error });
  }
}

const unreadable = (at: string, error: NodeJS.ErrnoException): ReferenceFault =>
  new ReferenceFault('unreadable', `${at} cannot be read: ${error.code ?? error.message}.`, { cause: error });
