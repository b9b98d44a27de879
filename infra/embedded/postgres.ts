import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepRunning, type RunningServer } from './keep-running.ts';
import { initialise, passwordOf } from './postgres-cluster.ts';
import { findRunner } from './postgres-runner.ts';
import { clearLeftovers, dataOf, endServer, launch, urlOf } from './postgres-server.ts';
import type { Cluster } from './postgres-server.ts';
import { identityOf } from './processes.ts';

export interface EmbeddedPostgres {
  /** URL of the service's database, as the server's superuser. */
  readonly url: string;
  /** Process id of the server; it changes when the server is restarted. */
  readonly pid: number;
  /** Fast shutdown: open transactions are rolled back, committed ones stay. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster, its password and its log; kept between starts. */
  readonly dir: string;
  readonly log?: (line: string) => void;
  /** Server settings, such as `fsync=off` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  // A charge locks the partitions of every month of the ledger.
  max_locks_per_transaction: '256',
  password_encryption: 'scram-sha-256',
  log_error_verbosity: 'terse',
  log_min_messages: 'warning',
};

/**
 * Starts a Postgres server on this machine, on the port of its last start or else a free one. It does not receive
 * signals to our process group, and is restarted on the same port if it is killed. Leftovers of an earlier run (a
 * server whose owner was killed, a stale lock file) are removed first. Throws if another running process uses the same
 * folder.
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
    const cluster: Cluster = { runner, home, password, settings: { ...settings, ...options.settings } };
    const server = await keepRunning<PostgresServer>('The embedded Postgres', log, async (before) => {
      if (before) await clearLeftovers(home, log);
      return await startServer(cluster, before?.port);
    });
    return {
      url: urlOf(server.first.port, password),
      get pid() {
        return server.current.pid;
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
        `The database in ${home} is in use by process ${owner.pid}. Stop that process, or set DATA_DIR to another ` +
          `folder.`,
      );
    }
  }
  await writeFile(`${file}.new`, JSON.stringify({ pid: process.pid, identity: await identityOf(process.pid) }));
  await rename(`${file}.new`, file);
  return async () => await rm(file, { force: true });
}

interface PostgresServer extends RunningServer {
  readonly port: number;
  readonly pid: number;
}

async function startServer(cluster: Cluster, port?: number): Promise<PostgresServer> {
  const launched = await launch(cluster, port);
  const { child } = launched;
  const onExit = (): void => {
    child.kill('SIGINT');
  };
  process.once('exit', onExit);
  const pid = child.pid!;
  return {
    port: launched.port,
    pid,
    ended: new Promise((resolve) => {
      child.once('exit', () => {
        process.off('exit', onExit);
        resolve();
      });
    }),
    async stop() {
      child.ref();
      if (child.exitCode === null && child.signalCode === null) await endServer(pid);
    },
  };
}
