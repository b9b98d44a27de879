import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { findRunner } from '../../infra/embedded/postgres-runner.ts';

type Runner = Awaited<ReturnType<typeof findRunner>>;

/**
 * Writes the settings of a PgBouncer in transaction mode, which its user may read; returns their path. `database`: its
 * line under `[databases]`.
 */
export async function writePoolerSettings(
  runner: Runner,
  about: {
    readonly port: number;
    readonly user: string;
    readonly password: string;
    readonly database: string;
    readonly more: readonly string[];
  },
): Promise<string> {
  const file = async (name: string, lines: readonly string[]): Promise<string> => {
    const path = join(runner.dir, name);
    await writeFile(path, `${lines.join('\n')}\n`);
    if (runner.uid !== undefined) await chown(path, runner.uid, runner.gid!);
    return path;
  };
  const users = await file('users.txt', [`"${about.user}" "${about.password}"`]);
  return await file('pgbouncer.ini', [
    '[databases]',
    about.database,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${about.port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    ...about.more,
  ]);
}
