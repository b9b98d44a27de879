import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadFile, type DownloadLimits } from '../../infra/downloads/download.ts';
import { FileFault } from '../../infra/downloads/fault.ts';
import { loadConfig } from '../../infra/drivers/config.ts';
import table from './public-recordings.json' with { type: 'json' };

/** A published test file of another project. Files are not part of this repository: each has its own licence. */
export interface PublicFile {
  /** `owner/name` on GitHub. */
  readonly repository: string;
  readonly commit: string;
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
}

export interface PublicRecording extends PublicFile {
  /** Electrodes of the 10-05 system that a reader finds. */
  readonly electrodes?: number;
  readonly rateHz?: number;
  readonly seconds?: number;
  /** Events that each reader finds. */
  readonly events?: { readonly python: number; readonly browser: number };
  /** The first electrode, and the root mean square of its samples about their mean in microvolts, as MNE reads them. */
  readonly first?: readonly [electrode: string, microvolts: number];
  /** Words of the error of each reader, for a file that is not a recording. */
  readonly refused?: { readonly python: string; readonly browser: string };
}

export const publicRecordings: readonly PublicRecording[] = table.sources.flatMap(({ repository, commit, files }) =>
  (files as Omit<PublicRecording, 'repository' | 'commit'>[]).map((file) => ({ ...file, repository, commit })),
);

/** The user's cache folder of these files. */
export const publicRecordingsFolder = (): string => join(loadConfig().cacheDir, 'public-recordings');

/** Where GitHub, or a mirror of the same layout (`EEG_PUBLIC_RECORDINGS_URL`), has the files. */
export const publicRecordingsBase = (): string =>
  process.env['EEG_PUBLIC_RECORDINGS_URL'] ?? 'https://raw.githubusercontent.com';

/** Path of a file below the cache folder. A changed file of the table has another path. */
export const pathBelow = ({ repository, path, sha256 }: PublicFile): string =>
  join(repository, sha256.slice(0, 16), ...path.split('/').slice(-1));

/** The bytes of a file on this machine; null if it was not fetched. */
export function readPublicFile(file: PublicFile, folder = publicRecordingsFolder()): Uint8Array | null {
  const at = join(folder, pathBelow(file));
  return existsSync(at) ? new Uint8Array(readFileSync(at)) : null;
}

/**
 * Downloads the files that are missing on this machine, and checks their hashes. Returns one sentence for each file
 * that could not be fetched.
 */
export async function fetchPublicFiles(
  files: readonly PublicFile[],
  {
    base = publicRecordingsBase(),
    folder = publicRecordingsFolder(),
    limits,
  }: { readonly base?: string; readonly folder?: string; readonly limits?: DownloadLimits } = {},
): Promise<string[]> {
  const failed: string[] = [];
  for (const file of files) {
    const target = join(folder, pathBelow(file));
    if (existsSync(target)) continue;
    const { repository, commit, path, sha256 } = file;
    const steps = [...repository.split('/'), commit, ...path.split('/')].map(encodeURIComponent);
    const url = [base.replace(/\/+$/, ''), ...steps].join('/');
    const name = `${repository}/${path}`;
    const elsewhere = 'EEG_PUBLIC_RECORDINGS_URL may name a mirror.';
    const published = { bytes: null, sha256 };
    try {
      const state = await downloadFile({ url, target, name, elsewhere, published, limits });
      if (state === 'missing') failed.push(`${name} is not at ${url}.`);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      failed.push(error.message);
    }
  }
  return failed;
}
