import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnProgram } from './postgres-runner.ts';
import type { Runner } from './postgres-runner.ts';

/** Name of the server's superuser. */
export const user = 'postgres';

/** The superuser's password, made at the first start. */
export async function passwordOf(home: string): Promise<string> {
  const file = join(home, 'password');
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null && kept.length >= 32) return kept;
  const fresh = randomBytes(24).toString('hex');
  await writeFile(file, fresh, { mode: 0o600 });
  return fresh;
}

/** Locale of the service's own servers, which does not depend on the machine. Postgres has it from version 17 on. */
const builtinLocale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** Creates the cluster if there is none. An incomplete one from an interrupted start is never used. */
export async function initialise(o: {
  runner: Runner;
  home: string;
  data: string;
  quick: boolean;
  /** Arguments of `initdb` beside `--no-locale`. */
  locale?: readonly string[];
  log: (line: string) => void;
}): Promise<void> {
  if (
    await stat(join(o.data, 'PG_VERSION')).then(
      () => true,
      () => false,
    )
  )
    return;
  o.log('Creating the embedded Postgres cluster.');
  const fresh = `${o.data}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  const passwordFile = join(o.home, 'password');
  if (o.runner.uid !== undefined) {
    await chown(fresh, o.runner.uid, o.runner.gid!);
    await chown(passwordFile, o.runner.uid, o.runner.gid!);
  }
  const args = [
    `--pgdata=${fresh}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    ...(o.locale ?? builtinLocale),
    ...(o.quick ? ['--no-sync'] : []),
  ];
  const child = spawnProgram(o.runner, 'initdb', args, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    output += String(chunk);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`initdb failed (exit ${code}): ${output.trim()}`);
  await rename(fresh, o.data);
}
