import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll } from 'vitest';
import { createActivities } from '../../../activities/create-activities.ts';
import { createActivityThreads } from '../../../activities/compute/pool.ts';
import type { ActivityDeps, ReferenceOptions } from '../../../activities/deps.ts';
import type { Activities } from '../../../activities/activities.ts';
import { createAccount } from '../../../infra/records/accounts/accounts.ts';
import { credit } from '../../../infra/records/ledger/credit.ts';
import { createObjectStore, type ObjectStore } from '../../../infra/drivers/objects/object-store.ts';
import { createTemporalClient } from '../../../infra/drivers/temporal/client.ts';
import { createJobs, type Jobs, type JobsOptions } from '../../../api/jobs/jobs.ts';
import { silentLog } from '../../../infra/observe/log.ts';
import { installRuntime } from '../../../infra/drivers/temporal/runtime.ts';
import { createWorker, type WorkerProcess } from '../../../infra/drivers/temporal/worker.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { passwordHash } from '../../support/password-hash.ts';

export interface World {
  readonly env: TestWorkflowEnvironment;
  readonly client: Client;
  readonly db: TestDatabase;
  readonly objects: ObjectStore;
  readonly jobs: Jobs;
  readonly activities: Activities;
  readonly taskQueue: string;
  readonly folder: string;
  readonly reference: ReferenceOptions;
  /** Milliseconds of the Temporal server's clock. */
  now(): Promise<number>;
  startWorker(): Promise<WorkerProcess>;
  /** Resolves when the activities that ran have ended. */
  stopWorkers(): Promise<void>;
  account(creditMicroUsd?: bigint): Promise<string>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  /** Replaces some of the real activities. */
  readonly mock?: (real: Activities) => Partial<Activities>;
  /** Replaces the threads of the activities. */
  readonly threads?: (real: ActivityDeps['threads']) => ActivityDeps['threads'];
  readonly faults?: ActivityDeps['faults'];
  readonly storesAfterMs?: ActivityDeps['storesAfterMs'];
  readonly waits?: JobsOptions['waits'];
  readonly worker?: boolean;
  /** Where reference recordings come from; absent: an empty folder. */
  readonly reference?: (folder: string) => ReferenceOptions;
}

const noReference = (folder: string): ReferenceOptions => ({
  url: pathToFileURL(join(folder, 'reference')).href,
  cacheDir: join(folder, 'cache'),
});

export const objectKey = new Uint8Array(32).fill(7);
installRuntime(silentLog);

/** Kept between runs: the bundle is named by its content. */
export const cacheDir = join(tmpdir(), 'eeg-test-bundles');

/**
 * Real Postgres, a real object store in a temporary folder, and a worker with the real activities, on the environment's
 * Temporal server.
 */
export async function createWorld(env: TestWorkflowEnvironment, options: WorldOptions = {}): Promise<World> {
  const { mock, faults, storesAfterMs, waits, worker = true, reference: referenceOf = noReference } = options;
  const folder = await mkdtemp(join(tmpdir(), 'eeg-world-'));
  const db = await createTestDatabase();
  const objects = createObjectStore({ url: pathToFileURL(join(folder, 'objects')).href, keys: [objectKey] });
  const taskQueue = `test-${crypto.randomUUID()}`;
  const namespace = env.namespace ?? 'default';
  const temporal = createTemporalClient({ address: env.address, namespace, keys: [objectKey] });
  const threads = createActivityThreads(2);
  const workers: WorkerProcess[] = [];
  const reference = referenceOf(folder);
  const real = createActivities({
    pool: db.pool,
    objects,
    threads: options.threads?.(threads) ?? threads,
    client: temporal.client,
    taskQueue,
    reference,
    faults,
    storesAfterMs,
    // The database's clock does not skip.
    ...(env.supportsTimeSkipping && { clock: async (ms: number) => new Date(ms) }),
  });
  const world: World = {
    env,
    db,
    objects,
    taskQueue,
    folder,
    reference,
    activities: real,
    client: temporal.client,
    jobs: createJobs({ client: temporal.client, pool: db.pool, taskQueue, waits }),
    now: async () => env.currentTimeMs(),
    async startWorker() {
      const started = await createWorker({
        address: env.address,
        namespace,
        keys: [objectKey],
        taskQueue,
        cacheDir,
        workflows: new URL('../../../workflows/', import.meta.url),
        schedules: false,
        activities: { ...real, ...mock?.(real) },
      });
      workers.push(started);
      return started;
    },
    async stopWorkers() {
      await Promise.all(workers.splice(0).map((each) => each.shutdown()));
    },
    async account(amount = 0n) {
      const at = new Date();
      const hash = await passwordHash();
      const { id } = await createAccount(db.pool, {
        email: `${crypto.randomUUID()}@example.org`,
        passwordHash: hash,
        acceptTerms: true,
        at,
      });
      if (amount > 0n) await credit(db.pool, { accountId: id, amount, source: 'operator', at });
      return id;
    },
    async stop() {
      await world.stopWorkers();
      await Promise.all([threads.close(), temporal.close()]);
      await db.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  if (worker) await world.startWorker();
  return world;
}

/** Runs `use` in a world of its own, with an account that has money for creates. */
export async function withWorld(
  connect: () => Promise<TestWorkflowEnvironment>,
  options: WorldOptions,
  use: (world: World, account: string) => Promise<void>,
): Promise<void> {
  const env = await connect();
  const world = await createWorld(env, options);
  try {
    await use(world, await world.account(10_000_000n));
  } finally {
    await world.stop();
    await env.teardown();
  }
}

/**
 * The world of a test file: made before its tests, on the Temporal server that `connect` opens, and ended with that
 * server after them. `use` is given it.
 */
export function setUpWorld(
  connect: () => Promise<TestWorkflowEnvironment>,
  use: (world: World) => void | Promise<void>,
): void {
  let env: TestWorkflowEnvironment | undefined;
  let world: World | undefined;
  beforeAll(async () => {
    env = await connect();
    world = await createWorld(env);
    await use(world);
  });
  afterAll(async () => {
    await world?.stop();
    await env?.teardown();
  });
}
