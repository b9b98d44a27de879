import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment, loadConfig } from '../../infra/drivers/config.ts';
import { exists, fetchedTool, fromPyPI } from './fetched-tool.ts';

const version = '4.32.5';
const config = fileURLToPath(new URL('./schemathesis.toml', import.meta.url));

/**
 * The program schemathesis: the one that SCHEMATHESIS names, one on PATH, or a virtual environment of the pinned
 * version from PyPI in the per-user cache folder. Null, with the reason, where Python or PyPI cannot be had.
 */
export async function findSchemathesis(): Promise<{ program: string } | { missing: string }> {
  const given = process.env.SCHEMATHESIS;
  if (given) return { program: given };
  const { path } = loadConfig();
  for (const folder of path) {
    if (await exists(join(folder, 'schemathesis'))) return { program: join(folder, 'schemathesis') };
  }
  const fetched = await fetchedTool(`schemathesis-${version}`, fromPyPI(`schemathesis==${version}`));
  return 'missing' in fetched ? fetched : { program: join(fetched.folder, 'bin', 'schemathesis') };
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
