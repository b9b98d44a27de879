import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { lookAt, screens, watchedPage } from '../support/chromium-page.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';
import { chooseRecording, label, signUp, trySample } from '../support/sample-walk.ts';

let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  if (chromiumMissing) return;
  const allCandidates = (deps: Parameters<typeof fitInProcess>[0]) => fitInProcess(deps, (each) => each.candidates);
  [service, browser] = await Promise.all([startPagesService(allCandidates), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** The overview lists the new model, and replaces the button of the sample, before the create is answered. */
async function answerCreateLate(page: Page): Promise<void> {
  const jobs = '/dashboard/api/jobs';
  await page.route('**/v1/task-models', async (route) => {
    const answer = await route.fetch();
    let running: object[] = [];
    do running = ((await (await page.request.get(jobs)).json()) as { data: object[] }).data;
    while (running.length > 0);
    const job = { model_id: 'clf_0', name: 'Another', mode: 'test', started: new Date().toISOString(), candidates: [] };
    const data = ['job_1', 'job_2'].map((id) => ({ ...job, job_id: id }));
    await page.route(`**${jobs}`, (polled) => polled.fulfill({ json: { data } }));
    const latest = page.getByRole('region', { name: 'Latest models' });
    await latest.getByRole('link', { name: 'Sample: fists or feet' }).waitFor();
    await route.fulfill({ response: answer });
  });
}

it.skipIf(chromiumMissing)(
  'the way from the sample data to labels looks right, light and dark, on a desktop and a phone',
  async () => {
    const { page } = await watchedPage(browser, service.origin, { bypassCSP: true });
    const faults: string[] = [];
    const looks = async (name: string): Promise<void> => void faults.push(...(await lookAt(page, name)));
    await page.goto('/');
    await looks('landing');
    await page.goto('/dashboard/sample');
    await page.getByTestId('report-verdict').waitFor();
    await looks('public-sample');
    await signUp(page);
    await looks('overview-sample');
    await answerCreateLate(page);
    await trySample(page);
    await page.unrouteAll();
    await looks('sample-report');
    await chooseRecording(page);
    await looks('label-choose');
    await label(page);
    await page.locator('.strip svg').waitFor();
    await looks('label-result');
    const table = page.getByRole('region', { name: 'Labels', exact: true });
    const heads = table.getByRole('columnheader');
    expect(await heads.allInnerTexts()).not.toContain('Probability');
    await page.setViewportSize(screens.phone);
    expect(await heads.allInnerTexts()).toEqual(['Begins at', 'Label', 'Event says', 'Probability']);
    expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    await page.setViewportSize(screens.desktop);
    await page.goto('/dashboard/models');
    await page.getByRole('link', { name: 'Sample: fists or feet' }).waitFor();
    await looks('models-sample');
    await page.goto('/dashboard/create');
    await trySample(page);
    await page.goto('/dashboard/models');
    const boxes = page.getByRole('checkbox', { name: 'Compare Sample: fists or feet' });
    await boxes.nth(1).waitFor();
    for (const i of [0, 1]) await boxes.nth(i).check();
    await page.getByRole('link', { name: 'Compare the two' }).click();
    await page.getByText(/The two scores are equal|The difference may be chance/).waitFor();
    expect(await page.locator('dt', { hasText: 'Created' }).count()).toBe(2);
    expect(await page.locator('.places [aria-current]').innerText()).toBe('Models');
    await looks('compare');
    expect(faults).toEqual([]);
  },
  600_000,
);
