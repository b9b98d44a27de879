import type { Config } from '../drivers/config.ts';
import type { Progress } from '../embedded/progress.ts';
import { openDatabase } from '../drivers/postgres/pool.ts';
import { textLog } from '../observe/log.ts';
import { startApi } from './api-part.ts';
import { openPretrained } from './encoders.ts';
import { startTracing } from './tracing.ts';
import { startServers, type Servers } from './servers.ts';
import type { Part } from './stops.ts';
import { readTransport } from './transport.ts';
import { startWorker } from './worker-part.ts';

export interface Stack extends Part {
  readonly servers: Servers;
  readonly apiUrl: string;
  /** Rejects if the worker hangs. */
  readonly done: Promise<void>;
}

/**
 * Starts the whole service in this process: servers that the environment does not name, one worker, one API. `what` is
 * the name of the command for other processes.
 */
export async function startStack(config: Config, what: string, progress: Progress): Promise<Stack> {
  await using starting = new AsyncDisposableStack();
  await readTransport(config);
  const tracing = await startTracing(config, 'eeg-stack');
  starting.defer(() => tracing.stop());
  const servers = await startServers(config, progress);
  starting.defer(() => servers.stop());
  await (await openDatabase(servers.databaseUrl, { max: 1, waiting: (line) => progress.line(line) })).end();
  const log = textLog((line) => progress.line(line), config.logLevel);
  const pretrained = await openPretrained('worker', config, log);
  starting.defer(() => pretrained.encoders.close());
  const [worker, api] = await Promise.allSettled([
    startWorker(config, servers, log, undefined, pretrained),
    startApi(config, servers, log, undefined, pretrained),
  ]);
  for (const part of [worker, api]) if (part.status === 'fulfilled') starting.defer(() => part.value.stop());
  if (worker.status === 'rejected') throw worker.reason;
  if (api.status === 'rejected') throw api.reason;
  await servers.announce(what, api.value.url);
  const parts = starting.move();
  return {
    servers,
    apiUrl: api.value.url,
    done: worker.value.done,
    async stop() {
      // Stop the API first; it may wait long for its requests.
      await worker.value.stopping();
      await parts.disposeAsync();
    },
  };
}
