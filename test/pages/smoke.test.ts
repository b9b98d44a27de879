import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { watchedPage } from '../support/chromium-page.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';

let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  if (chromiumMissing) return;
  [service, browser] = await Promise.all([startPagesService(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

it.skipIf(chromiumMissing)(
  'a link signs in once and is removed from the history; the overview shows the balance, without an error in the console',
  async () => {
    const { page, complaints } = await watchedPage(browser, service.origin);
    const link = await service.link('sign_in', await service.account('smoke@example.org'));
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('$5.00').waitFor();
    await page.getByRole('heading', { name: 'What to do next' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    expect(await page.title()).toBe('Overview · EEG task classifiers');
    expect(complaints).toEqual([]);
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByText('The link was used already').waitFor();
  },
);

it.skipIf(chromiumMissing)(
  'the documentation is searched, its code is copied, and the chosen language is remembered on the next visit',
  async () => {
    const { page, complaints } = await watchedPage(browser, service.origin);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/docs/quickstart');
    await page.locator('.tabs').first().getByText('TypeScript', { exact: true }).click();
    await page.locator('.panel:visible').getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('await ');
    await page.reload();
    expect(await page.locator('.tabs').first().locator('input:checked + label').innerText()).toBe('TypeScript');
    await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('unit volt');
    await page.locator('#found a').first().click();
    await page.waitForURL(/\/docs\/.+/);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
);
