import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import type { FaultPoint } from '../../activities/index.ts';
import type { FitEnd } from '../../activities/types.ts';
import type { Candidate } from '../../infra/contract/fit-request.ts';
import { cancelFit } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { balance } from '../../infra/records/ledger/index.ts';
import { readProgress } from '../../infra/records/task-models/index.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { candidatesOf, methodIds, stagedFit, storeFeatures } from './support/fits.ts';
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

/** Attempts of each activity of a workflow. */
const attemptsOf = async (world: World, id: string): Promise<number[]> =>
  (await world.client.workflow.getHandle(id).fetchHistory()).events!.flatMap(
    (event) => event.activityTaskStartedEventAttributes?.attempt ?? [],
  );

it.each([
  'extract:before-features',
  'score:before',
  'refit:before',
  'refit:after-model',
  'activate:before',
  'activate:before-commit',
] as const)('a fit goes on with its next attempt after trouble at %s', async (point) => {
  await within([point], async (world, account) => {
    const request = await stagedFit(world, account);
    expect((await world.jobs.runFit(request)).status).toBe(201);
    expect(await charges(world, request.modelId, 0)).toHaveLength(2);
    expect((await readProgress(world.db.pool, request.jobId)).every(({ status }) => status === 'scored')).toBe(true);
    expect(await attemptsOf(world, `${request.modelId}/fit/${request.jobId}`)).toEqual([2]);
    const left = async () => (await objectNames(world)).filter((name) => name.includes(request.modelId));
    await expect.poll(left).toEqual([`models/${request.modelId}/${request.jobId}`]);
  });
});

it('a candidate that the service cannot score costs itself alone, after three attempts', async () => {
  let scored = 0;
  const [, broken] = methodIds;
  const reached: string[] = [];
  const use = async (world: World, account: string): Promise<void> => {
    const request = await stagedFit(world, account);
    const at = Date.now();
    let heartbeatDetails: unknown;
    const attempt = async (number: number): Promise<FitEnd> => {
      const run = new MockActivityEnvironment({ attempt: number, heartbeatDetails });
      run.on('heartbeat', (details) => (heartbeatDetails = details));
      return run.run(world.activities.fitModel, { request, at });
    };
    for (const number of [1, 2]) await expect(attempt(number)).rejects.toThrow('The thread ended.');
    const { scores, outcome } = await attempt(3);
    expect(outcome).toEqual({ result: 'activated', status: 201 });
    expect(scores.map(({ method, status, fault }) => [method, status, fault])).toEqual(
      methodIds.map((id) => [id, id === broken ? 'failed' : 'scored', id === broken]),
    );
    // The others are scored once: a later attempt takes their scores over.
    expect(scored).toBe(methodIds.length - 1 + 3);
    const { rows } = await world.db.pool.query('SELECT training_report AS report FROM task_models WHERE id = $1', [
      request.modelId,
    ]);
    expect(JSON.stringify(rows[0].report)).toContain('It could not be scored on the service side: The thread ended.');
  };
  const faults = (point: FaultPoint): void => {
    reached.push(point);
    if (point !== 'score:before') return;
    scored += 1;
    // The second candidate of the first attempt, the only one of the others.
    if (scored === 2 || scored > methodIds.length) throw new Error('The thread ended.');
  };
  await withWorld(connectDevServer, { faults, worker: false }, use);
});

it('attempts that an outage ends do not count: after five others the job ends, and nothing is charged', async () => {
  let trouble: Error | null = null;
  const faults = (point: FaultPoint): void => {
    if (point === 'refit:before' && trouble) throw trouble;
  };
  await withWorld(connectDevServer, { faults, worker: false }, async (world, account) => {
    const request = await stagedFit(world, account);
    let heartbeatDetails: unknown;
    const attempt = async (number: number): Promise<FitEnd> => {
      const run = new MockActivityEnvironment({ attempt: number, heartbeatDetails });
      run.on('heartbeat', (details) => (heartbeatDetails = details));
      return run.run(world.activities.fitModel, { request, at: Date.now() });
    };
    trouble = Object.assign(new Error('The server was away.'), { code: 'ECONNREFUSED' });
    for (const number of [1, 2, 3, 4, 5, 6, 7]) await expect(attempt(number)).rejects.toThrow('The server was away.');
    expect(heartbeatDetails).toMatchObject({ outages: 7 });
    trouble = new Error('The disk was full.');
    for (const number of [8, 9, 10, 11, 12]) await expect(attempt(number)).rejects.toThrow('The disk was full.');
    await expect(attempt(13)).rejects.toMatchObject({ type: 'BACKEND_FAILURE', nonRetryable: true });
    expect(await charges(world, request.modelId, 0)).toEqual([]);
  });
});

it('averages of a failed candidate say so, and dropped candidates are tried if no other can be fitted', async () => {
  await withWorld(connectDevServer, { worker: false }, async (world, account) => {
    const gone = { id: 'no-such-method', version: '1', title: 'Gone', family: 'gone' };
    const average = { ...gone, id: 'average', title: 'Average', members: ['no-such-method'] };
    const request = { ...(await stagedFit(world, account)), candidates: [gone, average] };
    const run = (details?: object): Promise<FitEnd> =>
      new MockActivityEnvironment({ heartbeatDetails: details }).run(world.activities.fitModel, {
        request: details ? { ...request, candidates: [gone, ...candidatesOf(methodIds)] } : request,
        at: Date.now(),
      });
    const none = await run();
    expect(none).toMatchObject({ outcome: null, failure: { code: 'CLASSIFIER_FIT_FAILED' } });
    expect(none.scores[1]!.reason).toContain('It averages 1 methods, of which Gone failed');
    const dropped = candidatesOf(methodIds).map(({ id, title }) => ({
      method: id,
      title,
      status: 'dropped',
      reason: 'It cannot catch up.',
      balancedAccuracy: null,
      seconds: null,
      ref: null,
      fault: false,
    }));
    await storeFeatures(world, request);
    const { scores, outcome } = await run({ ended: dropped, dropped: true, doing: '', outages: 0 });
    expect(scores.map(({ status }) => status)).toEqual(['failed', 'scored', 'dropped', 'dropped']);
    expect(outcome).toEqual({ result: 'activated', status: 201 });
  });
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
      const ended = [{ ...failed, balancedAccuracy: null, seconds: null }];
      const before = { ended, dropped: true, doing: '', outages: 0 };
      if (stored) await storeFeatures(world, request);
      const again = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: before });
      const { scores, outcome }: FitEnd = await again.run(world.activities.fitModel, { request, at: Date.now() });
      expect(outcome).toEqual({ result: 'activated', status: 201 });
      expect(scores.map(({ status }) => status)).toEqual([stored ? 'failed' : 'scored', 'scored', 'scored']);
    }
  });
});

it('an attempt after the one that answered finds the answer, and changes nothing', async () => {
  await within([], async (world, account) => {
    const request = await stagedFit(world, account);
    const at = Date.now();
    const attempt = (attempt: number): Promise<FitEnd> =>
      new MockActivityEnvironment({ attempt }).run(world.activities.fitModel, { request, at });
    expect(await attempt(1)).toMatchObject({ outcome: { result: 'activated', status: 201 } });
    const once = await charges(world, request.modelId, 0);
    expect(once).toHaveLength(2);
    expect(await attempt(2)).toEqual({
      scores: [],
      title: null,
      outcome: { result: 'activated', status: 201 },
      failure: null,
    });
    expect(await charges(world, request.modelId, 0)).toEqual(once);
  });
});
