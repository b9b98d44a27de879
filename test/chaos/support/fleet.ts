import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@temporalio/client';
import { createObjectStore, type ObjectStore } from '../../../infra/drivers/objects/object-store.ts';
import { createTemporalClient } from '../../../infra/drivers/temporal/client.ts';
import { isFree } from '../../../infra/embedded/ports.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { connectDevServer } from '../../support/temporal-testing.ts';
import { createMember, type Member } from './member.ts';
import { startSharedStore, type SharedStore, withEnvironment } from './shared-store.ts';

/** A fleet of real processes on one Postgres, one Temporal server and one object store. */
export interface Fleet {
  readonly apis: readonly Member[];
  readonly workers: readonly Member[];
  /** Addresses of the APIs, which they keep from start to start. */
  readonly urls: readonly string[];
  readonly database: TestDatabase;
  readonly objects: ObjectStore;
  readonly client: Client;
  /** What an operator's command is given. */
  readonly environment: Readonly<Record<string, string>>;
  readonly killStore: SharedStore['kill'];
  /** Cuts each of the fleet's connections to Postgres with this chance; returns how many. */
  cutConnections(chance: number): Promise<number>;
  stop(): Promise<void>;
}

/** A free port below those that systems give to connections, so that it is free again after a kill. */
async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(12_000 * Math.random());
    if (await isFree(port)) return port;
  }
}

/** Whether the process says so itself. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );

/** Starts the processes, in a database and a Temporal namespace of their own. */
export async function startFleet(
  sizes: { readonly apis: number; readonly workers: number },
  more: Readonly<Record<string, string>> = {},
): Promise<Fleet> {
  const namespace = `chaos-${randomBytes(6).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), 'eeg-fleet-'));
  const [env, database, store] = await Promise.all([
    connectDevServer(namespace),
    createTestDatabase(),
    startSharedStore(folder),
  ]);
  const key = randomBytes(32);
  const putBack = withEnvironment(store.env);
  const environment = {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: env.address,
    TEMPORAL_NAMESPACE: namespace,
    OBJECT_STORE_URL: store.url,
    ...store.env,
    DATA_ENCRYPTION_KEY: key.toString('hex'),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    REFERENCE_DATA_URL: pathToFileURL(join(folder, 'reference')).href,
    LOG_FORMAT: 'text',
    ...more,
  };
  const keys = [new Uint8Array(key)];
  const temporal = createTemporalClient({ address: env.address, namespace, keys });
  const members = async (main: 'api' | 'worker', count: number, portOf: string) => {
    const ports = await Promise.all(Array.from({ length: count }, lastingPort));
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    const named = urls.map((url, i) =>
      createMember(`${main} ${i + 1}`, main, { ...environment, [portOf]: String(ports[i]) }, () => isReady(url)),
    );
    return { urls, members: named };
  };
  const { urls, members: apis } = await members('api', sizes.apis, 'PORT');
  const { members: workers } = await members('worker', sizes.workers, 'WORKER_HEALTH_PORT');
  const fleet: Fleet = {
    apis,
    workers,
    urls,
    database,
    objects: createObjectStore({ url: store.url, keys }),
    client: temporal.client,
    environment,
    killStore: store.kill,
    async cutConnections(chance) {
      const { rowCount } = await database.admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
           AND random() < $1`,
        [chance],
      );
      return rowCount ?? 0;
    },
    async stop() {
      await Promise.all([...apis, ...workers].map((each) => each.stop()));
      await temporal.close();
      await env.teardown();
      await Promise.all([database.drop(), store.stop()]);
      putBack();
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    // The first that comes migrates and bundles; the others find it done.
    await Promise.all([...apis, ...workers].map((each) => each.start()));
  } catch (error) {
    await fleet.stop();
    throw error;
  }
  return fleet;
}
