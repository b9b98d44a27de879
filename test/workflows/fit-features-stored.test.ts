import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it, vi } from 'vitest';
import type { FaultPoint } from '../../activities/deps.ts';
import type { FitEnded } from '../../activities/activities.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { readProgress } from '../../infra/records/task-models/progress.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { methodIds, stagedFit } from './support/fits.ts';
import { objectNames } from './support/models.ts';
import { withWorld, type World, type WorldOptions } from './support/world.ts';

const within = (options: WorldOptions, use: (world: World, account: string) => Promise<void>): Promise<void> =>
  withWorld(connectDevServer, options, use);

const namesOf = async (world: World, { modelId }: FitRequest): Promise<string[]> =>
  (await objectNames(world)).filter((name) => name.includes(modelId));

const attempt = (world: World, request: FitRequest, number: number): Promise<FitEnded> =>
  new MockActivityEnvironment({ attempt: number }).run(world.activities.fitModel, { request, at: Date.now() });

it('a fit that ends soon stores only its model, and removes the staged signal', async () => {
  await within({}, async (world, account) => {
    const request = await stagedFit(world, account);
    const put = vi.spyOn(world.objects, 'put');
    expect((await world.jobs.runFit(request)).status).toBe(201);
    expect(put.mock.calls.map(([name]) => name)).toEqual([`models/${request.modelId}/${request.jobId}`]);
    await expect.poll(() => namesOf(world, request)).toEqual([`models/${request.modelId}/${request.jobId}`]);
  });
});

it('a fit that runs longer stores its features and removes the signal', async () => {
  let look: () => Promise<void> = async () => undefined;
  const faults = async (point: FaultPoint): Promise<void> => void (point === 'activate:before' && (await look()));
  await within({ storesAfterMs: 0, faults }, async (world, account) => {
    const request = await stagedFit(world, account);
    const { modelId, jobId } = request;
    let names: string[] = [];
    look = async () => {
      const sorted = async () => (names = (await namesOf(world, request)).toSorted());
      await expect.poll(sorted).toEqual([`fits/${modelId}/${jobId}/features`]);
    };
    expect((await world.jobs.runFit(request)).status).toBe(201);
    expect(names).toEqual([`fits/${modelId}/${jobId}/features`]);
    await expect.poll(() => namesOf(world, request)).toEqual([`models/${modelId}/${jobId}`]);
  });
});

it('a failed first attempt leaves its features and scores to the next one, and no signal', async () => {
  let trouble = true;
  const faults = (point: FaultPoint): void => {
    if (trouble && point === 'refit:before') throw new Error('The disk was full.');
  };
  await within({ faults }, async (world, account) => {
    const request = await stagedFit(world, account);
    await expect(attempt(world, request, 1)).rejects.toThrow('The disk was full.');
    trouble = false;
    const left = ['features', ...methodIds.map((id) => `score-${id}`)];
    expect((await namesOf(world, request)).toSorted()).toEqual(
      left.map((name) => `fits/${request.modelId}/${request.jobId}/${name}`).toSorted(),
    );
    expect(await attempt(world, request, 2)).toMatchObject({ outcome: { result: 'activated', status: 201 } });
  });
});

it('an attempt whose signal another one removes continues from the stored features', async () => {
  let other: (() => Promise<unknown>) | null = null;
  let isOther = false;
  const faults = async (point: FaultPoint): Promise<void> => {
    if (isOther && point === 'score:before') throw new Error('The disk was full.');
    if (point !== 'extract:before-features' || !other) return;
    const run = other;
    other = null;
    isOther = true;
    await expect(run()).rejects.toThrow('The disk was full.');
    isOther = false;
  };
  await within({ faults }, async (world, account) => {
    const request = await stagedFit(world, account);
    other = () => attempt(world, request, 1);
    expect(await attempt(world, request, 2)).toMatchObject({ outcome: { result: 'activated', status: 201 } });
    expect(other).toBeNull();
  });
});

it('heartbeats name scores only after their features are stored', async () => {
  const activates = Promise.withResolvers<void>();
  const use = async (world: World, account: string): Promise<void> => {
    const request = await stagedFit(world, account);
    const held = Promise.withResolvers<void>();
    const { put } = world.objects;
    vi.spyOn(world.objects, 'put').mockImplementation(async (name, bytes) => {
      if (name.endsWith('/features')) await held.promise;
      await put(name, bytes);
    });
    const attempt = new MockActivityEnvironment();
    const named: unknown[] = [];
    attempt.on('heartbeat', (told?: { ended: unknown[] }) => named.push(...(told?.ended ?? [])));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const fit: Promise<FitEnded> = attempt.run(world.activities.fitModel, { request, at: Date.now() });
      const scored = async () =>
        (await readProgress(world.db.pool, request.jobId)).filter(({ status }) => status === 'scored').length;
      await vi.waitUntil(async () => (await scored()) === request.candidates.length, { timeout: 60_000 });
      for (let tick = 0; tick < 3; tick++) {
        vi.advanceTimersByTime(2_000);
        await sleep(50);
      }
      expect(named).toEqual([]);
      held.resolve();
      await vi.waitUntil(async () => {
        vi.advanceTimersByTime(2_000);
        await sleep(50);
        return named.length > 0;
      }, 10_000);
      activates.resolve();
      expect((await fit).outcome).toEqual({ result: 'activated', status: 201 });
    } finally {
      held.resolve();
      activates.resolve();
      vi.useRealTimers();
    }
  };
  const faults = (point: FaultPoint) => (point === 'activate:before' ? activates.promise : undefined);
  await within({ storesAfterMs: 0, faults }, use);
});
