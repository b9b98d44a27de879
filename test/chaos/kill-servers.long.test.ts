import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { startTemporalServer, type TemporalServer } from '../../infra/embedded/temporal.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { createWorld, type World } from '../workflows/support/world.ts';
import { serverDeaths } from './support/points.ts';
import { superviseWorker } from './support/supervised.ts';
import { onQueue, work } from './support/work.ts';

const quick = { fsync: 'off', full_page_writes: 'off' };
let folder: string;
let postgres: EmbeddedPostgres;
let temporal: TemporalServer;
let env: TestWorkflowEnvironment;
let world: World;

const startTemporal = (port?: number): Promise<TemporalServer> => {
  const cli = process.env['TEMPORAL_CLI'];
  if (!cli) throw new Error('TEMPORAL_CLI is not set: the global setup of the project "stack" sets it.');
  return startTemporalServer({
    cli,
    dir: join(folder, 'temporal'),
    keep: true,
    namespace: 'default',
    port,
  });
};

/** Servers of this file's own: those of the global setup serve other files too. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-chaos-'));
  [postgres, temporal] = await Promise.all([
    startEmbeddedPostgres({ dir: join(folder, 'postgres'), settings: quick }),
    startTemporal(),
  ]);
  process.env['TEST_PG_URL'] = postgres.url;
  env = await TestWorkflowEnvironment.createFromExistingServer({ address: temporal.address });
  world = await createWorld(env, { worker: false });
});
afterAll(async () => {
  await world?.stop();
  await env?.teardown();
  await Promise.all([postgres?.stop(), temporal?.stop()]);
  if (folder) await rm(folder, { recursive: true, force: true });
});

const deaths = [
  {
    server: 'Temporal',
    async kill() {
      const { pid, port } = temporal;
      process.kill(pid, 'SIGKILL');
      await sleep(1_000);
      temporal = await startTemporal(port);
    },
  },
  {
    server: 'Postgres',
    async kill() {
      process.kill(postgres.pid, 'SIGKILL');
      await sleep(1_000);
    },
  },
];

describe('kill -9 of a server', () => {
  it.each(deaths)(
    '$server: after its restart every job ends, is charged once and leaves nothing behind',
    { timeout: 400_000 },
    async ({ kill }) => {
      const jobs = await Promise.all(
        serverDeaths.map(async ({ point, work: kind }) => {
          const worker = await superviseWorker(world, { point, action: 'wait' });
          const { end } = await work[kind].start(onQueue(world, worker.taskQueue), await world.account(10_000_000n));
          return { worker, end };
        }),
      );
      try {
        await Promise.all(jobs.map(({ worker }) => worker.reached()));
        await kill();
        await Promise.all(jobs.map(({ worker }) => worker.go()));
        await vi.waitFor(() => world.db.pool.query('SELECT 1'), { timeout: 120_000, interval: 200 });
        await Promise.all(jobs.map(({ end }) => end()));
      } finally {
        await Promise.all(jobs.map(({ worker }) => worker.stop()));
      }
      await sealLedger(world.db.pool);
      expect(await checkLedger(world.db.pool, { at: new Date() })).toMatchObject({ ok: true, problems: [] });
      expect((await world.db.pool.query('SELECT FROM fit_requests WHERE finished_at IS NULL')).rowCount).toBe(0);
    },
  );
});
