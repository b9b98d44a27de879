import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporalNames } from '../../infra/contract/workflow-names.ts';
import { createTemporalClient, type TemporalClient } from '../../infra/drivers/temporal/client.ts';
import { whyNoCreate } from '../../infra/drivers/temporal/create-path.ts';
import { searchAttributeNames } from '../../infra/drivers/temporal/search-attributes.ts';
import { createWorker, type WorkerProcess } from '../../infra/drivers/temporal/worker.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { cacheDir, objectKey } from './support/world.ts';

const server = {
  address: process.env['TEST_TEMPORAL_ADDRESS']!,
  namespace: `path-${randomBytes(6).toString('hex')}`,
  keys: [objectKey],
};
let temporal: TemporalClient;
let worker: WorkerProcess;
beforeAll(async () => {
  await (await connectDevServer(server.namespace)).teardown();
  temporal = createTemporalClient(server);
});
afterAll(async () => {
  await worker.shutdown();
  await temporal.close();
});

const whyNot = () => whyNoCreate(temporal.client);
const setCurrent = (buildId: string) =>
  temporal.client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: server.namespace,
    deploymentName: 'eeg-task-classifier',
    buildId,
    identity: 'test',
  });

it('a create works only with workers of the current build, and search attributes and schedules come back', async () => {
  expect(await whyNot()).toContain('none takes tasks of the queue task-models');
  worker = await createWorker({
    ...server,
    build: '1.0',
    checkMs: 500,
    cacheDir,
    workflows: new URL('../../workflows/', import.meta.url),
    activities: { nothing: async () => undefined },
  });
  await expect.poll(() => worker.unready, { timeout: 60_000 }).toBe(null);
  await expect.poll(whyNot).toBe(null);

  await setCurrent('');
  expect(await whyNot()).toBe(
    'New work goes to workers without a build, and none takes tasks of the queue task-models: the workers there have ' +
      'build 1.0.',
  );
  await setCurrent('1.0');
  expect(await whyNot()).toBe(null);

  const { operatorService } = temporal.connection;
  const lost = searchAttributeNames.slice(0, 1);
  await operatorService.removeSearchAttributes({ namespace: server.namespace, searchAttributes: lost });
  await temporal.client.schedule.getHandle(temporalNames.schedules.sweep).delete();
  const found = async (): Promise<unknown> => [
    await whyNot(),
    await temporal.client.schedule
      .getHandle(temporalNames.schedules.sweep)
      .describe()
      .then(({ scheduleId }) => scheduleId),
  ];
  await expect.poll(found).toEqual([null, temporalNames.schedules.sweep]);
});
