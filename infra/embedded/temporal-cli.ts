import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, ConfigError } from '../drivers/config.ts';
import { withLock } from './lock.ts';
import type { Progress } from './progress.ts';
import { downloadPinned } from './pinned-download.ts';
import { temporalCliArchive } from './temporal-archives.ts';
import { buildTemporalCli, temporalCliVersion } from './temporal-build.ts';

const run = promisify(execFile);
/** The first that knows fairness keys. */
const oldestServer = [1, 29] as const;

export interface CliSearch {
  /** `TEMPORAL_CLI`: used or refused, never passed over. */
  readonly given: string | null;
  readonly path: readonly string[];
  /** Folder that keeps a program that was downloaded or built. */
  readonly cacheDir: string;
  readonly progress: Progress;
  readonly download?: typeof downloadPinned;
}

/**
 * Path of a Temporal CLI whose dev server can be used: `TEMPORAL_CLI`, one on `PATH`, one kept from an earlier run, the
 * published one, else one that Go builds. Runs at the same time wait for one another instead of downloading or
 * building twice.
 */
export async function findTemporalCli(search: CliSearch): Promise<string> {
  if (search.given) {
    const problem = await problemOf(search.given);
    if (problem) throw new ConfigError([`TEMPORAL_CLI names ${search.given}, which ${problem}.`]);
    return search.given;
  }
  const onPath = await firstUsable(search.path.map((folder) => join(folder, 'temporal')));
  if (onPath) return onPath;
  const kept = join(search.cacheDir, `temporal-${temporalCliVersion}`, 'temporal');
  if (await isUsable(kept)) return kept;
  const wait = (): void => search.progress.line('Another run is preparing the Temporal dev server; waiting for it.');
  return await withLock(join(search.cacheDir, 'temporal.lock'), wait, async () => {
    if (await isUsable(kept)) return kept;
    search.progress.status('Looking for the Temporal dev server');
    const archive = temporalCliArchive();
    const downloaded = archive && (await (search.download ?? downloadPinned)(archive, kept, search.progress));
    if (downloaded && (await isUsable(kept))) return kept;
    const go = await firstExecutable(search.path.map((folder) => join(folder, 'go')));
    if (!go) throw new ConfigError([remedies('Go is not installed, so it could not be built')]);
    await buildTemporalCli(go, kept, search.progress).catch((cause: unknown) => {
      throw new ConfigError([remedies(`building it failed: ${(cause as Error).message}`)], { cause });
    });
    return kept;
  });
}

function remedies(reason: string): string {
  return [
    `There is no Temporal dev server: none on PATH, the download did not work, and ${reason}. One of these helps:`,
    '  - install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on PATH, or set ' +
      'TEMPORAL_CLI to it;',
    '  - install Go 1.23 or later (https://go.dev/dl) and run this again: it builds the dev server once;',
    '  - set TEMPORAL_ADDRESS to a Temporal server that runs already.',
  ].join('\n');
}

async function firstUsable(candidates: readonly string[]): Promise<string | null> {
  for (const candidate of candidates) if (await isUsable(candidate)) return candidate;
  return null;
}

async function firstExecutable(candidates: readonly string[]): Promise<string | null> {
  for (const candidate of candidates)
    if (
      await access(candidate, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return candidate;
  return null;
}

const isUsable = async (path: string): Promise<boolean> => (await problemOf(path)) === null;

async function problemOf(path: string): Promise<string | null> {
  if (!(await firstExecutable([path]))) return 'is not a program that can be run';
  const version = await run(path, ['--version'], { timeout: 15_000, env: childEnvironment() }).then(
    ({ stdout }) => /Server (\d+)\.(\d+)/.exec(stdout),
    () => null,
  );
  if (!version) return 'does not answer `--version` as the Temporal CLI does';
  const [major, minor] = [Number(version[1]), Number(version[2])];
  const old = major < oldestServer[0] || (major === oldestServer[0] && minor < oldestServer[1]);
  return old ? `holds server ${major}.${minor}; at least ${oldestServer.join('.')} is needed` : null;
}
