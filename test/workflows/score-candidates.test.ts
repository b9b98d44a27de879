import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import type { Dataset, Scored } from '../../activities/types.ts';
import { readProgress } from '../../infra/records/task-models/index.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { methodIds, stagedFit } from './support/fits.ts';
import { createWorld } from './support/world.ts';

it('scores all candidates but what the service could not, and takes over what an earlier attempt ended', async () => {
  const env = await connectDevServer();
  const reached: string[] = [];
  const world = await createWorld(env, {
    worker: false,
    faults: (point) => {
      reached.push(point);
      if (point === 'score:before' && reached.length === 4) throw new Error('The store was away.');
    },
  });
  try {
    const { activities } = world;
    const request = await stagedFit(world, await world.account(10_000_000n));
    const attempt = (heartbeatDetails?: unknown): MockActivityEnvironment =>
      new MockActivityEnvironment({ heartbeatDetails });
    const dataset: Dataset = await attempt().run(activities.extractFeatures, { request });
    expect(reached).toHaveLength(3);

    const first: readonly Scored[] = await attempt().run(activities.scoreCandidates, { request, dataset });
    const [lost, ...others] = methodIds;
    expect(first.map(({ method, status }) => [method, status])).toEqual(others.map((id) => [id, 'scored']));
    const rows = await readProgress(world.db.pool, request.jobId);
    expect(Object.fromEntries(rows.map(({ method, status }) => [method, status]))).toEqual(
      Object.fromEntries(methodIds.map((id) => [id, id === lost ? 'running' : 'scored'])),
    );

    reached.length = 0;
    const second: readonly Scored[] = await attempt({ ended: first, dropped: true }).run(activities.scoreCandidates, {
      request,
      dataset,
    });
    expect(reached).toEqual(['score:before', 'score:after-stored']);
    expect(second.filter(({ method }) => method !== lost)).toEqual(first);
    expect(second.map(({ method }) => method)).toEqual(methodIds);
    expect((await readProgress(world.db.pool, request.jobId)).every(({ status }) => status === 'scored')).toBe(true);
  } finally {
    await world.stop();
    await env.teardown();
  }
});
