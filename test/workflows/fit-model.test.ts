import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it, vi } from 'vitest';
import type { FaultPoint } from '../../activities/deps.ts';
import type { FitEnded } from '../../activities/activities.ts';
import type { Candidate } from '../../infra/contract/fit-request.ts';
import { cancelFit } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { readProgress } from '../../infra/records/task-models/progress.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { methodIds, stagedFit } from './support/fits.ts';
import { charges, objectNames } from './support/models.ts';
import { createWorld, withWorld, type World } from './support/world.ts';

/** A world whose activities fail once at the points; `reached`: the points that they passed. */
async function within(
  points: readonly FaultPoint[],
  use: (world: World, account: string, reached: readonly FaultPoint[]) => Promise<void>,
) {
  const ahead = new Set(points);
  const reached: FaultPoint[] = [];
  const faults = (point: FaultPoint): void => {
    reached.push(point);
    if (ahead.delete(point)) throw new Error('The disk was full.');
  };
  await withWorld(connectDevServer, { faults }, async (world, account) => {
    await use(world, account, reached);
    expect([...ahead]).toEqual([]);
  });
}

it.each([
  ['extract:before-features', 3],
  ['score:before', 4],
  ['refit:after-model', 3],
  ['activate:before-commit', 3],
] as const)(
  'after the service failed at %s Temporal retries the fit, which scores %i times in all',
  async (point, scored) => {
    await within([point], async (world, account, reached) => {
      const request = await stagedFit(world, account);
      expect((await world.jobs.runFit(request)).status).toBe(201);
      expect(await charges(world, request.modelId, 0)).toHaveLength(2);
      expect((await readProgress(world.db.pool, request.jobId)).every(({ status }) => status === 'scored')).toBe(true);
      expect(reached.filter((each) => each === 'score:before')).toHaveLength(scored);
      const workflow = world.client.workflow.getHandle(`${request.modelId}/fit/${request.jobId}`);
      // The answer comes from Postgres, perhaps before the history has the end of the activity.
      const attempts = async () =>
        (await workflow.fetchHistory()).events!.flatMap(
          (event) => event.activityTaskStartedEventAttributes?.attempt ?? [],
        );
      await expect.poll(attempts).toEqual([2]);
      const left = async () => (await objectNames(world)).filter((name) => name.includes(request.modelId));
      await expect.poll(left).toEqual([`models/${request.modelId}/${request.jobId}`]);
    });
  },
);

it('a candidate that the service cannot score fails alone, after three attempts', async () => {
  let scored = 0;
  const [, broken] = methodIds;
  const use = async (world: World, account: string): Promise<void> => {
    const request = await stagedFit(world, account);
    const at = Date.now();
    let heartbeatDetails: unknown;
    const attempt = async (number: number): Promise<FitEnded> => {
      const run = new MockActivityEnvironment({ attempt: number, heartbeatDetails });
      run.on('heartbeat', (details) => (heartbeatDetails = details));
      return run.run(world.activities.fitModel, { request, at });
    };
    for (const number of [1, 2]) await expect(attempt(number)).rejects.toThrow('The thread ended.');
    const { scores, outcome } = await attempt(3);
    expect(outcome).toEqual({ result: 'activated', status: 201 });
    expect(scores.map(({ method, status }) => [method, status])).toEqual(
      methodIds.map((id) => [id, id === broken ? 'failed' : 'scored']),
    );
    // The others are scored once: a later attempt takes their scores over.
    expect(scored).toBe(methodIds.length - 1 + 3);
    const { rows } = await world.db.pool.query('SELECT training_report AS report FROM task_models WHERE id = $1', [
      request.modelId,
    ]);
    expect(JSON.stringify(rows[0].report)).toContain('The service could not score it: The thread ended.');
  };
  const faults = (point: FaultPoint): void => {
    if (point !== 'score:before') return;
    scored += 1;
    // The second candidate of the first attempt, the only one of the others.
    if (scored === 2 || scored > methodIds.length) throw new Error('The thread ended.');
  };
  await withWorld(connectDevServer, { faults, worker: false }, use);
});

it('an attempt fails with its own error, even if its objects cannot be listed afterwards', async () => {
  let fail = (): void => undefined;
  const faults = (point: FaultPoint): void => {
    if (point === 'refit:before') fail();
  };
  await withWorld(connectDevServer, { faults, worker: false }, async (world, account) => {
    const request = await stagedFit(world, account);
    fail = () => {
      vi.spyOn(world.db.pool, 'query').mockImplementation(() => {
        throw Object.assign(new Error('The server was away.'), { code: 'ECONNREFUSED' });
      });
      throw new Error('The disk was full.');
    };
    const attempt = new MockActivityEnvironment().run(world.activities.fitModel, { request, at: Date.now() });
    await expect(attempt).rejects.toThrow('The disk was full.');
    vi.restoreAllMocks();
  });
});

it('attempts that an outage ends do not count: after five others the job ends, and nothing is charged', async () => {
  let trouble: Error | null = null;
  const faults = (point: FaultPoint): void => {
    if (point === 'refit:before' && trouble) throw trouble;
  };
  await withWorld(connectDevServer, { faults, worker: false }, async (world, account) => {
    const request = await stagedFit(world, account);
    let heartbeatDetails: unknown;
    const attempt = async (number: number): Promise<FitEnded> => {
      const run = new MockActivityEnvironment({ attempt: number, heartbeatDetails });
      run.on('heartbeat', (details) => (heartbeatDetails = details));
      return run.run(world.activities.fitModel, { request, at: Date.now() });
    };
    trouble = Object.assign(new Error('The server was away.'), { code: 'ECONNREFUSED' });
    for (const number of [1, 2, 3, 4]) await expect(attempt(number)).rejects.toThrow('The server was away.');
    for (const number of [5, 6, 7]) {
      vi.spyOn(world.db.pool, 'query').mockImplementation(() => {
        throw trouble;
      });
      await expect(attempt(number)).rejects.toThrow('The server was away.');
      vi.restoreAllMocks();
    }
    trouble = new Error('The disk was full.');
    for (const number of [8, 9, 10, 11, 12]) await expect(attempt(number)).rejects.toThrow('The disk was full.');
    await expect(attempt(13)).rejects.toMatchObject({ type: 'BACKEND_FAILURE', nonRetryable: true });
    expect(await charges(world, request.modelId, 0)).toEqual([]);
  });
});

it.each(['score:before', 'refit:before', 'activate:before'] as const)(
  'a fit that is cancelled at %s, with late notice to its activity, leaves nothing',
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

it('a fit whose workflow an operator ends is answered, and its later result is not charged', async () => {
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

it.each([true, false])('an attempt takes over earlier scores only with their features; stored: %s', async (stored) => {
  await within(stored ? ['score:before'] : [], async (world, account) => {
    const request = await stagedFit(world, account);
    const [{ id, title }] = request.candidates as [Candidate];
    const failed = { method: id, title, status: 'failed', reason: 'It was tried before.', ref: null };
    const before = { ended: [{ ...failed, balancedAccuracy: null, seconds: null }], dropped: true };
    const attempt = (env: MockActivityEnvironment): Promise<FitEnded> =>
      env.run(world.activities.fitModel, { request, at: Date.now() });
    if (stored) await expect(attempt(new MockActivityEnvironment())).rejects.toThrow('The disk was full.');
    const again = await attempt(new MockActivityEnvironment({ attempt: 2, heartbeatDetails: before }));
    expect(again.outcome).toEqual({ result: 'activated', status: 201 });
    expect(again.scores.map(({ status }) => status)).toEqual([stored ? 'failed' : 'scored', 'scored', 'scored']);
  });
});

it('an attempt that was considered dead does not overwrite the model of its successor', async () => {
  let other: (() => Promise<unknown>) | null = null;
  const faults = async (point: FaultPoint): Promise<void> => {
    if (point !== 'refit:before') return;
    const run = other;
    other = null;
    await run?.();
  };
  await withWorld(connectDevServer, { faults, worker: false }, async (world, account) => {
    const request = await stagedFit(world, account);
    const put = vi.spyOn(world.objects, 'put');
    const attempt = (number: number): Promise<FitEnded> =>
      new MockActivityEnvironment({ attempt: number }).run(world.activities.fitModel, { request, at: Date.now() });
    const outcome = { result: 'activated', status: 201 };
    other = async () => expect(await attempt(2)).toMatchObject({ outcome });
    expect(await attempt(1)).toMatchObject({ outcome });
    expect(put.mock.calls.filter(([name]) => name.startsWith('models/'))).toHaveLength(1);
    expect(await charges(world, request.modelId, 0)).toHaveLength(2);
  });
});

it('an attempt after the final one finds the answer, and changes nothing', async () => {
  await within([], async (world, account) => {
    const request = await stagedFit(world, account);
    const attempt = (attempt: number): Promise<FitEnded> =>
      new MockActivityEnvironment({ attempt }).run(world.activities.fitModel, { request, at: Date.now() });
    const outcome = { result: 'activated', status: 201 };
    expect(await attempt(1)).toMatchObject({ outcome, method: expect.any(String) });
    const once = await charges(world, request.modelId, 0);
    expect(once).toHaveLength(2);
    expect(await attempt(2)).toEqual({ outcome, method: null, scores: [] });
    expect(await charges(world, request.modelId, 0)).toEqual(once);
  });
});
