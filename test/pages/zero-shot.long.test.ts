import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Config } from '../../infra/drivers/config.ts';
import { findWeights } from '../../infra/main/encoders.ts';
import { silentLog } from '../../infra/observe/log.ts';
import { reportWeights } from '../../infra/records/weights-reports.ts';
import { setInstalledWeights } from '../../ml/encoders/installed-weights.ts';
import { installedWeightsPins } from '../../ml/pins/index.ts';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { watchedPage } from '../support/chromium-page.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { handSignals } from '../support/hand-trials.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';
import { createTestDesk } from '../support/reference-desk.ts';
import { signUp } from '../support/sample-walk.ts';
import { writeEdf } from '../support/write-edf.ts';

/** A person without own trials: a model of the network that comes with the service, and labels for a recording. */

const channels = 'Fp1 Fp2 F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2'.split(' ');
const [trials, seconds, rateHz] = [20, 4, 256];

/** Simulated trials of both hands, one after the other, as a recording with events. */
function recording(): Buffer {
  const { trials: signal, labels } = handSignals({ channels, trials, seed: 3 });
  const samples = seconds * rateHz;
  const valuesOf = (c: number): number[] =>
    labels.flatMap((_, t) =>
      Array.from(signal.data.subarray((t * channels.length + c) * samples).subarray(0, samples)),
    );
  const edf = writeEdf({
    rateHz,
    channels: channels.map((label, c) => ({ label, unit: 'uV', values: valuesOf(c) })),
    annotations: labels.map((text, t) => ({ onset: t * seconds, duration: seconds, text })),
  });
  return Buffer.from(edf);
}

const cacheDir = mkdtempSync(join(tmpdir(), 'no-downloads-'));
let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  if (chromiumMissing) return;
  const models = await findWeights(
    { modelStoreUrl: null, modelsEnabled: null, cacheDir } as unknown as Config,
    silentLog,
  );
  const parts = { reference: createTestDesk(), models: () => models };
  [service, browser] = await Promise.all([startPagesService(fitInProcess, parts), openBrowser()]);
  const weights = installedWeightsPins();
  await reportWeights(service.api.database.pool, { process: 'a worker', role: 'worker', weights });
  ({ page, complaints } = await watchedPage(browser, service.origin, { acceptDownloads: true }));
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  setInstalledWeights([]);
  rmSync(cacheDir, { recursive: true, force: true });
});

it.skipIf(chromiumMissing)(
  'the estimate is ready at once, the model is made, and a recording gets its labels',
  async () => {
    await signUp(page);
    await page.goto('/dashboard/create');
    await page.getByRole('link', { name: 'Use recordings of other people' }).click();
    await page.getByLabel('What the task is').fill('motor imagery of the left or right fist');
    await page.getByLabel('Classes (may be empty)').fill('left, right');
    await page.getByLabel('Sampling rate (Hz)').fill(String(rateHz));
    const [estimate] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/v1/task-models')),
      page.getByRole('button', { name: 'Show the estimate' }).click(),
    ]);
    expect(await estimate.json()).toMatchObject({ ready: true, evidence: { network: { id: 'movement' } } });
    await page.getByText(/^On \d+ people that the model had not seen/).waitFor();
    await page.getByRole('button', { name: 'Create the test model' }).click();
    await page.waitForURL(/\/dashboard\/models\/clf_/);

    await page
      .getByTestId('label-file')
      .setInputFiles({ name: 'hands.edf', mimeType: 'application/edf', buffer: recording() });
    await page.getByText(`for ${trials} trials`).waitFor();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/predictions')),
      page.getByTestId('label-run').click(),
    ]);
    const { data } = (await answer.json()) as { data: { label: string }[] };
    await page.getByText(new RegExp(`of ${trials} labels are right`)).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('label-csv').click()]);
    const rows = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
      .slice(1);
    const labels = rows.map((row) => row.split(',')[2]);
    expect(labels).toEqual(data.map(({ label }) => label));
    expect(labels).toHaveLength(trials);
    expect(new Set(labels)).toEqual(new Set(['left', 'right']));
    expect(complaints.filter((each) => !/status of 401/.test(each))).toEqual([]);
  },
);
