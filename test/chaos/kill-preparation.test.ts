import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { referenceFaultPoints, type FaultPoint } from '../../activities/deps.ts';
import { readFit } from '../../infra/records/reference-fits/fits.ts';
import { readPreparation } from '../../infra/records/reference-data/preparations.ts';
import { askForFit } from '../../api/jobs/ask-for-fit.ts';
import { askForPreparation } from '../../api/jobs/ask-for-preparation.ts';
import { runs } from '../support/counts.ts';
import { serveFolder, simulatePeople } from '../support/simulated-people.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { createWorld, type World } from '../workflows/support/world.ts';
import { superviseWorker } from './support/supervised.ts';

let env: TestWorkflowEnvironment;
let world: World;
let root: string;
let site: Awaited<ReturnType<typeof serveFolder>>;
let simulated: ReturnType<typeof simulatePeople>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'kill-preparation-'));
  simulated = simulatePeople(join(root, 'site'), 5, { seconds: 6 });
  site = await serveFolder(join(root, 'site'), 300);
  env = await connectDevServer('kill-preparation');
  world = await createWorld(env, { worker: false });
});
afterAll(async () => {
  await world?.stop();
  await env?.teardown();
  await site?.close();
  rmSync(root, { recursive: true, force: true });
});

const key = { set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' };
const inUsualTests: readonly FaultPoint[] = ['person:during-download', 'person:before-features'];

it(
  'kill -9 of the worker while it downloads, reads and fits people: the preparation continues where it stopped',
  { timeout: 300_000 },
  async () => {
    const deaths = runs(0, 1) === 1 ? referenceFaultPoints : inUsualTests;
    const worker = await superviseWorker(world, null, {
      deaths,
      // Two deaths of the same person would end its preparation: each is taken for the first.
      onDeath: () => world.db.pool.query('DELETE FROM job_attempts'),
      reference: { url: site.url, cacheDir: join(root, 'cache'), sets: [simulated.set] },
    });
    try {
      const deps = { pool: world.db.pool, client: world.client, taskQueue: worker.taskQueue };
      await askForPreparation(deps, key);
      const prepared = () => readPreparation(world.db.pool, key);
      await expect.poll(async () => (await prepared()).status, { timeout: 200_000, interval: 250 }).toBe('ready');
      expect(await prepared()).toMatchObject({ people: { used: 5, own: 0, missing: 0, faulty: 0 } });

      const wholes = site.asked.filter((line) => !line.includes('bytes='));
      expect(new Set(wholes).size, 'every file is asked for').toBe(10);
      // Six are asked for at the same time, and one of them had begun to arrive.
      expect(wholes.length, 'none that had begun is asked for from its beginning').toBeLessThanOrEqual(15);
      expect(
        site.asked.some((line) => /bytes=[1-9]/.test(line)),
        'what had been received is gone on with',
      ).toBe(true);

      const wanted = {
        ...key,
        classes: ['eyes_open', 'eyes_closed'],
        shape: { channelNames: ['O1', 'O2', 'Cz'], seconds: 1, sourceRateHz: 250 },
      };
      const { key: fit } = await askForFit(deps, wanted);
      const fitted = () => readFit(world.db.pool, fit);
      await expect.poll(async () => (await fitted()).status, { timeout: 100_000, interval: 250 }).toBe('ready');
      expect((await fitted()).result!.evidence.people).toBe(5);
      expect(worker.deaths()).toBe(deaths.length);
    } finally {
      await worker.stop();
    }
  },
);
