import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, open, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { childEnvironment } from '../drivers/config.ts';
import { findProcesses } from './find-processes.ts';
import { freePort } from './ports.ts';
import { endProcess } from './processes.ts';
import type { UiAddress } from './temporal-ui.ts';
import { searchAttributeNames } from '../drivers/temporal/search-attributes.ts';

export interface TemporalServerOptions {
  /** The Temporal CLI (`findTemporalCli`). */
  readonly cli: string;
  /** Folder of the log and, with `keep`, of the workflow histories. */
  readonly dir: string;
  /** Histories survive a restart; false keeps them in memory. */
  readonly keep: boolean;
  readonly namespace: string;
  /** The web interface, and the address at which its pages request decrypted payloads. Absent: no interface. */
  readonly ui?: { readonly codecUrl: string };
  /** Wanted port of the server. Default: any free one. */
  readonly port?: number;
  readonly log?: (line: string) => void;
}

export interface TemporalServer {
  readonly address: string;
  readonly port: number;
  /** Address of its web server, to which only `temporal-ui.ts` connects. */
  readonly ui: UiAddress | null;
  readonly pid: number;
  /** Settles when the server has ended for any reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const shutdown = [
  ['SIGTERM', 10_000],
  ['SIGKILL', 5_000],
] as const;

/**
 * Starts the Temporal dev server. It does not receive signals to our process group. A server that an earlier, killed
 * run left on the same folder is stopped first.
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const dir = await realpath(options.dir);
  const file = join(dir, 'temporal.db');
  for (const pid of await findProcesses(file)) {
    options.log?.(`Stopping the Temporal server (process ${pid}) that an earlier run left behind.`);
    await endProcess(pid, shutdown);
  }
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port);
    const ui = options.ui ? await hiddenAddress() : null;
    const logFile = join(dir, 'temporal.log');
    const child = await launch(options, { port, ui, logFile, file: options.keep ? file : null });
    const failure = await untilReady(child, port, options.namespace);
    if (!failure) return running(child, port, ui);
    const log = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n');
    // Another process may take the port between the check and the server's start.
    if (attempt >= 5 || !/address already in use|bind/i.test(log))
      throw new Error(`The Temporal dev server did not start: ${failure}\n${log}`);
  }
}

/**
 * An address for Temporal's web server, which does not check the Host. On Linux all of 127.0.0.0/8 is this machine: a
 * page that tries addresses by DNS rebinding does not find one of 16 million. On other systems only the port is random.
 */
async function hiddenAddress(): Promise<UiAddress> {
  const host =
    process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}` : '127.0.0.1';
  return { host, port: await freePort(0, host) };
}

/** A commit waits for one write to the disk instead of several, and is as durable. */
const kept = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=FULL'];

/** Hosts accepted by Temporal's HTTP interface; its default is any. */
const allowedHosts = ['127.0.0.1:*', 'localhost:*'];

async function launch(
  options: TemporalServerOptions,
  at: { port: number; ui: UiAddress | null; logFile: string; file: string | null },
): Promise<ChildProcess> {
  const args = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(at.port),
    '--namespace',
    options.namespace,
    '--log-level',
    'warn',
    '--dynamic-config-value',
    `frontend.httpAllowedHosts=${JSON.stringify(allowedHosts)}`,
    // Tasks of a queue are distributed by their fairness keys, which are accounts.
    '--dynamic-config-value',
    'matching.enableFairness=true',
    // Fairness applies only within one partition of a queue.
    '--dynamic-config-value',
    'matching.numTaskqueueReadPartitions=1',
    '--dynamic-config-value',
    'matching.numTaskqueueWritePartitions=1',
    ...(at.ui && options.ui
      ? ['--ui-ip', at.ui.host, '--ui-port', String(at.ui.port), '--ui-codec-endpoint', options.ui.codecUrl]
      : ['--headless']),
    ...(at.file === null ? [] : ['--db-filename', at.file, ...kept]),
    ...searchAttributeNames.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
  const log = await open(at.logFile, 'w', 0o600);
  const child = spawn(options.cli, args, {
    detached: true,
    cwd: options.dir,
    stdio: ['ignore', log.fd, log.fd],
    env: childEnvironment({ TEMPORAL_ADDRESS: undefined, TEMPORAL_NAMESPACE: undefined }),
  });
  await log.close();
  return child;
}

/** Why the namespace does not answer; null: it answers. */
async function untilReady(child: ChildProcess, port: number, namespace: string): Promise<string | null> {
  const end = new AbortController();
  child.once('error', (error) => end.abort(error.message));
  child.once('exit', (code, signal) => end.abort(`it ended with ${signal ?? `exit code ${code}`}`));
  const until = performance.now() + 60_000;
  while (!end.signal.aborted && performance.now() < until) {
    if (await answers(`127.0.0.1:${port}`, namespace)) return null;
    await sleep(50);
  }
  child.kill('SIGKILL');
  return end.signal.aborted ? String(end.signal.reason) : 'it did not answer within 60 seconds';
}

async function answers(address: string, namespace: string): Promise<boolean> {
  const connection = Connection.lazy({ address });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    const { customAttributes } = await connection.withDeadline(Date.now() + 2_000, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    return searchAttributeNames.every((name) => customAttributes?.[name] !== undefined);
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

function running(child: ChildProcess, port: number, ui: UiAddress | null): TemporalServer {
  const pid = child.pid!;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const onExit = (): void => {
    child.kill('SIGTERM');
  };
  process.once('exit', onExit);
  child.unref();
  return {
    address: `127.0.0.1:${port}`,
    port,
    ui,
    pid,
    ended: exit,
    async stop() {
      process.off('exit', onExit);
      child.ref();
      if (child.exitCode === null && child.signalCode === null) await endProcess(pid, shutdown);
    },
  };
}
