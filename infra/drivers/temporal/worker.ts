import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { activitiesAtOnce, heavyQueueOf, temporalNames, type WorkerTasks } from '../../contract/workflow-names.ts';
import { silentLog, type Log } from '../../observe/log.ts';
import { ConfigError } from '../config.ts';
import { followFiles } from '../follow-files.ts';
import { workflowBundle } from './bundle.ts';
import { createTemporalClient, plain, type TemporalServer } from './client.ts';
import { dataConverterOf } from './data-converter.ts';
import { deploymentName } from './deployments.ts';
import { measureWorker, workerObservers } from './observed.ts';
import { installRuntime } from './runtime.ts';
import { ensureSchedules } from './schedules.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { readSecurity, securityFiles } from './security.ts';
import { followBuild, whenDrained } from './build-status.ts';

export interface WorkerOptions extends TemporalServer {
  /** `createActivities(deps)`. */
  readonly activities: object;
  /** Folder for the bundled workflows. */
  readonly cacheDir: string;
  /** Folder whose `index.ts` exports the workflows. */
  readonly workflows: URL;
  readonly taskQueue?: string;
  /** What it takes on. Default all. */
  readonly tasks?: WorkerTasks;
  /** Its build, which it makes the current one where it is new; null or absent: it belongs to none. */
  readonly build?: string | null;
  /** Whether to create the schedules of the reconciler. Default true. */
  readonly schedules?: boolean;
  /** Tasks are taken once it has resolved; absent: at once. */
  readonly mayPoll?: Promise<unknown>;
  readonly log?: Log;
}

export interface WorkerProcess {
  /** Ends when `shutdown` was called and running activities ended; rejects when the worker cannot run at all. */
  readonly done: Promise<void>;
  /**
   * Why it is of no use yet, in words; null where it polls and its build is the current one, so that workers of the
   * former build may end, or was the current one before.
   */
  readonly unready: string | null;
  /** Waits, where new workflows go to another build, until those that can end with this build alone have ended. */
  drain(): Promise<void>;
  shutdown(): Promise<void>;
}

const shutdownGraceTime = '20 seconds';
/** An activity hears that it is cancelled with its next heartbeat, which the SDK would keep back for 8 seconds. */
const heartbeatThrottle = '2 seconds';
const pauses = { first: 1_000, most: 10_000 };

type Queue = 'light' | 'heavy';
const queuesOf: Readonly<Record<WorkerTasks, readonly Queue[]>> = {
  all: ['light', 'heavy'],
  light: ['light'],
  heavy: ['heavy'],
};

/**
 * Starts a worker and keeps it running: it waits for a Temporal server that is away and connects again after a fault.
 * Resolves when it polls, or will as soon as it may; throws a ConfigError where the server refuses it for good.
 */
export async function createWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { security = plain, build = null, tasks = 'all', log = silentLog } = options;
  installRuntime(log);
  const bundle = await workflowBundle(options.cacheDir, options.workflows);
  const temporal = createTemporalClient(options);
  const stopping = new AbortController();
  const stopAsked = Promise.withResolvers<void>();
  let workers: readonly Worker[] = [];
  /** What `workers` speak over. */
  let liveConnection: NativeConnection | null = null;

  const connect = () => NativeConnection.connect({ address: options.address, ...readSecurity(security) });
  const renew = async (): Promise<void> => {
    if (workers.length === 0) return;
    const connection = await connect();
    if (workers.length === 0) return connection.close();
    for (const each of workers) each.connection = connection;
    const former = liveConnection;
    liveConnection = connection;
    await former?.close();
  };
  followFiles(securityFiles(security), renew, {
    signal: stopping.signal,
    onError: (error) => log.warn('The connection to Temporal was not renewed.', { error }),
  });

  const create = (queue: Queue, connection: NativeConnection): Promise<Worker> => {
    const usual = options.taskQueue ?? temporalNames.taskQueue;
    return Worker.create({
      connection,
      namespace: options.namespace,
      dataConverter: dataConverterOf(options.keys),
      // Each queue has every activity: what was scheduled before there were two is on the first.
      activities: options.activities,
      ...workerObservers(),
      ...(queue === 'heavy'
        ? { taskQueue: heavyQueueOf(usual) }
        : { taskQueue: usual, workflowBundle: bundle, maxCachedWorkflows: 500 }),
      ...(build !== null && {
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: { deploymentName, buildId: build },
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      }),
      shutdownGraceTime,
      maxHeartbeatThrottleInterval: heartbeatThrottle,
      maxConcurrentActivityTaskExecutions: activitiesAtOnce,
    });
  };

  const end = (): void => {
    for (const each of workers) if (each.getState() === 'RUNNING') each.shutdown();
  };

  const attempt = async (started: () => void): Promise<void> => {
    await prepare(options, temporal.client, log);
    const connection = (liveConnection = await connect());
    let measured: readonly (() => void)[] = [];
    try {
      workers = await allOrNone(queuesOf[tasks].map((queue) => create(queue, connection)));
      measured = workers.map((each) => measureWorker(each.options.taskQueue, each));
      started();
      await Promise.race([options.mayPoll, stopAsked.promise]);
      if (stopping.signal.aborted) return;
      const runs = workers.map((each) => each.run());
      try {
        await Promise.all(runs);
      } finally {
        end();
        await Promise.allSettled(runs);
      }
    } finally {
      workers = [];
      for (const forget of measured) forget();
      await liveConnection.close().catch(() => undefined);
    }
  };

  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((started, refused) => {
    let polls = false;
    const starts = (): void => {
      polls = true;
      started();
    };
    done = (async () => {
      for (let pause = pauses.first; !stopping.signal.aborted; pause = Math.min(2 * pause, pauses.most)) {
        try {
          await attempt(starts);
          break;
        } catch (error) {
          const fault = polls ? null : permanentFault(error, options);
          if (fault) return refused(fault);
          log.warn(`The worker waits for Temporal at ${options.address}.`, { error });
          await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
        }
      }
      started();
    })();
  }).catch(async (error: unknown) => {
    await temporal.close();
    throw error;
  });
  const place = followBuild(temporal.client, build, { signal: stopping.signal, log });
  return {
    get done() {
      return done;
    },
    get unready() {
      const polls = workers.length > 0 && workers.every((each) => each.getState() === 'RUNNING');
      return polls ? place.waits : 'This process does not take tasks from Temporal yet.';
    },
    async drain() {
      if (build !== null) await whenDrained(temporal.client, build, { log });
    },
    async shutdown() {
      stopping.abort();
      stopAsked.resolve();
      end();
      await done;
      await temporal.close();
    },
  };
}

/** Workers that are made together; where one cannot be made, the others are ended before this throws. */
async function allOrNone(creating: readonly Promise<Worker>[]): Promise<Worker[]> {
  const made = await Promise.allSettled(creating);
  const workers = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (workers.length < made.length) await Promise.allSettled(workers.map(endUnused));
  return Promise.all(creating);
}

/** Only a worker that runs can be ended, and until it has ended its connection cannot be closed. */
async function endUnused(worker: Worker): Promise<void> {
  const run = worker.run();
  worker.shutdown();
  await run;
}

/** gRPC codes that trying again does not change, with the remedy. */
const refusals: Readonly<Record<number, string>> = {
  5: 'create the namespace, or set TEMPORAL_NAMESPACE to one that is there',
  7: 'see that the identity of this process (TEMPORAL_API_KEY, TEMPORAL_TLS_CERT_FILE) may use TEMPORAL_NAMESPACE',
  16: 'set TEMPORAL_API_KEY, or TEMPORAL_TLS_CERT_FILE with its key, to what the server knows',
};

function permanentFault(error: unknown, { address }: WorkerOptions): ConfigError | null {
  if (error instanceof ConfigError) return error;
  const { code, details = '' } = error as { code?: number; details?: string };
  const remedy = refusals[code ?? -1];
  return remedy === undefined
    ? null
    : new ConfigError([`Temporal at ${address} refuses the worker: ${details}: ${remedy}.`], { cause: error });
}

/** What workflows rely on in a namespace. A server without schedules (the time-skipping one) is used without them. */
async function prepare(
  { namespace, taskQueue, schedules = true }: WorkerOptions,
  client: Client,
  log: Log,
): Promise<void> {
  const added = await registerSearchAttributes(client, namespace);
  if (added.length) log.info(`Registered search attributes ${added.join(', ')}.`);
  if (schedules) await ensureSchedules(client, taskQueue);
}
