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

it.skipIf(chromiumMissing)(
  'the test key that a tab was shown is in the examples of that tab, until it is removed or its person signs out',
  async () => {
    const { page, context, complaints } = await watchedPage(browser, service.origin);
    const sent: string[] = [];
    await page.goto(await service.link('sign_in', await service.account('examples@example.org')));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const makeKey = async (mode: string): Promise<string> => {
      await page.goto('/dashboard/keys');
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(mode);
      await page.getByRole('radio', { name: mode }).check();
      await page.getByRole('button', { name: 'Make the key' }).click();
      return (await page
        .getByRole('region', { name: `The key “${mode}”` })
        .locator('code')
        .textContent())!;
    };
    const examples = async (): Promise<string> => (await page.locator('main').textContent())!;
    await makeKey('Live');
    await page.goto('/docs/quickstart');
    expect(await examples()).toContain('export EEG_API_KEY=eeg_test_…');
    const key = await makeKey('Test');
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.getByRole('link', { name: 'quickstart' }).click();
    await page.getByText(`export EEG_API_KEY=${key}`).waitFor();
    expect(await examples()).toContain(`Authorization: Bearer ${key}`);
    await page.getByRole('button', { name: 'Remove my key' }).click();
    expect(await examples()).not.toContain(key);
    const box = page.getByRole('group', { name: 'Your test key' });
    await box.getByRole('textbox').fill(key.replace('_test_', '_live_'));
    await box.getByRole('button', { name: 'Fill in' }).click();
    await box.getByText('This is not a test key.').waitFor();
    await box.getByRole('textbox').fill(key);
    await box.getByRole('button', { name: 'Fill in' }).click();
    await page.reload();
    await page.getByText(`export EEG_API_KEY=${key}`).waitFor();
    expect(sent.filter((each) => each.includes(key))).toEqual([]);
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/docs/quickstart');
    expect(await examples()).toContain('export EEG_API_KEY=eeg_test_…');
    expect(complaints.filter((each) => !/status of 401/.test(each))).toEqual([]);
    await context.close();
  },
);
