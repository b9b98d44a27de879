import { Runtime } from '@temporalio/worker';
import { createActivities } from '../../activities/index.ts';
import { createActivityThreads } from '../../activities/compute/pool.ts';
import type { Config } from '../drivers/config.ts';
import type { Progress } from '../embedded/progress.ts';
import { createObjectStore } from '../drivers/objects/index.ts';
import { openDatabase } from '../drivers/postgres/index.ts';
import { createTemporalClient } from '../drivers/temporal/client.ts';
import { createWorker } from '../drivers/temporal/worker.ts';
import type { Addresses } from './servers.ts';
import { createStops, type Part } from './stops.ts';

/** One worker process's parts: database pool, worker threads, Temporal worker. */
export async function startWorker(
  config: Config,
  addresses: Addresses,
  progress: Progress,
  migrating?: (line: string) => void,
): Promise<Part> {
  const stops = createStops();
  try {
    quietRuntime(progress);
    const stopping = new AbortController();
    const log = (line: string): void => {
      if (!stopping.signal.aborted) progress.line(line);
    };
    const pool = await openDatabase(addresses.databaseUrl, {
      log: migrating,
      onLost: (error) => log(`A database connection was lost: ${error.message}`),
    });
    stops.add(() => pool.end());
    const threads = createActivityThreads();
    stops.add(() => threads.close());
    const temporal = createTemporalClient({ address: addresses.temporalAddress, namespace: config.temporalNamespace });
    stops.add(() => temporal.close());
    const objects = createObjectStore({ url: addresses.objectStoreUrl, key: addresses.secrets.dataEncryptionKey });
    const worker = await createWorker({
      address: addresses.temporalAddress,
      namespace: config.temporalNamespace,
      cacheDir: config.cacheDir,
      log,
      activities: createActivities({ pool, objects, threads, client: temporal.client, log }),
    });
    stops.add(() => {
      stopping.abort();
      return worker.shutdown();
    }, 25);
    return { stop: stops.stop };
  } catch (error) {
    await stops.stop();
    throw error;
  }
}

const installed = new WeakSet<object>();

/** The SDK's own log lines, from warnings on. */
function quietRuntime(progress: Progress): void {
  if (installed.has(Runtime)) return;
  installed.add(Runtime);
  const drop = (): void => undefined;
  const say =
    (level: string) =>
    (message: string): void =>
      progress.line(`Temporal ${level}: ${message}`);
  Runtime.install({
    logger: { log: drop, trace: drop, debug: drop, info: drop, warn: say('warning'), error: say('error') },
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
    shutdownSignals: [],
  });
}
