import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, it } from 'vitest';
import { createFitPeople } from '../../activities/reference-fits/fit-people.ts';
import type { Tools } from '../../activities/tools.ts';
import { fitKeyOf } from '../../infra/records/reference-fits/fits.ts';

const wanted = {
  set: 'eegmmidb',
  version: '1.0.0',
  task: 'eyes-open-closed',
  classes: ['eyes_open', 'eyes_closed'],
};
const held = [{ person: 'S001', ref: 'reference/S001', own: false }];
const requestOf = (seconds: number) => {
  const asked = { ...wanted, shape: { channelNames: ['O1', 'O2'], seconds, sourceRateHz: 250 } };
  return { ...asked, key: fitKeyOf(asked, held) };
};

it('loads the people of two fits at a time, however many fits are requested at once', async () => {
  let [inMemory, most, begun] = [0, 0, 0];
  const queues: (() => void)[] = [];
  const tools = {
    pool: {
      query: async (sql: string) => {
        if (sql.includes('FROM reference_people')) return { rows: held };
        return { rows: [], rowCount: 1 };
      },
    },
    objects: {
      async get() {
        begun += 1;
        inMemory += 1;
        most = Math.max(most, inMemory);
        return new Uint8Array();
      },
      put: async () => undefined,
    },
    async compute(task: string) {
      if (task === 'openPerson') return {};
      await new Promise<void>((resolve) => queues.push(resolve));
      inMemory -= 1;
      return { bytes: new Uint8Array(), pins: [], evidence: {} };
    },
    reference: { url: null, cacheDir: '/nowhere' },
    reach: async () => undefined,
    attempt: (_job: unknown, _signal: unknown, work: (failed: number) => unknown) => work(0),
  } as unknown as Tools;
  const fitPeople = createFitPeople(tools);
  const fits = [1, 2, 3].map((seconds) =>
    new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') }).run(fitPeople, {
      request: requestOf(seconds),
    }),
  );
  await expect.poll(() => queues.length).toBe(2);
  expect([begun, inMemory]).toEqual([2, 2]);
  queues.shift()!();
  await expect.poll(() => begun).toBe(3);
  await expect.poll(() => queues.length).toBe(2);
  for (const resolve of queues) resolve();
  const ready = expect.objectContaining({ status: 'ready' });
  expect(await Promise.all(fits)).toEqual([ready, ready, ready]);
  expect(most).toBe(2);
});
