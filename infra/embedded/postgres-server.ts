import type { ChildProcess } from 'node:child_process';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './ports.ts';
import { user } from './postgres-cluster.ts';
import { spawnProgram } from './postgres-runner.ts';
import type { Runner } from './postgres-runner.ts';
import { endProcess, isServerOf } from './processes.ts';

const database = 'eeg';
const shutdown = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

export interface Cluster {
  readonly runner: Runner;
  readonly home: string;
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
}

export const dataOf = (home: string): string => join(home, 'cluster');

/** URL of the service's database, or of another one on the same server. */
export const urlOf = (port: number, password: string, name = database): string =>
  `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;

/** Signals for a fast shutdown, then harder ones. */
export async function endServer(pid: number): Promise<void> {
  if (!(await endProcess(pid, shutdown))) throw new Error(`The embedded Postgres (process ${pid}) does not end.`);
}

/** Ends a server whose owner was killed, and removes a lock file that names an unrelated process. */
export async function clearLeftovers(home: string, log: (line: string) => void): Promise<void> {
  const data = dataOf(home);
  const lock = join(data, 'postmaster.pid');
  const text = await readFile(lock, 'utf8').catch(() => null);
  if (text === null) return;
  const pid = Number(text.split('\n')[0]);
  if (pid > 1 && (await isServerOf(pid, data))) {
    log(`Stopping the Postgres server (process ${pid}) that an earlier run left behind.`);
    await endServer(pid);
  }
  await rm(lock, { force: true });
}

/**
 * Starts the server on the port `only`, or on the port of its last start, or else on a free one, and waits until it
 * answers.
 */
export async function launch(o: Cluster, only?: number): Promise<{ child: ChildProcess; port: number }> {
  const wanted = only ?? Number(await readFile(join(o.home, 'port'), 'utf8').catch(() => '0'));
  const flags = Object.entries(o.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = join(o.home, 'postgres.log');
  for (let attempt = 1; ; attempt += 1) {
    const port = only ?? (await freePort(attempt < 20 ? wanted : 0));
    const output = await open(logFile, 'w', 0o600);
    const child = spawnProgram(o.runner, 'postgres', ['-D', dataOf(o.home), '-p', String(port), ...flags], output.fd);
    await output.close();
    if (await accepts(child, port, o.password)) {
      child.unref();
      await writeFile(join(o.home, 'port'), String(port));
      return { child, port };
    }
    const said = (await readFile(logFile, 'utf8')).trim();
    const passing = /shared memory block|Address already in use|could not bind/.test(said);
    if (attempt >= 40 || !passing) throw new Error(`The embedded Postgres did not start: ${said}`);
    await sleep(250);
  }
}

async function accepts(child: ChildProcess, port: number, password: string): Promise<boolean> {
  const exit = new AbortController();
  for (const event of ['exit', 'error']) child.once(event, () => exit.abort());
  const until = Date.now() + 120_000;
  while (!exit.signal.aborted && Date.now() < until) {
    const client = new Client({ connectionString: urlOf(port, password, 'postgres'), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
      return true;
    } catch {
      await sleep(30);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  if (!exit.signal.aborted) child.kill('SIGQUIT');
  return false;
}
