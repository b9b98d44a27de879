import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleFile } from '../../infra/recordings/sample/sample-recording.ts';
import { warningSentences } from '../../ml/warning-sentences.ts';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { lookAt, watchedPage, type WatchedPage } from '../support/chromium-page.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';
import { signUp } from '../support/sample-walk.ts';

/** A report and an estimate with every warning at once: nothing is cut off, and the serious ones come first. */

let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let watched: WatchedPage;
beforeAll(async () => {
  if (chromiumMissing) return;
  [service, browser] = await Promise.all([startPagesService(), openBrowser()]);
  watched = await watchedPage(browser, service.origin, { bypassCSP: true });
  watched.page.setDefaultTimeout(30_000);
  await signUp(watched.page);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const titles = ['The score may be wrong', 'What could be better', 'Good to know'];
const electrodes = 'Fp1, Fp2, F7, F3, Fz, F4, F8, T7, C3, Cz, C4, T8, P7, P3, Pz, P4, P8, O1, O2';
const filled = (sentence: string): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'channels' ? electrodes : '12'));
const warnings = Object.values(warningSentences).map(filled);

it.skipIf(chromiumMissing)('a report with every warning', async () => {
  const { page } = watched;
  const model = JSON.parse(readFileSync(new URL('../../infra/recordings/sample/model.json', import.meta.url), 'utf8'));
  const report = { ...model.training_report, warnings };
  const signal = { ...model.signal, warnings: warnings.slice(0, 20) };
  await page.route('**/dashboard/api/models/*/state', (route) =>
    route.fulfill({ json: { mode: 'test', status: 'active' } }),
  );
  await page.route('**/v1/task-models/clf_*', (route) =>
    route.fulfill({ json: { ...model, signal, training_report: report } }),
  );
  await page.goto(`/dashboard/models/${model.id}`);
  const points = page.locator('details.notice');
  await points.getByRole('heading', { name: titles[0] }).waitFor();
  expect(await points.getByRole('heading').allInnerTexts()).toEqual(titles);
  const begin = await points.locator('.points').first().locator('li').allInnerTexts();
  expect(begin.some((words) => words.startsWith('The classes were recorded in 12 blocks'))).toBe(true);
  // The verdict is not green, and leads to the open box.
  const verdict = page.getByRole('region', { name: 'What to expect of this model' });
  expect(await verdict.getAttribute('class')).toBe('verdict warn');
  const serious = await points.locator('.points').first().locator('li').count();
  await verdict.getByRole('link', { name: `${serious} points to check` }).click();
  await expect.poll(() => points.evaluate((box) => box.matches(':target'))).toBe(true);
  const signalPoints = page.locator('section.signal li');
  expect(await signalPoints.count()).toBe(0);
  expect(await lookAt(page, 'report-warnings')).toEqual([]);
  await expect.poll(() => points.getByRole('link').count()).toBeGreaterThan(0);
  // A reader who cannot make the model again gets no link to do so.
  await page.route('**/sample/model.json', (route) => route.fulfill({ json: { ...model, training_report: report } }));
  await page.goto('/dashboard/sample');
  await points.getByRole('heading', { name: titles[0] }).waitFor();
  expect(await points.getByRole('link').count()).toBe(0);
  await page.unrouteAll();
});

it.skipIf(chromiumMissing)('an estimate with many warnings, and every reason once', async () => {
  const { page } = watched;
  const checks =
    'line_noise label_order few_trials artefacts units flat_channels dropouts doubled_trials rank offsets'.split(' ');
  await page.route('**/v1/task-models', async (route) => {
    const answer = await route.fetch();
    const remove = { channels: electrodes.split(', '), trials: [1, 2, 3] };
    const findings = checks.map((check) => ({ check, message: '', change: null, remove }));
    await route.fulfill({ json: { ...(await answer.json()), findings } });
  });
  await page.goto('/dashboard/create');
  await page.getByLabel('Choose recordings', { exact: true }).setInputFiles({
    name: 'fists-or-feet-1.edf',
    mimeType: 'application/edf',
    buffer: Buffer.from(sampleFile('fists-or-feet-1.edf')),
  });
  await page.getByLabel('What the task is').fill('motor imagery: fists or feet');
  await page.getByRole('button', { name: 'Show the estimate' }).click();
  const step = page.getByRole('region', { name: 'Create', exact: true });
  await step.getByRole('heading', { name: titles[0] }).waitFor();
  // The heading of the step is not behind the steps, which stay at the top.
  const top = async (selector: string, edge: 'top' | 'bottom'): Promise<number> =>
    await page.locator(selector).evaluate((element, which) => element.getBoundingClientRect()[which], edge);
  await expect.poll(() => top('#step-create h2', 'top')).toBeGreaterThanOrEqual(await top('.stepper', 'bottom'));
  expect(await step.locator('.points h3').allInnerTexts()).toEqual(titles);
  await step.getByText('for these reasons').click();
  const reasons = await step.locator('.reasons dt').allInnerTexts();
  expect(reasons.length).toBeGreaterThan(3);
  expect(new Set(reasons).size).toBe(reasons.length);
  expect(await lookAt(page, 'estimate-warnings')).toEqual([]);
  expect(watched.complaints.filter((each) => !/status of 40[14]/.test(each))).toEqual([]);
});
