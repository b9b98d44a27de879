import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleFile } from '../../infra/recordings/sample/sample-recording.ts';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { lookAt, watchedPage, type WatchedPage } from '../support/chromium-page.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { pagesToLookAt } from '../support/looks.ts';
import { peopleReference } from '../support/model-pages.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';
import { signUp } from '../support/sample-walk.ts';
import { hypnogram, night, numberedCap, twoTriggers, withoutEvents } from '../support/odd-recordings.ts';

/** The form of a create: steps, preview, settings that stay, and files that cannot be read as they are. */

let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let watched: WatchedPage;
let page: Page;
beforeAll(async () => {
  if (chromiumMissing) return;
  [service, browser] = await Promise.all([startPagesService(fitInProcess), openBrowser()]);
  watched = await watchedPage(browser, service.origin, { bypassCSP: true });
  ({ page } = watched);
  page.setDefaultTimeout(20_000);
  await signUp(page);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const step = it.skipIf(chromiumMissing);
const looks = async (name: string): Promise<void> => {
  if (pagesToLookAt) expect(await lookAt(page, name)).toEqual([]);
};

const edf = (name: string, bytes: Uint8Array) => ({ name, mimeType: 'application/edf', buffer: Buffer.from(bytes) });
const samples = (['fists-or-feet-1.edf', 'fists-or-feet-2.edf'] as const).map((name) => edf(name, sampleFile(name)));
const choose = async (...files: ReturnType<typeof edf>[]): Promise<void> =>
  await page.getByLabel(/^Choose (other )?recordings$/).setInputFiles(files);
const classOf = (event: string) => page.getByLabel(`Class of the event ${event}`, { exact: true });
const preview = () => page.getByTestId('create-preview');

step('classes are filled in from the events, and the preview shows the trials that the window cuts', async () => {
  await page.goto('/dashboard/create');
  await page.getByText('The estimate comes first.').waitFor();
  expect(await page.getByRole('button', { name: 'Show the estimate' }).count()).toBe(0);
  await looks('create-steps-empty');
  await choose(...samples);
  await expect.poll(() => classOf('both fists').inputValue()).toBe('both fists');
  expect(await classOf('rest').inputValue()).toBe('');
  await preview().waitFor();
  const trials = (): Promise<number> => preview().locator('rect.trial').count();
  await expect.poll(trials).toBeGreaterThan(0);
  const width = async (): Promise<number> =>
    Number(await preview().locator('rect.trial').first().getAttribute('width'));
  const before = await width();
  await page.getByLabel('To (s)').fill('2');
  await page.getByText('Next event').click();
  await expect.poll(width).not.toBe(before);
  await classOf('both fists').fill('hands');
  await classOf('both feet').fill('feet');
  await page.getByRole('list', { name: 'Classes so far' }).getByText('hands').waitFor();
  await page.getByLabel('What the task is').fill('fists or feet');
  await looks('create-steps');
});

step('the settings survive leaving the page, the files do not', async () => {
  await page.goto('/dashboard/models');
  await page.goto('/dashboard/create');
  await page.getByText('Your settings of the last visit are kept.').waitFor();
  expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain('.edf');
  await choose(...samples);
  await expect.poll(() => classOf('both feet').inputValue()).toBe('feet');
  expect(await page.getByLabel('To (s)').inputValue()).toBe('2');
  expect(await page.getByLabel('What the task is').inputValue()).toBe('fists or feet');
});

step('an event can mean something else in each file', async () => {
  await page.getByLabel('The same event means something else in another file').check();
  await page.getByLabel('Class of the event both fists in fists-or-feet-2.edf').fill('left fist');
  await page.getByRole('list', { name: 'Classes so far' }).getByText('left fist').waitFor();
  await page.getByLabel('The same event means something else in another file').uncheck();
  await page.getByText('left fist').waitFor({ state: 'detached' });
});

step('the form does not go on without events; a hypnogram brings them, and long stages are cut', async () => {
  await choose(edf('night-PSG.edf', withoutEvents()));
  await page.getByText('The file holds no events').waitFor();
  expect(await preview().count()).toBe(0);
  await page.getByText('Name at least two classes first.').waitFor();
  await choose(edf('night-PSG.edf', night()), edf('night-Hypnogram.edf', hypnogram()));
  await page.getByText('annotations of night-Hypnogram.edf are added to night-PSG.edf').waitFor();
  await expect.poll(() => classOf('Sleep stage W').inputValue()).toBe('W');
  expect(await page.getByLabel('To (s)').inputValue()).toBe('30');
  await page.getByLabel('What the task is').fill('sleep stages');
  await page.getByRole('button', { name: 'Show the estimate' }).click();
  await page.getByText('2: 10 trials, W: 10 trials').waitFor();
});

step(
  'of two trigger channels the one with the most events is used, and a person can choose the other one',
  async () => {
    await choose(edf('triggers.edf', twoTriggers()));
    await page.getByText('"TRIG 2". It has the most. Other channels with events are not used: "TRIG 1" (3).').waitFor();
    await classOf('8').waitFor();
    await page.getByLabel('Channel with the events').selectOption('TRIG 1');
    await classOf('5').waitFor();
    await classOf('8').waitFor({ state: 'detached' });
    await page.getByLabel('Channel with the events').selectOption('');
    await classOf('8').waitFor();
  },
);

step('numbered channels get their names by cap, and a missing unit is asked for', async () => {
  await choose(edf('biosemi.edf', numberedCap()));
  await page.getByText('None of the channels has the name of an electrode').waitFor();
  await page.getByText('At least one electrode is needed first.').waitFor();
  await page.getByRole('button', { name: 'Cap: BioSemi32' }).click();
  await page.getByText('the file gives no unit').waitFor();
  await page.getByLabel('Which is it?').selectOption('uV');
  await page.getByText('read in uV, as you said').waitFor();
  await page.getByText('16 of 16 channels are electrodes').waitFor();
  await looks('create-names');
});

step('trials that no method can read: the page names the need and a window that would work', async () => {
  await page.goto('/dashboard/create');
  await choose(...samples);
  await page.getByLabel('What the task is').fill('fists or feet');
  await page.getByLabel('To (s)').fill('0.02');
  await page.getByRole('button', { name: 'Show the estimate' }).click();
  await page.getByText(/The trials are too short: every method needs at least [\d.]+ s/).waitFor();
  await page.getByRole('link', { name: 'Change the window' }).click();
  await page.getByLabel('To (s)').fill('4');
});

step('a model collects trials of one recording, gets those of another one, and is fitted, all on pages', async () => {
  await page.goto('/dashboard/create');
  await choose(samples[0]);
  await page.getByLabel('What the task is').fill('motor imagery: fists or feet');
  await page.getByLabel('Collect first').check();
  await page.getByRole('button', { name: 'Show the estimate' }).click();
  await page.getByRole('button', { name: 'Create the test model' }).click();
  await page.waitForURL(/\/dashboard\/models\/clf_/);
  await page.getByText('It has 12 trials of').waitFor();
  await choose(samples[1]);
  await page.getByRole('button', { name: 'Add these trials' }).waitFor();
  await looks('collecting');
  await page.getByRole('button', { name: 'Add these trials' }).click();
  await page.getByText('It has 24 trials of').waitFor();
  await page.getByRole('button', { name: 'Fit now' }).click();
  await page.getByTestId('report-verdict').waitFor({ timeout: 120_000 });
});

step('without own trials: the page waits for recordings of others, then shows evidence and explanation', async () => {
  await page.goto('/dashboard/create');
  await page.getByRole('link', { name: 'Use recordings of other people' }).click();
  await page.getByLabel('What the task is').fill('eyes open or eyes closed at rest');
  const estimate = {
    object: 'task_model.estimate',
    mode: 'zero_shot',
    ready: true,
    create_usd: '0.00',
    hosting_usd_per_month: '0.00',
    evidence: { ...peopleReference, balanced_accuracy: 0.66, chance: 0.5 },
    explanation: { open: 'looks at a cross', closed: 'keeps the eyes closed' },
    reference_classes: {},
  };
  const preparation = { status: 'running', retryable: true, estimated_seconds: 90 };
  const answers: object[] = [{ ...estimate, ready: false, evidence: undefined, preparation }, estimate];
  await page.route('**/v1/task-models', (route) => route.fulfill({ json: answers.shift() }));
  await page.getByRole('button', { name: 'Show the estimate' }).click();
  await page.getByText('It takes about 2 minutes.').waitFor();
  await page.getByText('On 96 people').waitFor();
  await page.getByText('keeps the eyes closed').waitFor();
  await looks('without-trials');
  await page.getByRole('button', { name: 'Create the test model' }).waitFor();
  await page.unroute('**/v1/task-models');
});

step('nothing complains', () => {
  expect(watched.complaints.filter((each) => !/status of 4(0[124]|22)/.test(each))).toEqual([]);
});
