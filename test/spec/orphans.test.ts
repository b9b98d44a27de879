import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createSweep } from '../../activities/reconcile/sweep.ts';
import type { Tools } from '../../activities/tools.ts';
import type { ReconcileReport } from '../../activities/types.ts';
import { runAdmin } from '../../infra/admin/index.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { createObjectStore, type ObjectStore } from '../../infra/drivers/objects/index.ts';
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
const sweep = (): Promise<ReconcileReport> => {
  const tools = { pool: api.database.pool, objects, client: null, taskQueue: 'none' } as unknown as Tools;
  return new MockActivityEnvironment().run(createSweep(tools), { at: later });
};
const put = async (count: number, kind: string): Promise<void> => {
  for (let i = 0; i < count; i++) await objects.put(`${kind}/${newId()}/job`, new Uint8Array([1]));
};
const left = async (): Promise<number> => (await objects.list('')).length;

it('removes the objects of a few models that have no owner', async () => {
  await objects.put(`features/${known}/1`, new Uint8Array([1]));
  await put(5, 'models');
  const { healed, problems } = await sweep();
  expect([healed.at(-1), problems, await left()]).toEqual(['5 objects without an owner removed', [], 1]);
});

it('removes none where they are many, and says what a person can do', async () => {
  await objects.put(`features/${known}/1`, new Uint8Array([1]));
  await put(6, 'models');
  const { healed, problems } = await sweep();
  expect(healed.join()).not.toContain('without an owner');
  expect(problems).toEqual([
    expect.stringMatching(/^6 objects of 6 of 7 models have no owner.*DATABASE_URL and OBJECT_STORE_URL.*--remove 6$/s),
  ]);
  expect(await left()).toBe(7);
});

it('removes none of a store whose models the database has never seen, however few they are', async () => {
  await put(2, 'models');
  expect((await sweep()).problems.join()).toContain('the database knows none of the models in the store');
  expect(await left()).toBe(2);
});

it('removes what fits left behind of models that were never hosted', async () => {
  await put(2, 'fits');
  expect((await sweep()).problems).toEqual([]);
  expect(await left()).toBe(0);
});

it('leaves the word to an operator, who names the count', async () => {
  await put(7, 'models');
  // The command looks at what is older than an hour by the clock of this machine.
  const old = { list: async (prefix: string) => aged(await objects.list(prefix)) };
  const open = openAdmin(api.database.pool, { ...objects, ...old });
  const ask = async (...argv: string[]) => await runAdmin(['objects', 'orphans', ...argv], open);
  expect(JSON.parse((await ask()).out!)).toMatchObject({ orphans: 7, of_models: 7, all_models: 7, removed: 0 });
  expect((await ask('--remove', '6')).errors[0]).toContain('There are 7 objects without an owner now, not 6');
  expect(await left()).toBe(7);
  expect(JSON.parse((await ask('--remove', '7')).out!)).toMatchObject({ orphans: 7, removed: 7 });
  expect(await left()).toBe(0);
});

const aged = (found: { name: string; modifiedAt: Date }[]) =>
  found.map(({ name }) => ({ name, modifiedAt: new Date(Date.now() - 2 * 3_600_000) }));

it('leaves reference data alone, whose names hold no model', async () => {
  const task = { set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' };
  const names = [objectNames.referencePerson(task, 'S001', 'abc'), objectNames.referenceFit(task, 'key')];
  for (const name of names) await objects.put(name, new Uint8Array([1]));
  await put(1, 'models');
  await objects.put(`features/${known}/1`, new Uint8Array([1]));
  expect((await sweep()).problems).toEqual([]);
  const left = (await objects.list('')).map(({ name }) => name);
  expect(left).toEqual([`features/${known}/1`, ...names.toSorted()]);
});
