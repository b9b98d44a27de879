import { Worker } from '@temporalio/worker';
import { afterEach, expect, it, vi } from 'vitest';
import { createWorker, type WorkerOptions } from '../../infra/drivers/temporal/worker.ts';
import { cacheDir, objectKey } from './support/world.ts';

afterEach(() => vi.restoreAllMocks());

const options: WorkerOptions = {
  address: process.env['TEST_TEMPORAL_ADDRESS']!,
  namespace: 'default',
  keys: [objectKey],
  tasks: 'heavy',
  cacheDir,
  workflows: new URL('../../workflows/', import.meta.url),
  schedules: false,
  activities: { nothing: async () => undefined },
};

it('a worker whose poll fails, and that the SDK then never ends, ends with a sentence', async () => {
  const create = Worker.create.bind(Worker);
  vi.spyOn(Worker, 'create').mockImplementationOnce(async (given) => {
    const worker = await create(given);
    vi.spyOn(worker['nativeWorker'], 'pollActivityTask').mockRejectedValueOnce(new Error('Namespace not found'));
    return worker;
  });
  const longestHangMs = 2_000;
  const worker = await createWorker({ ...options, longestHangMs, taskQueue: `ends-${crypto.randomUUID()}` });
  await expect(worker.done).rejects.toThrow(
    'The worker has neither taken tasks from Temporal nor tried again for 2 s, so this process ends.',
  );
  expect(worker.unready).toBe('This process does not take tasks from Temporal yet.');
  await worker.shutdown();
});
