import { execFile } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../infra/drivers/config.ts';
import { exists, fetchedTool, runTool } from '../support/fetched-tool.ts';
import { s3Program } from '../support/s3-programs.ts';

export const temporalVersion = '1.29.1';
const source = 'go.temporal.io/server';
const buildSeconds = 1_500;

/** Programs of the cluster that do not come with `npm ci`. */
export interface Programs {
  /** Folder with Temporal's `server`, `sql` and `schema`. */
  readonly temporal: string;
  readonly pgbouncer: string;
  /** Absent: the queries of the board are not run. */
  readonly prometheus: string | null;
  /** Time that was spent to build them; 0 from the second run on. */
  readonly buildSeconds: number;
}

/** Finds the programs. With `build`, Go builds those that are missing. Otherwise returns what is missing. */
export async function findPrograms(build: boolean): Promise<Programs | { readonly missing: string }> {
  const [pgbouncer, prometheus] = await Promise.all([onPath('pgbouncer'), onPath('prometheus')]);
  if (pgbouncer === null) return { missing: 'PgBouncer is not installed (apt-get install pgbouncer)' };
  const { cacheDir } = loadConfig();
  const name = `temporal-server-${temporalVersion}`;
  const built = (each: string): Promise<boolean> => exists(join(cacheDir, each, 'complete'));
  if (!build && !(await built(name))) return { missing: `Temporal ${temporalVersion} is not built (npm run drill)` };
  const from = performance.now();
  const temporal = await fetchedTool(name, buildTemporal);
  if ('missing' in temporal) return temporal;
  const s3 = await s3Program();
  if ('missing' in s3 || !s3.durable) return { missing: 'versitygw, the S3 server, is not built (npm run drill)' };
  const seconds = (performance.now() - from) / 1000;
  return { temporal: temporal.folder, pgbouncer, prometheus, buildSeconds: seconds < 5 ? 0 : seconds };
}

/** The server and its schema tool, with the schema files of the same version. */
async function buildTemporal(folder: string): Promise<void> {
  const packages = ['cmd/server', 'cmd/tools/sql'].map((each) => `${source}/${each}@v${temporalVersion}`);
  const env = { GOBIN: folder, CGO_ENABLED: '0' };
  await runTool('go', ['install', '-ldflags=-s -w', ...packages], { env, seconds: buildSeconds });
  const modules = (await runTool('go', ['env', 'GOMODCACHE'])).trim();
  const schema = join(modules, `${source}@v${temporalVersion}`, 'schema/postgresql/v12');
  await rm(join(folder, 'schema'), { recursive: true, force: true });
  await cp(schema, join(folder, 'schema'), { recursive: true });
}

const onPath = (program: string): Promise<string | null> =>
  promisify(execFile)('sh', ['-c', `PATH="$PATH:/usr/sbin:/sbin" command -v ${program}`]).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
