import type { Browser, BrowserContext, Page } from 'playwright-core';
import { artefact, violations } from './chromium.ts';

export const schemes = ['light', 'dark'] as const;

interface Screen {
  readonly width: number;
  readonly height: number;
}
const usual = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

/** The screens on which pages are looked at, in pixels. LOOK=1 adds a wide one. */
export const screens: Readonly<Record<string, Screen>> & typeof usual =
  process.env['LOOK'] === '1' ? { wide: { width: 1440, height: 900 }, ...usual } : usual;

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the browser, and requests to other origins. */
  readonly complaints: string[];
}

/** A page of a new browser context that records every error that a person would notice. */
export async function watchedPage(browser: Browser, origin: string, options: object = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(150_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`)) complaints.push(request.url());
  });
  return { page, context, complaints };
}

/**
 * Checks the current page in light and dark, on each screen. Saves a picture of each, and returns axe's
 * findings and the places where the page is wider than the screen.
 */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of schemes)
    for (const [device, size] of Object.entries(screens)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(size);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const view = `${name}-${device}-${colorScheme}`;
      await page.screenshot({ path: artefact(`${view}.png`), fullPage: true });
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(wider) > 0) found.push(`${view}: ${String(wider)} pixels wider than the screen`);
      const cut = `[...document.querySelectorAll('nav${size.width < 640 ? ', .rows' : ''}')].filter((each) => each.scrollWidth > each.clientWidth).length`;
      if (Number(await page.evaluate(cut)) > 0) found.push(`${view}: a menu or a table is cut off`);
      found.push(...(await violations(page)).map((each) => `${view}: ${each}`));
    }
  await page.setViewportSize(screens.desktop);
  return found;
}
