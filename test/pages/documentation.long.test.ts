import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsPages } from '../../api/docs/site.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { artefact, openBrowser, violations } from '../support/chromium.ts';
import { schemes, screens } from '../support/chromium-page.ts';

const addresses = ['/', '/docs', ...docsPages.map(({ name }) => `/docs/${name}`)];
const widths = Object.values(screens).map(({ width }) => width);

let api: TestApi;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

interface Seen {
  readonly page: Page;
  /** Errors of the console, violations of the policy among them. */
  readonly errors: string[];
  /** Hosts that were asked for something. */
  readonly hosts: Set<string>;
}

async function open(width: number, colorScheme: 'light' | 'dark', bypassCSP: boolean): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP });
  const page = await context.newPage();
  const [errors, hosts] = [[] as string[], new Set<string>()];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => void errors.push(String(error)));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  return { page, errors, hosts };
}

const nameOf = (address: string): string => address.slice(1).replaceAll('/', '-') || 'landing';

describe.each(widths)('at %d pixels', (width) => {
  // axe is put into the page by evaluation, which a strict policy forbids: its own effect is seen at /docs/api and below.
  it(
    'every page in light and dark is without violations of accessibility, and no wider than the screen',
    { timeout: 300_000 },
    async () => {
      const { page } = await open(width, 'light', true);
      const found: Record<string, unknown> = {};
      for (const address of addresses) {
        await page.goto(origin + address);
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
          const wrong = [...(await violations(page)), ...(wide > width ? [`${wide} pixels wide`] : [])];
          if (wrong.length > 0) found[`${address} ${colorScheme}`] = wrong;
          const picture = `docs-${nameOf(address)}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: artefact(picture), fullPage: true });
        }
      }
      expect(found).toEqual({});
      await page.context().close();
    },
  );
});

it('under their policy, the pages load without an error and ask no other host', { timeout: 120_000 }, async () => {
  const { page, errors, hosts } = await open(1280, 'light', false);
  for (const address of addresses) await page.goto(origin + address, { waitUntil: 'load' });
  expect(errors).toEqual([]);
  expect([...hosts]).toEqual([new URL(origin).host]);
  await page.context().close();
});

it('the tabs of a snippet change by keyboard, without a script', async () => {
  const { page } = await open(1280, 'light', false);
  await page.goto(`${origin}/docs/quickstart`);
  const group = page.locator('fieldset.tabs').first();
  expect(await group.locator('.panel:visible').count()).toBe(1);
  await group.locator('input').first().focus();
  const before = await group.locator('.panel:visible').textContent();
  await page.keyboard.press('ArrowRight');
  expect(await group.locator('.panel:visible').textContent()).not.toBe(before);
  expect(await group.locator('.panel:visible').count()).toBe(1);
  await page.context().close();
});

describe.each(schemes)('/docs/api in the %s', (scheme) => {
  it.each(widths)(
    'is drawn at %d pixels, under its policy, from our own host alone',
    { timeout: 120_000 },
    async (width) => {
      const { page, errors, hosts } = await open(width, scheme, false);
      await page.goto(`${origin}/docs/api`);
      await page.getByRole('heading', { name: 'List task models' }).first().waitFor({ timeout: 60_000 });
      // What lies below the window is drawn when it is reached.
      for (const name of ['Create a task model', 'Service status']) {
        const heading = page.getByRole('heading', { name }).first();
        for (const until = Date.now() + 60_000; !(await heading.isVisible()) && Date.now() < until;)
          await page.mouse.wheel(0, 1500);
        expect(await heading.isVisible()).toBe(true);
      }
      await page.waitForLoadState('networkidle');
      expect(errors).toEqual([]);
      expect([...hosts]).toEqual([new URL(origin).host]);
      expect(await page.getByRole('button', { name: /test request|ask ai|generate mcp/i }).count()).toBe(0);
      await page.screenshot({ path: artefact(`docs-api-${width}-${scheme}.png`) });
      await page.context().close();
      const looked = await open(width, scheme, true);
      await looked.page.goto(`${origin}/docs/api`);
      await looked.page.getByRole('heading', { name: 'List task models' }).first().waitFor({ timeout: 60_000 });
      expect(await violations(looked.page)).toEqual([]);
      await looked.page.context().close();
    },
  );
});
