import { randomBytes } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { createTemporalClient, type TemporalClient } from '../../infra/drivers/temporal/client.ts';
import { isDrained } from '../../infra/drivers/temporal/deployments.ts';
import { createWorker, type WorkerProcess } from '../../infra/drivers/temporal/worker.ts';
import { openAdmin } from '../support/admin.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { created, requestFor } from './support/branch-steps.ts';
import { cacheDir, objectKey } from './support/world.ts';

const server = {
  address: process.env['TEST_TEMPORAL_ADDRESS']!,
  namespace: `builds-${randomBytes(6).toString('hex')}`,
  keys: [objectKey],
};
let temporal: TemporalClient;
beforeAll(async () => {
  await (await connectDevServer(server.namespace)).teardown();
  temporal = createTemporalClient(server);
});
afterAll(() => temporal.close());

const admin = async (...argv: string[]): Promise<unknown> => {
  const clockAlone = { query: async () => ({ rows: [{ now: new Date() }] }) };
  const open = openAdmin(clockAlone as never);
  const { out, errors } = await runAdmin(argv, async () => ({
    ...(await open()),
    temporal: async () => temporal.client,
  }));
  return JSON.parse(out ?? JSON.stringify({ errors }));
};

const createOf = (build: string | null, activities: object): Promise<WorkerProcess> => {
  const workflows = new URL('../../workflows/', import.meta.url);
  return createWorker({ ...server, build, activities, cacheDir, workflows, schedules: false });
};

/** Ready when its build is the current one, or was before. */
async function startWorker(build: string, activities: object): Promise<WorkerProcess> {
  const worker = await createOf(build, activities);
  await expect.poll(() => worker.unready, { timeout: 60_000 }).toBe(null);
  return worker;
}

const fitOf = (jobId: string) =>
  temporal.client.workflow.start('fitTaskModel', {
    args: [requestFor('clf_1', jobId)],
    taskQueue: 'task-models',
    workflowId: jobId,
  });

test('a fit ends with the build that began it; fits of a lost build can be handed on', async () => {
  const begun = Promise.withResolvers<void>();
  const calls: string[] = [];
  const usual = created(calls);
  const former = await startWorker('1.0', {
    ...usual,
    async fitModel() {
      begun.resolve();
      const beats = setInterval(() => Context.current().heartbeat(), 100);
      return await Context.current().cancelled.finally(() => clearInterval(beats));
    },
  });
  const fit = await fitOf('job-1');
  await begun.promise;
  expect(await isDrained(temporal.client, '1.0')).toBe(true);

  const next = await startWorker('1.1', usual);
  expect(await admin('deployment', 'list')).toMatchObject({ current: '1.1', builds: expect.arrayContaining(['1.0']) });
  await expect.poll(() => isDrained(temporal.client, '1.0')).toBe(false);
  expect(await (await fitOf('job-2')).result()).toMatchObject({ result: 'activated' });
  await expect
    .poll(() => admin('deployment', 'list'), { timeout: 30_000 })
    .toMatchObject({ former: ['1.0'], unfinished: { '1.0': 1, '1.1': 0 } });

  await former.shutdown();
  expect((await fit.describe()).status.name).toBe('RUNNING');
  expect(await admin('deployment', 'release', '--build', '1.0')).toEqual({ build: '1.0', released: 1 });
  expect(await fit.result()).toMatchObject({ result: 'activated' });
  expect(await isDrained(temporal.client, '1.0')).toBe(true);
  expect(await admin('deployment', 'current', '--build', 'none')).toMatchObject({ errors: [expect.any(String)] });

  const again = await startWorker('1.0', usual);
  expect(await admin('deployment', 'list')).toMatchObject({ current: '1.1' });
  await expect
    .poll(() => admin('deployment', 'current', '--build', '1.0'), { timeout: 60_000 })
    .toMatchObject({ current: '1.0', former: ['1.1'] });
  await again.shutdown();
  await next.shutdown();

  const without = await createOf(null, usual);
  await expect.poll(() => without.unready, { timeout: 60_000 }).toMatch(/build 1\.0, .* no DEPLOYMENT_BUILD/);
  expect(await admin('deployment', 'current', '--none')).toMatchObject({ current: null });
  await expect.poll(() => without.unready, { timeout: 60_000 }).toBe(null);
  expect(await (await fitOf('job-3')).result()).toMatchObject({ result: 'activated' });
  await without.shutdown();
});
