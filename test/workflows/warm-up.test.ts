import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { fitWorkflowId } from '../../infra/contract/workflow-names.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { createJobs } from '../../infra/records/fit-jobs/jobs.ts';
import { refusedQueue } from '../../infra/main/rehearse.ts';
import { runForNobody } from '../../infra/drivers/temporal/warm-up.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { setUpWorld, type World } from './support/world.ts';

let world: World;
setUpWorld(connectDevServer, (made) => {
  world = made;
});

it('has a worker run workflows of models that nobody made, which end', async () => {
  const started = vi.spyOn(world.client.workflow, 'signalWithStart');
  await runForNobody(world.client, new AbortController().signal, world.taskQueue);
  const ids = started.mock.calls.map(([, { workflowId }]) => workflowId);
  started.mockRestore();
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) {
    expect(id).toMatch(/^warm-up-/);
    await expect(world.client.workflow.getHandle(id).result()).resolves.toBeUndefined();
  }
});

it('ends with the process where no worker takes them', async () => {
  const stopping = new AbortController();
  const ended = runForNobody(world.client, stopping.signal, `${world.taskQueue}-of-nobody`);
  stopping.abort();
  await expect(ended).resolves.toBeUndefined();
});

it('Temporal refuses to start the fit of a rehearsed create', async () => {
  const jobs = createJobs({ client: world.client, pool: world.db.pool, taskQueue: refusedQueue });
  const [modelId, jobId] = [`clf_${'0'.repeat(32)}`, randomUUID()];
  const source = { staged: 'staged/nothing' };
  const job = { modelId, jobId, accountId: randomUUID(), taskKind: 'motor', mode: 'live', source, candidates: [] };
  await expect(jobs.runFit(job as unknown as FitRequest)).rejects.toMatchObject({ code: 'POOL_UNAVAILABLE' });
  const handle = world.client.workflow.getHandle(fitWorkflowId(modelId, jobId));
  await expect(handle.describe()).rejects.toMatchObject({ name: 'WorkflowNotFoundError' });
});
