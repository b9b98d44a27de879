import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isUnreachable } from '../../infra/drivers/postgres/errors.ts';
import { measureWorker } from '../../infra/drivers/temporal/observed.ts';
import { readDisk } from '../../infra/main/gauges.ts';
import { activities, exposition, process as measured } from '../../infra/observe/metrics.ts';

const free = async (): Promise<number[]> => (await measured.disk.get()).values.map(({ value }) => value);

test('the disk has no sample before it is measured, then that of the nearest existing folder', async () => {
  expect(await free()).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'disk-'));
  await readDisk({ dataDir: join(folder, 'none'), cacheDir: join(folder, 'not', 'yet') });
  const [ratio, ...others] = await free();
  expect(ratio).toBeGreaterThan(0);
  expect(ratio).toBeLessThanOrEqual(1);
  expect(others).toEqual([]);
  await readDisk({ dataDir: folder, cacheDir: join(folder, 'not') });
  expect(await free()).toHaveLength(1);
  await rm(folder, { recursive: true });
});

test('a worker that is no longer measured no longer polls', async () => {
  const status = { numInFlightActivities: 3, numCachedWorkflows: 5 } as never;
  const forget = measureWorker('a-queue', { getState: () => 'RUNNING', getStatus: () => status });
  const told = async (): Promise<(number | undefined)[]> => {
    await exposition();
    const all = await Promise.all([activities.polling.get(), activities.running.get(), activities.workflows.get()]);
    return all.map(({ values }) => values.find(({ labels }) => labels.queue === 'a-queue')?.value);
  };
  expect(await told()).toEqual([1, 3, 5]);
  forget();
  expect(await told()).toEqual([0, 0, 0]);
});

test('a database that fails at all its addresses is unreachable; other errors are not', () => {
  const fault = (code: string): Error => Object.assign(new Error(code), { code });
  for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNABORTED', '25006'])
    expect(isUnreachable(fault(code)), code).toBe(true);
  expect(isUnreachable(new AggregateError([fault('EADDRNOTAVAIL'), fault('ECONNREFUSED')]))).toBe(true);
  expect(isUnreachable(new AggregateError([fault('EACCES')]))).toBe(false);
  expect(isUnreachable(fault('23505'))).toBe(false);
});
