import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import { silentLog, type Log } from '../../observe/log.ts';
import { workflowBundle } from './bundle.ts';
import { createTemporalClient } from './client.ts';
import { dataConverterOf } from './data-converter.ts';
import { temporalNames } from '../../contract/workflow-names.ts';
import { measureWorker, workerObservers } from './observed.ts';
import { installRuntime } from './runtime.ts';
import { ensureSchedules } from './schedules.ts';
import { registerSearchAttributes } from './search-attributes.ts';

export interface WorkerOptions {
  readonly address: string;
  readonly namespace: string;
  /** The data encryption keys, the newest first. */
  readonly keys: readonly Uint8Array[];
  /** `createActivities(deps)`. */
  readonly activities: object;
  /** Folder for the bundled workflows. */
  readonly cacheDir: string;
  /** Folder whose `index.ts` exports the workflows. */
  readonly workflows: URL;
  readonly taskQueue?: string;
  /** Activities at once; CPU work among them queues for the worker threads. */
  readonly concurrentActivities?: number;
  /** Whether to create the schedules of the reconciler. Default true. */
  readonly schedules?: boolean;
  readonly log?: Log;
}

export interface WorkerProcess {
  /** Ends when `shutdown` was called and running activities ended; rejects when the worker cannot run at all. */
  readonly done: Promise<void>;
  readonly healthy: boolean;
  shutdown(): Promise<void>;
}

const shutdownGraceTime = '20 seconds';
/** An activity hears that it is cancelled with its next heartbeat, which the SDK would keep back for 8 seconds. */
const heartbeatThrottle = '2 seconds';
const retryMs = 1_000;

/**
 * Starts a worker and keeps it running: it waits for a Temporal server that is away and connects again after a fault.
 * Resolves when it polls.
 */
export async function createWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const log = options.log ?? silentLog;
  installRuntime(log);
  const bundle = await workflowBundle(options.cacheDir, options.workflows);
  let stopping = false;
  let worker: Worker | null = null;

  const attempt = async (started: () => void): Promise<void> => {
    const connection = await NativeConnection.connect({ address: options.address });
    let forget = (): void => undefined;
    try {
      await prepare(options, log);
      worker = await Worker.create({
        connection,
        namespace: options.namespace,
        taskQueue: options.taskQueue ?? temporalNames.taskQueue,
        workflowBundle: bundle,
        dataConverter: dataConverterOf(options.keys),
        activities: options.activities,
        ...workerObservers(),
        shutdownGraceTime,
        maxHeartbeatThrottleInterval: heartbeatThrottle,
        maxConcurrentActivityTaskExecutions: options.concurrentActivities ?? 64,
        maxCachedWorkflows: 500,
      });
      forget = measureWorker(options.taskQueue ?? temporalNames.taskQueue, worker);
      const run = worker.run();
      started();
      await run;
    } finally {
      worker = null;
      forget();
      await connection.close().catch(() => undefined);
    }
  };

  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((started) => {
    done = (async () => {
      while (!stopping) {
        try {
          await attempt(started);
          stopping = true;
        } catch (error) {
          log.warn('The Temporal worker stopped and is started again.', { error });
          await sleep(retryMs);
        }
      }
      started();
    })();
  });
  return {
    get done() {
      return done;
    },
    get healthy() {
      return worker?.getState() === 'RUNNING';
    },
    async shutdown() {
      stopping = true;
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await done;
    },
  };
}

/** What workflows rely on in a namespace. A server without schedules (the time-skipping one) is used without them. */
async function prepare(
  { address, namespace, keys, taskQueue, schedules = true }: WorkerOptions,
  log: Log,
): Promise<void> {
  const { client, close } = createTemporalClient({ address, namespace, keys });
  try {
    const added = await registerSearchAttributes(client, namespace);
    if (added.length) log.info(`Registered search attributes ${added.join(', ')}.`);
    if (schedules) await ensureSchedules(client, taskQueue);
  } finally {
    await close();
  }
}
