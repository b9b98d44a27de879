import { expect, it, vi } from 'vitest';
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
