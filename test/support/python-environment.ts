import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { childEnvironment } from '../../infra/drivers/config.ts';

const run = promisify(execFile);

/** Folder of the Python client. */
export const pythonClient = fileURLToPath(new URL('../../clients/python', import.meta.url));

export interface PythonEnvironment {
  /** The interpreter, which has all that the client and its tests need. */
  readonly python: string;
  /** Environment in which `eeg_task_classifier` is the package as pip installs it, its command on PATH. */
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

/**
 * Python environment of the client: its dependencies in the user's cache folder under the hash of its pyproject,
 * installed once; and the client itself, installed by pip into its own folder. Null, with a warning, if Python or its
 * package index is missing.
 */
export async function pythonEnvironment(): Promise<PythonEnvironment | null> {
  const folder = await mkdtemp(join(tmpdir(), 'eeg-python-'));
  try {
    const python = await dependencies();
    const installed = join(folder, 'package');
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-build-isolation', '--target', installed];
    await run(python, [...pip, pythonClient], { timeout: 120_000 });
    const path = [join(installed, 'bin'), childEnvironment({})['PATH']].join(delimiter);
    const env = childEnvironment({
      PYTHONPATH: installed,
      PATH: path,
      MPLBACKEND: 'Agg',
      PYTHONDONTWRITEBYTECODE: '1',
      EEG_API_KEY: undefined,
      EEG_BASE_URL: undefined,
    });
    return { python, env, remove: () => rm(folder, { recursive: true, force: true }) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const why = String((error as { stderr?: string }).stderr || error).slice(-800);
    process.stderr.write(`\nSKIPPED: the Python client, since no environment could be made for it: ${why}\n`);
    return null;
  }
}

/** The interpreter of the cached environment. */
export async function dependencies(): Promise<string> {
  const { stdout: version } = await run('python3', ['-c', 'import sys; print(*sys.version_info[:2])']);
  const [major, minor] = version.split(' ').map(Number);
  if (major < 3 || (major === 3 && minor < 10)) throw new Error(`python3 is ${major}.${minor}; 3.10 is needed.`);
  const hash = createHash('sha256').update(readFileSync(join(pythonClient, 'pyproject.toml')));
  const cache = join(childEnvironment({})['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'eeg-task-classifier');
  const venv = join(cache, `python-${hash.update(version).digest('hex').slice(0, 16)}`);
  const python = join(venv, 'bin', 'python');
  if (existsSync(join(venv, 'ready'))) return python;
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'python-making-'));
  try {
    await run('python3', ['-m', 'venv', making]);
    const own = join(making, 'bin', 'python');
    const packages = ['hatchling', `${pythonClient}[test]`];
    await run(own, ['-m', 'pip', 'install', '--quiet', ...packages], { timeout: 540_000 });
    await run(own, ['-m', 'pip', 'uninstall', '--quiet', '--yes', 'eeg-task-classifier']);
    await run(own, ['-c', `open(${JSON.stringify(join(making, 'ready'))}, 'w').close()`]);
    await rename(making, venv).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return python;
}
