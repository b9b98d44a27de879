import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MockActivityEnvironment } from '@temporalio/testing';
import { oldStaged, createSweep } from '../../activities/reconcile/sweep.ts';
import { createTidyObjects } from '../../activities/reconcile/tidy-objects.ts';
import type { Tools } from '../../activities/tools.ts';
import type { ReconcileReport } from '../../activities/activities.ts';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { createObjectStore, type ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { openAdmin } from '../support/admin.ts';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
let folder: string;
let objects: ObjectStore;
let known: string;
beforeAll(async () => {
  api = await startTestApi();
  const { key } = await newAccount(api.database);
  known = (await send(api.app, key, 'POST', '/v1/task-models', createBody({ defer_fit: true }))).body.id;
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orphans-'));
  objects = createObjectStore({ url: pathToFileURL(folder).href, keys: [new Uint8Array(32)] });
  return () => rm(folder, { recursive: true, force: true });
});
afterAll(() => api.close());

const later = Date.now() + 2 * 3_600_000;
const newId = (): string => `clf_${randomBytes(16).toString('hex')}`;
const run = (create: typeof createSweep, store: ObjectStore = objects): Promise<ReconcileReport> => {
  const tools = { pool: api.database.pool, objects: store, client: null, taskQueue: 'none' } as unknown as Tools;
  return new MockActivityEnvironment().run(create(tools), { at: later });
};
const tidy = (): Promise<ReconcileReport> => run(createTidyObjects);
const put = async (count: number, kind: string): Promise<void> => {
  for (let i = 0; i < count; i++) await objects.put(`${kind}/${newId()}/job`, new Uint8Array([1]));
};
const left = async (): Promise<number> => (await objects.list('')).length;

it('removes the objects of a few models that have no owner', async () => {
  await objects.put(`features/${known}/1`, new Uint8Array([1]));
  await put(5, 'models');
  const { healed, problems } = await tidy();
  expect([healed, problems, await left()]).toEqual([['5 objects without an owner removed'], [], 1]);
});

it('removes none if there are many, and says what an operator can do', async () => {
  await objects.put(`features/${known}/1`, new Uint8Array([1]));
  await put(6, 'models');
  const { healed, problems } = await tidy();
  expect(healed.join()).not.toContain('without an owner');
  expect(problems).toEqual([
    expect.stringMatching(/^6 objects of 6 of 7 models have no owner.*DATABASE_URL and OBJECT_STORE_URL.*--remove 6$/s),
  ]);
  expect(await left()).toBe(7);
});

it('removes none from a store whose models the database does not know, however few they are', async () => {
  await put(2, 'models');
  expect((await tidy()).problems.join()).toContain('the database knows none of the models in the store');
  expect(await left()).toBe(2);
});

it('removes leftovers of fits of models that were never hosted', async () => {
  await put(2, 'fits');
  expect((await tidy()).problems).toEqual([]);
  expect(await left()).toBe(0);
});

it('lets an operator remove them by naming the count', async () => {
  await put(7, 'models');
  // The command looks at what is older than an hour by the clock of this machine.
  const old = { walk: (prefix: string) => aged(objects.walk(prefix)) };
  const open = openAdmin(api.database.pool, { ...objects, ...old });
  const ask = async (...argv: string[]) => await runAdmin(['objects', 'orphans', ...argv], open);
  expect(JSON.parse((await ask()).out!)).toMatchObject({ orphans: 7, of_models: 7, all_models: 7, removed: 0 });
  expect((await ask('--remove', '6')).errors[0]).toContain('There are 7 objects without an owner now, not 6');
  expect(await left()).toBe(7);
  expect(JSON.parse((await ask('--remove', '7')).out!)).toMatchObject({ orphans: 7, removed: 7 });
  expect(await left()).toBe(0);
});

async function* aged(found: AsyncIterable<{ name: string }>) {
  for await (const { name } of found) yield { name, modifiedAt: new Date(Date.now() - 2 * 3_600_000) };
}

it('leaves reference data alone, whose names hold no model', async () => {
  const task = { set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' };
  const names = [objectNames.referencePerson(task, 'S001', 'abc'), objectNames.referenceFit(task, 'key')];
  for (const name of names) await objects.put(name, new Uint8Array([1]));
  await put(1, 'models');
  await objects.put(`features/${known}/1`, new Uint8Array([1]));
  expect((await tidy()).problems).toEqual([]);
  const left = (await objects.list('')).map(({ name }) => name);
  expect(left).toEqual([`features/${known}/1`, ...names.toSorted()]);
});

it('leaves objects of other applications in the same bucket, however old', async () => {
  await objects.put(`features/${known}/1`, new Uint8Array([1]));
  const hour = new Date(later - 5 * 3_600_000).toISOString().slice(0, 13);
  const owned = ['models/resnet/w.bin', 'models/clf_forest/w.bin', 'features/a', 'fits/2026/job/report', 'other/x'];
  const staged = ['0/video', 'clf_forest/video', `${hour}/video`, `${hour}/resnet/job`, 'zz'];
  const others = [...owned, ...staged.map((name) => `staged/${name}`)];
  const ours = [`models/${newId()}/job`, `staged/${hour}/${newId()}/job`, `staged/${hour}/probe/x`];
  for (const name of [...others, ...ours]) await objects.put(name, new Uint8Array([1]));
  expect(await tidy()).toEqual({ healed: ['1 objects without an owner removed'], problems: [] });
  expect((await run(createSweep)).healed).toContain('2 staged signals removed');
  expect((await objects.list('')).map(({ name }) => name)).toEqual([...others, `features/${known}/1`].toSorted());
});

it('removes a staged signal of an earlier hour, also if it was sealed again since', async () => {
  const now = Math.floor(later / 3_600_000) * 3_600_000;
  const target = { modelId: newId(), jobId: 'job' };
  const [old, young] = [now - 1, now].map((at) => objectNames.staged(target, new Date(at)));
  const staged = async (at: number): Promise<string[]> => {
    for (const name of [old!, young!]) await objects.put(name, new Uint8Array([1]));
    // Their time is that of the seal.
    async function* sealed(found: AsyncIterable<{ name: string }>) {
      for await (const { name } of found) yield { name, modifiedAt: new Date(at) };
    }
    return await oldStaged({ walk: (prefix) => sealed(objects.walk(prefix)) }, new Date(at - 10 * 60_000));
  };
  expect(await staged(now + 9 * 60_000)).toEqual([]);
  expect(await staged(now + 10 * 60_000)).toEqual([old]);
});

it('searches once a day; the frequent sweep lists only staged objects, the oldest first', async () => {
  const target = { modelId: newId(), jobId: 'job' };
  const old = later - 10 * 60_000;
  const hours = [old - 90 * 60_000, old, old + 3_600_000];
  const names = hours.map((at) => objectNames.staged(target, new Date(at)));
  for (const name of [...names, `models/${newId()}/job`]) await objects.put(name, new Uint8Array([1]));
  const read: string[] = [];
  const watched = {
    ...objects,
    list: (prefix: string) => Promise.reject(new Error(`the whole of ${prefix} was listed`)),
    async *walk(prefix: string) {
      for await (const found of objects.walk(prefix)) {
        read.push(found.name);
        yield found;
      }
    },
  };
  const { healed } = await run(createSweep, watched);
  expect(healed).toContain('2 staged signals removed');
  // The first name of a later hour ends the reading.
  expect(read).toEqual(names);
  expect((await objects.list('')).map(({ name }) => name.split('/')[0])).toEqual(['models', 'staged']);
});

it('counts each model once, whatever kinds of objects it has and however many, and removes all of them', async () => {
  await objects.put(`features/${known}/1`, new Uint8Array([1]));
  for (let model = 0; model < 5; model++) {
    const id = newId();
    for (const name of [`features/${id}/1`, `fits/${id}/job/report`, `fits/${id}/job/score-a`, `models/${id}/job`])
      await objects.put(name, new Uint8Array([1]));
  }
  expect(await tidy()).toEqual({ healed: ['20 objects without an owner removed'], problems: [] });
  expect(await left()).toBe(1);
});
