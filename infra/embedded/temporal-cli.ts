import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, ConfigError } from '../drivers/config.ts';
import { withLock } from './lock.ts';
import type { Progress } from './progress.ts';
import { downloadPinned, type PinnedArchive } from './pinned-download.ts';
import { buildTemporalCli, temporalCliVersion } from './temporal-build.ts';

/** SHA-256 of the archives in the release `temporalCliVersion`, by operating system and processor. */
const archives: Readonly<Record<string, { readonly name: string; readonly sha256: string }>> = {
  'linux-x64': { name: 'linux_amd64', sha256: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d' },
  'linux-arm64': { name: 'linux_arm64', sha256: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5' },
  'darwin-x64': { name: 'darwin_amd64', sha256: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9' },
  'darwin-arm64': { name: 'darwin_arm64', sha256: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415' },
};

/** The published Temporal CLI for this machine; null: none is published. */
export function temporalCliArchive(machine = `${process.platform}-${process.arch}`): PinnedArchive | null {
  const archive = archives[machine];
  if (!archive) return null;
  const file = `temporal_cli_${temporalCliVersion.slice(1)}_${archive.name}.tar.gz`;
  const url = `https://github.com/temporalio/cli/releases/download/${temporalCliVersion}/${file}`;
  return { url, sha256: archive.sha256, member: 'temporal' };
}

const run = promisify(execFile);
/** First version that supports fairness keys. */
const oldestServer = [1, 29] as const;

export interface CliSearch {
  /** Value of `TEMPORAL_CLI`: if it is unusable, that is an error. */
  readonly given: string | null;
  readonly path: readonly string[];
  /** Cache folder of downloaded or built programs. */
  readonly cacheDir: string;
  readonly progress: Progress;
  readonly download?: typeof downloadPinned;
}

/**
 * Path of a usable Temporal CLI: `TEMPORAL_CLI`, one on `PATH`, one from an earlier run, the published one, else one
 * that Go builds. Concurrent runs wait for one another instead of downloading or building twice.
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
