import { createActivities } from '../../activities/index.ts';
import { createActivityThreads } from '../../activities/compute/pool.ts';
import type { Config } from '../drivers/config.ts';
import type { Progress } from '../embedded/progress.ts';
import { createObjectStore } from '../drivers/objects/index.ts';
import { openDatabase } from '../drivers/postgres/index.ts';
import { createTemporalClient } from '../drivers/temporal/client.ts';
import { checksOf, openProbe } from '../drivers/checks.ts';
import { createWorker } from '../drivers/temporal/worker.ts';
import { sayCheck, watchReadiness } from '../observe/readiness.ts';
import { startHealthServer } from './health-server.ts';
import type { Addresses } from './servers.ts';
import { within, type Part } from './stops.ts';
import { sayUnservable } from './unservable.ts';

/** What a worker needs before it is of use: threads that are warm, and a Temporal server that it polls. */
export interface WorkerReady {
  readonly threads: boolean;
  readonly temporal: boolean;
}

/** One worker process's parts: database pool, worker threads, Temporal worker. */
export async function startWorker(
  config: Config,
  addresses: Addresses,
  progress: Progress,
  migrating?: (line: string) => void,
): Promise<Part & { ready(): WorkerReady }> {
  await using starting = new AsyncDisposableStack();
  const stopping = new AbortController();
  const log = (line: string): void => {
    if (!stopping.signal.aborted) progress.line(line);
  };
  const pool = await openDatabase(addresses.databaseUrl, {
    log: migrating,
    onLost: (error) => log(`A database connection was lost: ${error.message}`),
  });
  starting.defer(() => pool.end());
  await sayUnservable(pool, 'worker', log);
  const threads = createActivityThreads();
  starting.defer(() => threads.close());
  const keys = addresses.secrets.dataEncryptionKeys;
  const server = { address: addresses.temporalAddress, namespace: config.temporalNamespace, keys };
  const temporal = createTemporalClient(server);
  starting.defer(() => temporal.close());
  const objects = createObjectStore({ url: addresses.objectStoreUrl, keys });
  const probe = openProbe(addresses.databaseUrl);
  starting.defer(() => probe.end());
  let polling = (): boolean => false;
  const readiness = watchReadiness({
    checks: checksOf({
      sql: probe,
      client: temporal.client,
      objects,
      polling: () => polling(),
      threads: () => null,
    }),
    onChange: (name, state, error) =>
      log(`${sayCheck(name, state)}${error instanceof Error ? ` (${error.message})` : ''}`),
  });
  starting.defer(() => readiness.close());
  if (config.workerHealthPort !== null) {
    const health = await startHealthServer({ host: config.host, port: config.workerHealthPort }, { readiness });
    starting.defer(() => health.stop());
    log(`Worker health ${health.url}`);
  }
  const worker = await createWorker({
    ...server,
    cacheDir: config.cacheDir,
    workflows: new URL('../../workflows/', import.meta.url),
    log,
    activities: createActivities({
      pool,
      objects,
      threads,
      client: temporal.client,
      reference: { url: config.referenceDataUrl, cacheDir: config.cacheDir },
      log,
    }),
  });
  polling = () => worker.healthy;
  starting.defer(() => {
    readiness.drain();
    stopping.abort();
    return within(25, worker.shutdown());
  });
  const parts = starting.move();
  return {
    ready: () => ({ threads: threads.warm, temporal: worker.healthy }),
    stop: () => parts.disposeAsync(),
  };
}
