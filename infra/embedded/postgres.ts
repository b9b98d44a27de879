import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { initialise, passwordOf } from './postgres-cluster.ts';
import { findRunner } from './postgres-runner.ts';
import { clearLeftovers, dataOf, endServer, launch, urlOf } from './postgres-server.ts';
import type { Cluster } from './postgres-server.ts';
import { identityOf } from './processes.ts';

export interface EmbeddedPostgres {
  /** URL of the service's database, as the server's superuser. */
  readonly url: string;
  /** Of the server's main process; another one after the server had to be started again. */
  readonly pid: number;
  /** Fast shutdown: open transactions are rolled back, everything committed stays. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Where the cluster, its password and its log live; kept between starts. */
  readonly dir: string;
  readonly log?: (line: string) => void;
  /** Server settings, such as `fsync=off` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  password_encryption: 'scram-sha-256',
  log_error_verbosity: 'terse',
  log_min_messages: 'warning',
};

/**
 * Starts a real Postgres server on this machine, on the port of its last start or else a free one, out of reach of signals to our
 * process group, and starts it again on the same port should it be killed. What an earlier run left behind (a server whose owner was
 * killed, a stale lock file) is cleared first. Throws when another living process uses the same folder.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const runner = await findRunner(options.dir);
  const home = await realpath(runner.dir);
  const disown = await own(home);
  try {
    await clearLeftovers(home, log);
    const password = await passwordOf(home);
    await initialise({ runner, home, data: dataOf(home), quick: options.settings?.['fsync'] === 'off', log });
    const server = await keepRunning({ runner, home, password, settings: { ...settings, ...options.settings } }, log);
    return {
      url: urlOf(server.port, password),
      get pid() {
        return server.pid;
      },
      async stop() {
        await server.stop();
        await disown();
      },
    };
  } catch (error) {
    await disown();
    throw error;
  }
}

async function own(home: string): Promise<() => Promise<void>> {
  const file = join(home, 'owner.json');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null) {
    const owner = JSON.parse(text) as { pid: number; identity: string };
    if ((await identityOf(owner.pid)) === owner.identity) {
      throw new Error(
        `The database in ${home} is in use by process ${owner.pid}. Stop that process, or set DATA_DIR to another folder.`,
      );
    }
  }
  await writeFile(`${file}.new`, JSON.stringify({ pid: process.pid, identity: await identityOf(process.pid) }));
  await rename(`${file}.new`, file);
  return async () => await rm(file, { force: true });
}

async function keepRunning(cluster: Cluster, log: (line: string) => void) {
  let stopping = false;
  let restarting: Promise<void> = Promise.resolve();
  let current = await launch(cluster);
  const watch = (): void => {
    const { child, port } = current;
    child.once('exit', (code, signal) => {
      if (stopping) return;
      log(`The embedded Postgres ended (${signal ?? `exit ${code}`}); starting it again.`);
      restarting = restart(port).catch((error: unknown) =>
        log(`The embedded Postgres does not start again: ${(error as Error).message}`),
      );
    });
  };
  const restart = async (port: number): Promise<void> => {
    await sleep(100);
    if (stopping) return;
    await clearLeftovers(cluster.home, log);
    current = await launch(cluster, port);
    watch();
  };
  const onExit = (): void => {
    current.child.kill('SIGINT');
  };
  watch();
  process.once('exit', onExit);
  return {
    port: current.port,
    get pid(): number {
      return current.child.pid!;
    },
    async stop(): Promise<void> {
      stopping = true;
      await restarting;
      process.off('exit', onExit);
      current.child.ref();
      if (current.child.exitCode === null && current.child.signalCode === null) await endServer(current.child.pid!);
    },
  };
}
