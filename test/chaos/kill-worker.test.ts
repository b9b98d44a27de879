import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { someOf } from '../support/counts.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { createWorld, type World } from '../workflows/support/world.ts';
import { uncovered, workerDeaths } from './support/points.ts';
import { superviseWorker } from './support/supervised.ts';
import { onQueue, work } from './support/work.ts';

let env: TestWorkflowEnvironment;
let world: World;

beforeAll(async () => {
  env = await connectDevServer();
  world = await createWorld(env, { worker: false });
});
afterAll(async () => {
  await world?.stop();
  await env?.teardown();
});

describe('kill -9 of the worker', () => {
  it('is tried at every fault point', () => {
    expect(uncovered).toEqual([]);
  });

  describe.concurrent('after a restart the job ends, is charged once and leaves nothing behind', () => {
    const rows = someOf(workerDeaths, 4);
    it.each(rows)('$point, during a $work', { timeout: 280_000 }, async ({ point, work: kind }) => {
      const worker = await superviseWorker(world, { point, action: 'die' });
      try {
        const { end } = await work[kind].start(onQueue(world, worker.taskQueue), await world.account(10_000_000n));
        await worker.died();
        await end();
      } finally {
        await worker.stop();
      }
    });
  });

  it('leaves sound books', async () => {
    await sealLedger(world.db.pool);
    expect(await checkLedger(world.db.pool, { at: new Date() })).toMatchObject({ ok: true, problems: [] });
    expect((await world.db.pool.query('SELECT FROM fit_requests WHERE finished_at IS NULL')).rowCount).toBe(0);
  });
});
