import { execFile } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, loadConfig } from '../../infra/drivers/config.ts';
import { withLock } from '../../infra/embedded/lock.ts';

const execute = promisify(execFile);

/** Whether there is a file. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Runs a program to its end; throws with what it wrote where it fails. */
export async function runTool(
  program: string,
  args: readonly string[],
  { cwd, env = {}, seconds = 240 }: { cwd?: string; env?: Record<string, string>; seconds?: number } = {},
): Promise<string> {
  const options = { cwd, env: childEnvironment(env), timeout: seconds * 1000, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await execute(program, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message.slice(0, 2_000)}\n${stdout.slice(-6_000)}\n${stderr.slice(-6_000)}`, { cause: error });
  }
}

export type Fetched = { readonly folder: string } | { readonly missing: string };

/**
 * A folder of the per-user cache that `install` fills once, in whichever process is first. If it fails: the reason; the
 * next call tries again.
 */
export async function fetchedTool(name: string, install: (folder: string) => Promise<void>): Promise<Fetched> {
  const { cacheDir } = loadConfig();
  const folder = join(cacheDir, name);
  const complete = join(folder, 'complete');
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  return withLock(
    `${folder}.lock`,
    () => undefined,
    async () => {
      if (await exists(complete)) return { folder };
      try {
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder);
        await install(folder);
        await writeFile(complete, '');
        return { folder };
      } catch (error) {
        return { missing: (error as Error).message.slice(0, 500) };
      }
    },
  );
}

/** Packages of PyPI in a virtual environment, whose programs are in `bin`. */
export const fromPyPI =
  (...packages: readonly string[]) =>
  async (folder: string): Promise<void> => {
    await runTool('python3', ['-m', 'venv', folder], { seconds: 60 });
    await runTool(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  };

/** Packages of npm, whose programs are in `node_modules/.bin`. */
export const fromNpm =
  (...packages: readonly string[]) =>
  async (folder: string): Promise<void> => {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await runTool('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], { cwd: folder });
  };

/** Warns that a tool is not available. */
export const warnMissing = (what: string, reason: string): void => {
  process.stderr.write(`\n*** SKIPPED: ${what} cannot be had (${reason}). It was NOT tested. ***\n`);
};
