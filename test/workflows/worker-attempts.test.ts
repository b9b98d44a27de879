import { NativeConnection, Worker } from '@temporalio/worker';
import { afterEach, expect, it, vi } from 'vitest';
import { createWorker } from '../../infra/drivers/temporal/worker.ts';
import { cacheDir, objectKey } from './support/world.ts';

afterEach(() => vi.restoreAllMocks());

it.each(['before', 'after'] as const)(
  'a worker whose one queue fails %s the other is created tries again, and leaves nothing of that attempt',
  async (when) => {
    const create = Worker.create.bind(Worker);
    const made = vi.spyOn(Worker, 'create');
    const opened = vi.spyOn(NativeConnection, 'connect');
    const closed = vi.spyOn(NativeConnection.prototype, 'close');
    made.mockImplementationOnce(create).mockImplementationOnce(async () => {
      if (when === 'after') await made.mock.results[0]!.value;
      throw new Error('The server was restarted.');
    });
    const worker = await createWorker({
      address: process.env['TEST_TEMPORAL_ADDRESS']!,
      namespace: 'default',
      keys: [objectKey],
      taskQueue: `attempts-${crypto.randomUUID()}`,
      cacheDir,
      workflows: new URL('../../workflows/', import.meta.url),
      schedules: false,
      activities: { nothing: async () => undefined },
    });
    await expect.poll(() => worker.unready).toBe(null);
    expect(opened).toHaveBeenCalledTimes(2);
    expect(closed.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled']);
    await worker.shutdown();
    expect(closed.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled', 'fulfilled']);
    const states = made.mock.settledResults.map(({ type, value }) => (type === 'fulfilled' ? value.getState() : type));
    expect(states).toEqual(['STOPPED', 'rejected', 'STOPPED', 'STOPPED']);
  },
);
