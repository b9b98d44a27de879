import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { createPool, openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { archiving } from '../chaos/support/backup.ts';
import { isReady } from '../chaos/support/fleet.ts';
import { createMember, type Member } from '../chaos/support/member.ts';
import type { S3Server } from '../support/s3-server.ts';
import { lastingPort } from './lasting-port.ts';
import { startPooler, type Pooler } from './pooler.ts';
import type { Programs } from './programs.ts';
import { namespace, startTemporalCluster, type TemporalCluster } from './temporal-server.ts';

/** The servers that the processes of the service use. */
export interface Servers {
  readonly postgres: EmbeddedPostgres;
  readonly pooler: Pooler;
  readonly temporal: TemporalCluster;
}

/** A cluster: servers, processes of the service, and what they are configured with. */
export interface Site extends Servers {
  readonly dir: string;
  readonly s3: S3Server;
  readonly apis: Placed[];
  readonly workers: Placed[];
  readonly environment: Readonly<Record<string, string>>;
  /** The service's database without the pooler: as the service, and as the superuser. */
  readonly pool: pg.Pool;
  readonly admin: pg.Pool;
}

/** A process of the service with its address; `tasks`: those of a worker. */
export type Placed = Member & { readonly url: string; readonly port: number; readonly tasks: string | null };

export const durable = { ...archiving, synchronous_commit: 'on', wal_compression: 'on' } as const;

/** Starts Temporal and the pooler on a Postgres server. */
export async function startServers(programs: Programs, dir: string, postgres: EmbeddedPostgres): Promise<Servers> {
  const url = new URL(postgres.url);
  const [pooler, temporal] = await Promise.all([
    startPooler(programs.pgbouncer, join(dir, 'pooler'), url),
    startTemporalCluster(programs.temporal, join(dir, 'temporal'), url),
  ]);
  return { postgres, pooler, temporal };
}

/** The processes' settings, without those of their servers. */
export function secrets(): Readonly<Record<string, string>> {
  return {
    DATA_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    LOG_FORMAT: 'text',
    DRAIN_SECONDS: '1',
    DEPLOYMENT_BUILD: 'a',
  };
}

/** Settings of a process that uses the servers; `fixed`: those of `secrets`. */
export const environmentOf = (
  { pooler, temporal }: Servers,
  s3: S3Server,
  fixed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...fixed,
  ...s3.env,
  DATABASE_URL: pooler.url,
  DATABASE_POOLER: 'transaction',
  TEMPORAL_ADDRESS: temporal.address,
  TEMPORAL_NAMESPACE: namespace,
  OBJECT_STORE_URL: s3.url,
});

/** Starts two APIs, a light and `heavy` heavy workers on the servers. */
export async function startSite(
  dir: string,
  servers: Servers,
  s3: S3Server,
  fixed: Readonly<Record<string, string>>,
  heavy: number,
): Promise<Site> {
  const environment = { ...environmentOf(servers, s3, fixed), DATA_DIR: join(dir, 'data') };
  const place = async (main: 'api' | 'worker', tasks: string | null): Promise<Placed> =>
    placed(environment, main, await lastingPort(), tasks);
  const apis = [await place('api', null), await place('api', null)];
  const tasks = ['light', ...Array.from({ length: heavy }, () => 'heavy')];
  const workers = await Promise.all(tasks.map((each) => place('worker', each)));
  await Promise.all([...apis, ...workers].map((each) => each.start()));
  const url = servers.postgres.url;
  return {
    ...servers,
    dir,
    s3,
    apis,
    workers,
    environment,
    pool: await openDatabase(url),
    admin: createPool(`${url}?options=-c%20role%3Dnone`, { max: 2 }),
  };
}

/** A process of the service that is not started yet. */
export function placed(
  environment: Readonly<Record<string, string>>,
  main: 'api' | 'worker',
  port: number,
  tasks: string | null,
  build?: { readonly name: string; readonly folder?: string },
): Placed {
  const url = `http://127.0.0.1:${port}`;
  const own = {
    ...environment,
    [main === 'api' ? 'PORT' : 'WORKER_HEALTH_PORT']: String(port),
    ...(tasks && { WORKER_TASKS: tasks }),
    ...(build && { DEPLOYMENT_BUILD: build.name }),
  };
  const member = createMember(tasks ? `${tasks} worker` : 'API', main, own, () => isReady(url), build?.folder);
  return Object.defineProperties(member, {
    url: { value: url },
    port: { value: port },
    tasks: { value: tasks },
  }) as Placed;
}

/** Ends everything at once, without order. */
export async function loseSite({ apis, workers, temporal, pooler, postgres, pool, admin }: Site): Promise<void> {
  await Promise.all([...apis, ...workers].map((each) => each.stop('SIGKILL')));
  await Promise.all([temporal.kill(), pooler.kill(), pool.end(), admin.end()]);
  await postgres.stop();
}

export const startPostgres = (dir: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dir: join(dir, 'postgres'), settings: durable });
