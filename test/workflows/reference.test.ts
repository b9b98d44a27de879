import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Context } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withHeartbeats } from '../../activities/with-heartbeats.ts';
import { prepareWorkflowId, referenceFitWorkflowId } from '../../infra/contract/workflow-names.ts';
import { peopleUsed } from '../../infra/records/reference-data/prepare.ts';
import { readFit } from '../../infra/records/reference-fits/fits.ts';
import { readPreparation, type StoredPreparation } from '../../infra/records/reference-data/preparations.ts';
import { askForFit } from '../../api/jobs/ask-for-fit.ts';
import { askForPreparation } from '../../api/jobs/ask-for-preparation.ts';
import { decode } from '../../infra/drivers/codec.ts';
import type { PersonFeatures } from '../../ml/reference-fits/types.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import type { ReferencePrior } from '../../ml/types.ts';
import { simulatePeople } from '../support/simulated-people.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { objectNames } from './support/models.ts';
import { createWorld, type World } from './support/world.ts';

let env: TestWorkflowEnvironment;
let world: World;
let root: string;
let simulated: ReturnType<typeof simulatePeople>;
/** Whether people are kept waiting until they are cancelled. */
let held = false;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'reference-'));
  simulated = simulatePeople(root, 7);
  env = await connectDevServer('reference');
  world = await createWorld(env, {
    worker: false,
    mock: ({ preparePerson }) => ({
      preparePerson: (input) => (held ? withHeartbeats(() => Context.current().cancelled) : preparePerson(input)),
    }),
    reference: (folder) => ({ url: pathToFileURL(root).href, cacheDir: join(folder, 'cache') }),
  });
});
afterAll(async () => {
  await world?.stop();
  await env?.teardown();
  rmSync(root, { recursive: true, force: true });
});

interface StoredFit {
  readonly format: 1;
  readonly model: FittedModel;
  readonly pins: readonly string[];
  readonly prior: ReferencePrior;
}

const key = { set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' };
const deps = () => ({ pool: world.db.pool, client: world.client, taskQueue: world.taskQueue, inPlace: true });
const ask = (again = true, of = key): Promise<StoredPreparation> =>
  askForPreparation(deps(), of, { when: again ? 'always' : 'due' });
/** Of nothing that is waited for here is it said how long it takes. */
const patient = { timeout: 150_000, interval: 100 };
async function ended(of = key): Promise<StoredPreparation> {
  const state = (): Promise<StoredPreparation> => readPreparation(world.db.pool, of);
  await expect.poll(async () => (await state()).status, patient).toMatch(/ready|failed|required/);
  return await state();
}
const described = () => world.client.workflow.getHandle(prepareWorkflowId(key)).describe();

const byOperator = { status: 'failed', retryable: true, reason: 'The preparation was cancelled by an operator.' };

describe('the preparation of a reference task', () => {
  it('that is cancelled before a worker starts it, or while it waits, says so', async () => {
    const tasks = ['fists-feet-imagined', 'left-right-fist-imagined'].map((task) => ({ ...key, task }));
    for (const each of tasks) await ask(false, each);
    await world.client.workflow.getHandle(prepareWorkflowId(key)).cancel();
    await world.startWorker();
    for (const each of tasks) expect(await ended(each)).toMatchObject(byOperator);
  });

  it('is shared by ten simultaneous callers, and stores features of every person', async () => {
    const asked = await Promise.all(Array.from({ length: 10 }, () => ask(false)));
    expect(asked.every(({ status }) => status === 'queued' || status === 'running')).toBe(true);
    const state = await ended();
    expect(state).toMatchObject({
      status: 'ready',
      reason: null,
      people: { used: 7, own: 7, missing: 98, faulty: 0 },
      progress: { people: { done: 7, total: 7 }, files: { done: 14, total: 14 } },
    });
    const used = await peopleUsed(world.db.pool, key);
    expect(used.map(({ person }) => person)).toEqual(simulated.people);
    const features = decode<PersonFeatures>(await world.objects.get(used[0].ref));
    expect([features.person, features.electrodes.length, new Set(features.classIds).size]).toEqual(['S001', 64, 2]);
    expect((await objectNames(world)).filter((name) => name.startsWith('reference/'))).toHaveLength(7);
    await expect.poll(async () => (await described()).status.name, patient).toBe('COMPLETED');
    const { events } = await world.client.workflow.getHandle(prepareWorkflowId(key)).fetchHistory();
    const names = events!.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
    expect(names.filter((name) => name === 'preparePerson')).toHaveLength(7);
    expect(names.filter((name) => name === 'settlePreparation')).toHaveLength(1);
  });

  it('that an operator cancels says so, and can be requested again', async () => {
    held = true;
    await ask();
    await expect.poll(async () => (await readPreparation(world.db.pool, key)).status, patient).toBe('running');
    await world.client.workflow.getHandle(prepareWorkflowId(key)).cancel();
    expect(await ended()).toMatchObject(byOperator);
    held = false;
    await ask();
    expect((await ended()).status).toBe('ready');
  });

  it('repeats only changed people, and removes missing ones', async () => {
    const before = await peopleUsed(world.db.pool, key);
    copyFileSync(simulated.pathOf('S002', '01'), simulated.pathOf('S001', '01'));
    rmSync(simulated.pathOf('S007', '02'));
    await ask();
    expect(await ended()).toMatchObject({ status: 'ready', people: { used: 6, own: 6, missing: 99, faulty: 0 } });
    const after = await peopleUsed(world.db.pool, key);
    expect(after.filter(({ ref }) => !before.some((each) => each.ref === ref)).map(({ person }) => person)).toEqual([
      'S001',
    ]);
    const kept = async () => (await objectNames(world)).filter((name) => name.startsWith('reference/')).toSorted();
    await expect.poll(kept, patient).toEqual(after.map(({ ref }) => ref).toSorted());
    const { rows } = await world.db.pool.query('SELECT person FROM reference_people WHERE seconds IS NOT NULL');
    expect(rows).toEqual([{ person: 'S001' }]);
  });

  it('gives a shape of trials one model, with its evidence and its prior', async () => {
    const shape = { channelNames: ['O2', 'Cz', 'O1', 'Fpz', 'X1'], seconds: 2, sourceRateHz: 250 };
    const wanted = { ...key, classes: ['eyes_closed', 'eyes_open'], shape };
    const first = await Promise.all(Array.from({ length: 10 }, () => askForFit(deps(), wanted)));
    expect(new Set(first.map((fit) => fit.key)).size).toBe(1);
    const state = () => readFit(world.db.pool, first[0].key);
    await expect.poll(async () => (await state()).status, patient).toBe('ready');
    const { result } = await state();
    expect(result!.evidence).toMatchObject({
      people: 6,
      read: ['O2', 'Cz', 'O1', 'Fpz'],
      notRead: ['X1'],
      chance: 0.5,
    });
    expect(result!.evidence.balancedAccuracy).toBeGreaterThan(0.8);
    const stored = decode<StoredFit>(await world.objects.get(result!.ref));
    expect(stored.format).toBe(1);
    expect([stored.model.classes, stored.prior.classes]).toEqual([wanted.classes, wanted.classes]);
    expect(stored.pins).toEqual(result!.pins);
    const workflow = world.client.workflow.getHandle(referenceFitWorkflowId({ ...wanted, key: first[0].key }));
    await expect.poll(async () => (await workflow.describe()).status.name, patient).toBe('COMPLETED');
    expect((await askForFit(deps(), wanted)).status).toBe('ready');
  });

  it('gives the reason if a shape cannot be served', async () => {
    const shape = { channelNames: ['X1', 'X2'], seconds: 2, sourceRateHz: 250 };
    const { key: fit } = await askForFit(deps(), { ...key, classes: ['eyes_closed', 'eyes_open'], shape });
    const state = () => readFit(world.db.pool, fit);
    await expect.poll(async () => (await state()).status, patient).toBe('failed');
    expect(await state()).toMatchObject({
      retryable: false,
      reason: expect.stringContaining('needs at least 2 channels that the recordings have too; 0 of 2 are'),
    });
  });

  it.each([
    [
      'truncated',
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 1000),
      /promises \d+ data records and \d+ are there/,
    ],
    ['corrupted', (bytes: Buffer) => Buffer.from(bytes).fill(0x20, 184, 192), /cannot be read/],
    [
      'hostile',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 252), Buffer.from('9999'), bytes.subarray(256)]),
      /cannot be read/,
    ],
  ])('fails where a file is %s, names it, and leaves the others as they are', async (_, spoil, fault) => {
    const path = simulated.pathOf('S003', '02');
    const bytes = readFileSync(path);
    writeFileSync(path, spoil(bytes));
    try {
      await ask();
      const state = await ended();
      expect(state).toMatchObject({ status: 'failed', retryable: false, people: { used: 5, faulty: 1 } });
      expect(state.reason).toContain('S003/S003R02.edf');
      expect(state.reason).not.toContain(root);
      expect(state.reason).toMatch(fault);
    } finally {
      writeFileSync(path, bytes);
    }
    await ask();
    expect(await ended()).toMatchObject({ status: 'ready', reason: null, people: { used: 6, faulty: 0 } });
  });

  it('needs an operator if the source has too few people, or none', async () => {
    for (const person of simulated.people.slice(1)) rmSync(simulated.pathOf(person, '01'), { force: true });
    await ask();
    expect(await ended()).toMatchObject({
      status: 'required',
      retryable: false,
      reason: expect.stringMatching(
        /"Eyes open or closed at rest" for 1 of 105 people, and one person is not enough.*at least 5/,
      ),
      people: { used: 1, missing: 104 },
    });
    rmSync(root, { recursive: true });
    await ask();
    expect(await ended()).toMatchObject({
      status: 'required',
      retryable: false,
      reason: expect.stringMatching(/holds none of the 210 files, S001\/S001R01\.edf to S109\/S109R02\.edf\.$/),
    });
  });
});
