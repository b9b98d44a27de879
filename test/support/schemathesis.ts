import { execFile } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { childEnvironment, loadConfig } from '../../infra/drivers/config.ts';
import { withLock } from '../../infra/embedded/lock.ts';

const run = promisify(execFile);
const version = '4.32.5';
const config = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * The program schemathesis: the one that SCHEMATHESIS names, one on PATH, or a virtual environment of the pinned
 * version from PyPI in the per-user cache folder. Null, with the reason, where Python or PyPI cannot be had.
 */
export async function findSchemathesis(): Promise<{ program: string } | { missing: string }> {
  const given = process.env.SCHEMATHESIS;
  if (given) return { program: given };
  const { cacheDir, path } = loadConfig();
  for (const folder of path) {
    if (await exists(join(folder, 'schemathesis'))) return { program: join(folder, 'schemathesis') };
  }
  const folder = join(cacheDir, `schemathesis-${version}`);
  const complete = join(folder, 'complete');
  const program = join(folder, 'bin', 'schemathesis');
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  return withLock(
    `${folder}.lock`,
    () => undefined,
    async () => {
      if (await exists(complete)) return { program };
      try {
        await rm(folder, { recursive: true, force: true });
        await run('python3', ['-m', 'venv', folder], { env: childEnvironment(), timeout: 60_000 });
        await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `schemathesis==${version}`], {
          env: childEnvironment(),
          timeout: 240_000,
        });
        await writeFile(complete, '');
        return { program };
      } catch (error) {
        return { missing: (error as Error).message.slice(0, 500) };
      }
    },
  );
}

export interface SchemathesisRun {
  readonly code: number;
  readonly output: string;
  /** Requests generated and checked. */
  readonly cases: number;
}

/** Runs it over the interface description at `url`, as the holder of `key`. */
export async function runSchemathesis(
  program: string,
  url: string,
  key: string,
  options: readonly string[],
): Promise<SchemathesisRun> {
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      program,
      [
        '--config-file',
        config,
        'run',
        `${url}/openapi.json`,
        '-H',
        `Authorization: Bearer ${key}`,
        '--no-color',
        ...options,
      ],
      { env: childEnvironment({ COLUMNS: '200' }), maxBuffer: 64 * 1024 * 1024, timeout: 1_100_000 },
      (error, stdout, stderr) =>
        resolve({
          code: error ? (typeof error.code === 'number' ? error.code : 1) : 0,
          output: stdout + stderr + (error && typeof error.code !== 'number' ? error.message : ''),
        }),
    );
  });
  return { code, output, cases: Number(/(\d[\d,]*) generated/.exec(output)?.[1].replaceAll(',', '') ?? 0) };
}
