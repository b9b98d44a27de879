import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createTemporalClient } from '../../infra/drivers/temporal/client.ts';
import { createJobs } from '../../api/jobs/jobs.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { cancelFit } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { stagedFit } from './support/fits.ts';
import { charges } from './support/models.ts';
import { createWorld, objectKey, type World } from './support/world.ts';

let env: TestWorkflowEnvironment;
let world: World;
let account: string;

/** Without a worker, until a test starts one. */
beforeAll(async () => {
  env = await connectDevServer();
  world = await createWorld(env, { worker: false });
  account = await world.account(10_000_000n);
});
afterAll(async () => {
  await world?.stop();
  await env?.teardown();
});

/** Those of an API process that waits for little. */
const hasty = { accept: 1_000, answer: 1_000, signal: 300 };

it('without a Temporal server or a worker a fit is answered 503 in bounded time, and its job is kept', async () => {
  const away = createTemporalClient({ address: '127.0.0.1:1', namespace: 'default', keys: [objectKey] });
  const [noServer, noWorker] = [away.client, world.client].map((client) =>
    createJobs({ client, pool: world.db.pool, taskQueue: world.taskQueue, waits: hasty }),
  );
  const first = await stagedFit(world, account);
  await expect(noServer!.runFit(first)).rejects.toMatchObject({
    code: 'POOL_UNAVAILABLE',
    details: { job: 'running' },
  });
  await noServer!.refresh(first.modelId);
  expect(await noServer!.ping()).toBe(false);
  await away.close();

  const second = await stagedFit(world, account);
  expect(await noWorker!.ping()).toBe(true);
  await expect(noWorker!.runFit(second)).rejects.toMatchObject({
    code: 'POOL_UNAVAILABLE',
    retryAfterSeconds: 15,
    details: { job: 'running' },
  });

  // A caller that does not wait: the job is started, and ends without a further request.
  const [third, cancelled] = [await stagedFit(world, account), await stagedFit(world, account)];
  for (const request of [third, cancelled])
    await expect(world.jobs.runFit(request, 0)).rejects.toMatchObject({ details: { job: 'running' } });
  const error = new ApiError('CLASSIFIER_FIT_FAILED', 'Cancelled.', { details: { cancelled: true } });
  expect((await cancelFit(world.db.pool, cancelled, new Date(), error))!.status).toBe(422);
  await world.jobs.stopFit(cancelled);

  await world.startWorker();
  await vi.waitFor(async () => expect((await answerOf(world.db.pool, third.jobId))?.status).toBe(201), 60_000);
  expect(await charges(world, third.modelId, 0)).toHaveLength(2);
  expect((await world.jobs.runFit(cancelled)).status).toBe(422);
  expect(await charges(world, cancelled.modelId, 0)).toHaveLength(0);
  for (const request of [first, second]) {
    expect((await world.jobs.runFit(request)).status).toBe(201);
    expect(await charges(world, request.modelId, 0)).toHaveLength(2);
  }
  expect(await checkLedger(world.db.pool)).toMatchObject({ ok: true });
});
