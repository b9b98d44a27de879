import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createActivities } from '../../activities/create-activities.ts';
import { createActivityThreads } from '../../activities/compute/pool.ts';
import { warmUp } from '../../activities/compute/warm-up.ts';
import type { Config } from '../drivers/config.ts';
import { createObjectStore } from '../drivers/objects/object-store.ts';
import { observed } from '../drivers/objects/observed.ts';
import { openDatabase } from '../drivers/postgres/pool.ts';
import { createTemporalClient } from '../drivers/temporal/client.ts';
import { checksOf, openProbe } from '../drivers/checks.ts';
import { fitMemoryBytes } from '../drivers/process-memory.ts';
import { createWorker } from '../drivers/temporal/worker.ts';
import { logUntil, type Log } from '../observe/log.ts';
import { recordOperation } from '../observe/operations.ts';
import { describeCheck, watchReadiness } from '../observe/readiness.ts';
import { keepAlive } from './alive.ts';
import { openPretrained, type Pretrained } from './encoders.ts';
import { keepGauges } from './gauges.ts';
import { keepReportingWeights } from './report-weights.ts';
import { keepSealed } from './keep-sealed.ts';
import { startHealthServer } from './health-server.ts';
import { traceStatements } from '../drivers/postgres/traced.ts';
import { temporalServerOf, type Addresses } from './servers.ts';
import { within, type Part } from './stops.ts';
import { tryStore } from './try-store.ts';
import { logUnservable } from './unservable.ts';

/** Conditions of a ready worker: warm threads, and a Temporal server that it polls. */
export interface WorkerReady {
  readonly threads: boolean;
  readonly temporal: boolean;
}

/** Timeout after which a worker takes work although its threads are not warm. */
const longestWarmUpSeconds = 10;

/**
 * Starts the parts of one worker process: database pool, worker threads, Temporal worker. `shared`: as in `startApi`.
 */
export async function startWorker(
  config: Config,
  addresses: Addresses,
  said: Log,
  migrating?: (line: string) => void,
  shared?: Pretrained,
): Promise<Part & { readonly done: Promise<void>; ready(): WorkerReady; stopping(): Promise<void> }> {
  await using starting = new AsyncDisposableStack();
  const stopping = new AbortController();
  const log = logUntil(said, stopping.signal);
  const pool = await openDatabase(addresses.databaseUrl, {
    log: migrating,
    waiting: (line) => log.warn(line),
    onLost: (error) => log.warn('A database connection was lost.', { error }),
  });
  traceStatements(pool);
  starting.defer(() => pool.end());
  const alive = await keepAlive(pool, log);
  starting.defer(() => alive.stop());
  const { encoders } = shared ?? (await openPretrained('worker', config, log));
  if (!shared) starting.defer(() => encoders.close());
  await logUnservable(pool, 'worker', log);
  const threads = createActivityThreads(availableParallelism(), {
    warmUp: config.warmUp ? warmUp : [],
    compiledDir: config.compiledDir,
    services: encoders.servicesFor(),
  });
  starting.defer(() => threads.close());
  const keys = addresses.secrets.dataEncryptionKeys;
  const server = temporalServerOf(config, addresses);
  const temporal = createTemporalClient(server);
  starting.defer(() => temporal.close());
  const objects = observed(createObjectStore({ url: addresses.objectStoreUrl, keys }), recordOperation);
  await tryStore(objects, log);
  if (config.workerTasks !== 'light') {
    const weightsReports = await keepReportingWeights(pool, 'worker', log);
    starting.defer(() => weightsReports.stop());
  }
  const sealing = keepSealed(pool, log);
  starting.defer(() => sealing.stop());
  const probe = openProbe(addresses.databaseUrl);
  starting.defer(() => probe.end());
  let polling = (): string | null => 'This process does not take tasks from Temporal yet.';
  const readiness = watchReadiness({
    checks: checksOf({
      sql: probe,
      client: temporal.client,
      objects,
      work: () => polling(),
      threads: () => (threads.warm ? null : 'The threads are warming up.'),
    }),
    onChange: (name, state, error) => log.warn(describeCheck(name, state), { error }),
  });
  starting.defer(() => readiness.close());
  keepGauges({ readiness, pool, probe, folders: config }, stopping.signal);
  if (config.workerHealthPort !== null) {
    const health = await startHealthServer(config, config.workerHealthPort, readiness);
    starting.defer(() => health.stop());
    log.info(`Worker health ${health.url}`);
  }
  const mayPoll = Promise.race([threads.whenWarm, sleep(longestWarmUpSeconds * 1000, undefined, { ref: false })]);
  const worker = await createWorker({
    ...server,
    tasks: config.workerTasks,
    build: config.deploymentBuild,
    cacheDir: config.cacheDir,
    workflows: new URL('../../workflows/', import.meta.url),
    log,
    mayPoll,
    activities: createActivities({
      pool,
      objects,
      threads,
      client: temporal.client,
      reference: { url: config.referenceDataUrl, cacheDir: config.cacheDir },
      fitMemoryBytes: config.fitMemoryMebibytes === null ? fitMemoryBytes() : config.fitMemoryMebibytes * 1024 * 1024,
      log,
    }),
  });
  polling = () => worker.unready;
  starting.defer(() => {
    readiness.drain();
    stopping.abort();
    return within(25, worker.shutdown());
  });
  const parts = starting.move();
  return {
    done: worker.done,
    ready: () => ({ threads: threads.warm, temporal: worker.unready === null }),
    stopping: () => alive.stopping(),
    async stop(signal) {
      readiness.drain();
      await alive.stopping();
      if (signal === 'SIGTERM') await worker.drain();
      await parts.disposeAsync();
    },
  };
}
