import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import type { FaultPoint } from '../../activities/index.ts';
import type { FitReached } from '../../activities/types.ts';
import type { Candidate } from '../../infra/contract/fit-request.ts';
import { cancelFit } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { balance } from '../../infra/records/ledger/index.ts';
import { readProgress } from '../../infra/records/task-models/index.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { stagedFit } from './support/fits.ts';
import { charges, objectNames } from './support/models.ts';
import { createWorld, withWorld, type World } from './support/world.ts';

/** A world whose activities meet trouble of the service once at the points. */
async function within(points: readonly FaultPoint[], use: (world: World, account: string) => Promise<void>) {
  const ahead = new Set(points);
  const faults = (point: FaultPoint): void => {
    if (ahead.delete(point)) throw new Error('The disk was full.');
  };
  await withWorld(connectDevServer, { faults }, async (world, account) => {
    await use(world, account);
    expect([...ahead]).toEqual([]);
  });
}

const activitiesOf = async (world: World, id: string): Promise<(string | null | undefined)[]> =>
  (await world.client.workflow.getHandle(id).fetchHistory()).events!.flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  );

it.each([
  [['score:before'], ['fitAtOnce', 'scoreCandidate', 'chooseAndRefit', 'activateModel']],
  [['activate:before-commit'], ['fitAtOnce', 'activateModel']],
  [['refit:after-model'], ['fitAtOnce']],
] as const)('after trouble at %s a fit goes on from there: %s', async (points, steps) => {
  await within(points, async (world, account) => {
    const request = await stagedFit(world, account);
    expect((await world.jobs.runFit(request)).status).toBe(201);
    expect(await charges(world, request.modelId, 0)).toHaveLength(2);
    expect((await readProgress(world.db.pool, request.jobId)).every(({ status }) => status === 'scored')).toBe(true);
    expect(await activitiesOf(world, `${request.modelId}/fit/${request.jobId}`)).toEqual(steps);
    const left = async () => (await objectNames(world)).filter((name) => name.includes(request.modelId));
    await expect.poll(left).toEqual([`models/${request.modelId}/${request.jobId}`]);
  });
});

it('where workers do not know the whole fit, as those of a former build, its steps are taken at once', async () => {
  const env = await connectDevServer();
  const world = await createWorld(env, { mock: () => ({ fitAtOnce: undefined }) as object });
  try {
    const request = await stagedFit(world, await world.account(10_000_000n));
    expect((await world.jobs.runFit(request)).status).toBe(201);
    const { events } = await world.client.workflow.getHandle(`${request.modelId}/fit/${request.jobId}`).fetchHistory();
    expect(events!.flatMap((event) => event.activityTaskStartedEventAttributes?.attempt ?? [])).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect(await activitiesOf(world, `${request.modelId}/fit/${request.jobId}`)).toEqual([
      'fitAtOnce',
      'extractFeatures',
      'scoreCandidates',
      'chooseAndRefit',
      'activateModel',
    ]);
  } finally {
    await world.stop();
    await env.teardown();
  }
});

it.each(['score:before', 'refit:before', 'activate:before'] as const)(
  'a fit that is cancelled at %s, of which its activity hears late, leaves nothing behind',
  async (at) => {
    const env = await connectDevServer();
    let atPoint: () => Promise<void> = async () => undefined;
    const world = await createWorld(env, {
      faults: async (point) => {
        if (point !== at) return;
        await atPoint();
        atPoint = async () => undefined;
      },
    });
    try {
      const request = await stagedFit(world, await world.account(10_000_000n));
      const fit = world.client.workflow.getHandle(`${request.modelId}/fit/${request.jobId}`);
      const over = Promise.withResolvers<void>();
      atPoint = async () => {
        atPoint = () => over.promise;
        await cancelFit(world.db.pool, request, new Date());
        await world.jobs.stopFit(request);
        await fit.result();
        over.resolve();
      };
      expect((await world.jobs.runFit(request)).status).toBe(502);
      await over.promise;
      expect(await charges(world, request.modelId, 0)).toEqual([]);
      await world.stopWorkers();
      expect((await objectNames(world)).filter((name) => name.includes(request.modelId))).toEqual([]);
    } finally {
      await world.stop();
      await env.teardown();
    }
  },
);

it('a model whose fit is cancelled after it was charged is hosted, and has its workflow', async () => {
  let cancel: () => Promise<unknown> = async () => undefined;
  const env = await connectDevServer();
  const world = await createWorld(env, {
    faults: async (point) => void (point === 'activate:after-commit' && (await cancel())),
  });
  try {
    const request = await stagedFit(world, await world.account(10_000_000n));
    const fit = world.client.workflow.getHandle(`${request.modelId}/fit/${request.jobId}`);
    cancel = async () => {
      await fit.cancel();
      await fit.result();
    };
    expect((await world.jobs.runFit(request)).status).toBe(201);
    expect(await fit.result()).toEqual({ result: 'activated', status: 201 });
    expect((await world.client.workflow.getHandle(request.modelId).describe()).status.name).toBe('RUNNING');
    await world.stopWorkers();
    const left = (await objectNames(world)).filter((name) => name.includes(request.modelId));
    expect(left).toEqual([`models/${request.modelId}/${request.jobId}`]);
  } finally {
    await world.stop();
    await env.teardown();
  }
});

it('a fit whose workflow an operator ends is answered, and what it goes on to make is not charged', async () => {
  let end: () => Promise<unknown> = async () => undefined;
  const env = await connectDevServer();
  const world = await createWorld(env, { faults: async (point) => void (point === 'refit:before' && (await end())) });
  try {
    const account = await world.account(10_000_000n);
    const request = await stagedFit(world, account, { key: 'k-ended' });
    const answered = Promise.withResolvers<void>();
    end = async () => {
      await world.client.workflow.getHandle(`${request.modelId}/fit/${request.jobId}`).terminate();
      await answered.promise;
    };
    const answer = await world.jobs.runFit(request).finally(() => answered.resolve());
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([502, 'BACKEND_FAILURE']);
    await world.stopWorkers();
    expect(await charges(world, request.modelId, 0)).toEqual([]);
    expect((await balance(world.db.pool, account)).held).toBe(0n);
    expect((await world.db.pool.query(`SELECT FROM idempotency_keys WHERE key = 'k-ended'`)).rowCount).toBe(0);
    expect((await objectNames(world)).filter((name) => name.includes(request.modelId))).toEqual([]);
  } finally {
    await world.stop();
    await env.teardown();
  }
});

it('an attempt takes over what the one before it scored, unless the features of that were lost', async () => {
  await within([], async (world, account) => {
    for (const stored of [true, false]) {
      const request = await stagedFit(world, account);
      const [{ id, title }] = request.candidates as [Candidate];
      const failed = { method: id, title, status: 'failed', reason: 'It was tried before.', ref: null, fault: false };
      const before = { ended: [{ ...failed, balancedAccuracy: null, seconds: null }], dropped: true };
      if (stored) await new MockActivityEnvironment().run(world.activities.extractFeatures, { request });
      const again = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: before });
      const { scores, outcome }: FitReached = await again.run(world.activities.fitAtOnce, { request, at: Date.now() });
      expect(outcome).toEqual({ result: 'activated', status: 201 });
      expect(scores.map(({ status }) => status)).toEqual([stored ? 'failed' : 'scored', 'scored', 'scored']);
    }
  });
});

it('an attempt after the one that answered finds the answer, and changes nothing', async () => {
  await within([], async (world, account) => {
    const request = await stagedFit(world, account);
    const at = Date.now();
    const attempt = (attempt: number): Promise<FitReached> =>
      new MockActivityEnvironment({ attempt }).run(world.activities.fitAtOnce, { request, at });
    expect(await attempt(1)).toMatchObject({ outcome: { result: 'activated', status: 201 }, winner: {} });
    const once = await charges(world, request.modelId, 0);
    expect(once).toHaveLength(2);
    expect(await attempt(2)).toEqual({
      dataset: null,
      scores: [],
      winner: null,
      outcome: { result: 'activated', status: 201 },
    });
    expect(await charges(world, request.modelId, 0)).toEqual(once);
  });
});
