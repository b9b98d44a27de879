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
import { requireTemporal } from '../versions.ts';
import { readSecurity, securityFiles } from './security.ts';
import { followBuild, whenDrained } from './build-status.ts';
import { watch } from './create-path.ts';
import { createWatchdog } from './watchdog.ts';

export interface WorkerOptions extends TemporalServer {
  /** `createActivities(deps)`. */
  readonly activities: object;
  /** Folder for the bundled workflows. */
  readonly cacheDir: string;
  /** Folder whose `index.ts` exports the workflows. */
  readonly workflows: URL;
  readonly taskQueue?: string;
  /** Kinds of work that the worker accepts. Default: all. */
  readonly tasks?: WorkerTasks;
  /** Build id of the worker. A new build becomes the current one. null or absent: no build. */
  readonly build?: string | null;
  /** Whether to create the schedules of the reconciler. Default true. */
  readonly schedules?: boolean;
  /** The worker takes tasks after it has resolved; absent: at once. */
  readonly mayPoll?: Promise<unknown>;
  /** `done` rejects after this many milliseconds in which the worker neither ran nor tried again. Default: a minute. */
  readonly longestHangMs?: number;
  /**
   * Milliseconds between two looks at the namespace: search attributes, current build, schedules. Default: a minute.
   */
  readonly checkMs?: number;
  readonly log?: Log;
}

export interface WorkerProcess {
  /**
   * Resolves after `shutdown` when running activities have ended. Rejects if the worker cannot run at all, or hangs:
   * then the process must end.
   */
  readonly done: Promise<void>;
  /**
   * Why the worker is not ready, in words. null: it polls, and its build is the current one or was current before. Then
   * workers of the former build may end.
   */
  readonly unready: string | null;
  /** If new workflows go to another build: waits until all fits that need this build have ended. */
  drain(): Promise<void>;
  shutdown(): Promise<void>;
}

const shutdownGraceTime = '20 seconds';
/**
 * Heartbeat throttle. An activity learns of its cancellation with its next heartbeat, which the SDK would delay by up
 * to 8 seconds.
 */
const heartbeatThrottle = '2 seconds';
const pauses = { first: 1_000, most: 10_000 };
/** Timeout of the calls before a worker is created. */
const prepareMs = 20_000;

type Queue = 'light' | 'heavy';
const queuesOf: Readonly<Record<WorkerTasks, readonly Queue[]>> = {
  all: ['light', 'heavy'],
  light: ['light'],
  heavy: ['heavy'],
};

/**
 * Starts a worker and keeps it running: it waits for a Temporal server that does not respond and reconnects after an
 * error. Resolves when it polls, or will poll as soon as it may. Throws a ConfigError if the server refuses it
 * permanently.
 */
export async function createWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { security = plain, build = null, tasks = 'all', log = silentLog } = options;
  installRuntime(log);
  const bundle = await workflowBundle(options.cacheDir, options.workflows);
  const temporal = createTemporalClient(options);
  const stopping = new AbortController();
  const stopAsked = Promise.withResolvers<void>();
  let workers: readonly Worker[] = [];
  /** Connection of `workers`. */
  let liveConnection: NativeConnection | null = null;
  const watchdog = createWatchdog(
    () => workers.length > 0 && workers.every((each) => each.getState() === 'RUNNING'),
    options.longestHangMs,
    stopping.signal,
  );

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
      // Each queue has every activity: tasks from before the second queue existed are on the first.
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
    watchdog.alive();
    await temporal.client.withDeadline(Date.now() + prepareMs, () => prepare(options, temporal.client, log));
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

  let loop: Promise<void> = Promise.resolve();
  await new Promise<void>((started, refused) => {
    let polls = false;
    const starts = (): void => {
      polls = true;
      started();
    };
    loop = (async () => {
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
  const place = followBuild(temporal.client, build, { signal: stopping.signal, log, everyMs: options.checkMs });
  // Another server, or a restored one, may lack what this one had.
  const kept = watch(null, () => keepPrepared(options, temporal.client, log), {
    signal: stopping.signal,
    everyMs: options.checkMs,
  });
  const done = Promise.race([loop, watchdog.hung]);
  done.catch(() => undefined);
  return {
    done,
    get unready() {
      const polls = workers.length > 0 && workers.every((each) => each.getState() === 'RUNNING');
      return polls ? (place.waits ?? kept.reason) : 'This process does not take tasks from Temporal yet.';
    },
    async drain() {
      if (build !== null) await whenDrained(temporal.client, build, { log });
    },
    async shutdown() {
      stopping.abort();
      stopAsked.resolve();
      end();
      await done.catch(() => undefined);
      await temporal.close();
    },
  };
}

/** Creates workers together; if one fails, ends the others before it throws. */
async function allOrNone(creating: readonly Promise<Worker>[]): Promise<Worker[]> {
  const made = await Promise.allSettled(creating);
  const workers = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (workers.length < made.length) await Promise.allSettled(workers.map(endUnused));
  return Promise.all(creating);
}

/**
 * Runs a worker in order to end it: only a running worker can be ended, and its connection can be closed only after
 * that.
 */
async function endUnused(worker: Worker): Promise<void> {
  const run = worker.run();
  worker.shutdown();
  await run;
}

/** gRPC codes that a retry does not change, with the remedy. */
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

/**
 * Prepares what workflows need in a namespace. A server without schedules (the time-skipping one) is used without them.
 */
async function prepare(
  { address, namespace, taskQueue, schedules = true }: WorkerOptions,
  client: Client,
  log: Log,
): Promise<void> {
  const { serverVersion } = await client.workflowService.getSystemInfo({});
  requireTemporal(serverVersion ?? '', address);
  const added = await registerSearchAttributes(client, namespace);
  if (added.length) log.info(`Registered search attributes ${added.join(', ')}.`);
  const created = schedules ? await ensureSchedules(client, taskQueue) : [];
  if (created.length) log.info(`Created the schedules ${created.join(', ')}.`);
}

/** Prepares the namespace again. Why that failed, as a sentence; null: it did not, or Temporal does not answer. */
async function keepPrepared(options: WorkerOptions, client: Client, log: Log): Promise<string | null> {
  try {
    await client.withDeadline(Date.now() + prepareMs, () => prepare(options, client, log));
    return null;
  } catch (error) {
    if (refusals[(error as { code?: number }).code ?? -1] === undefined) throw error;
    log.warn('The search attributes and schedules in Temporal could not be checked.', { error });
    return 'Temporal refuses to say whether its search attributes and schedules are there.';
  }
}
