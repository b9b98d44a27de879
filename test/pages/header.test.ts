import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
});
afterAll(() => api?.close());

/** The link that a page marks as the part it belongs to; null: none. */
const pages: Readonly<Record<string, string | null>> = {
  '/': null,
  '/docs': '/docs',
  '/docs/quickstart': '/docs',
  '/docs/api': '/docs/api',
  '/dashboard': '/dashboard',
  '/dashboard/models': '/dashboard',
  '/no-such-page': null,
  [`/shared/${'n'.repeat(22)}`]: null,
};

it('landing page, docs, API reference, dashboard and pages of errors have the same header, which marks its part', async () => {
  const headers = new Set<string>();
  for (const [url, part] of Object.entries(pages)) {
    const { body } = await api.app.inject({ url, headers: { accept: 'text/html' } });
    const [header, ...others] = body.match(/<nav class="top"[\s\S]*?<\/nav>/g)!;
    expect(others, url).toEqual([]);
    const marked = [...header!.matchAll(/href="([^"]+)" aria-current/g)].map(([, address]) => address);
    expect(marked, url).toEqual(part === null ? [] : [part]);
    expect(body, url).toContain('<a class="skip" href="#content">');
    headers.add(header!.replaceAll(' aria-current="true"', ''));
  }
  expect([...headers]).toHaveLength(1);
  const links = [...[...headers][0]!.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, address]) => address);
  expect(links).toEqual(['/', '/docs', '/docs/api', '/dashboard']);
});

it('the icon of every page is the one in the header, also for a browser that asks by its usual name', async () => {
  const [icon, usual] = await Promise.all(['/docs/icon.svg', '/favicon.ico'].map((url) => api.app.inject({ url })));
  expect(usual.headers['content-type']).toBe('image/svg+xml');
  expect(usual.body).toBe(icon.body);
  for (const url of ['/', '/docs', '/dashboard'])
    expect((await api.app.inject({ url })).body, url).toMatch(/<link rel="icon"[^>]* href="\/docs\/icon.svg">/);
});

it('the style sheets of all of them hold the same tokens and the same header', async () => {
  const rule = (css: string, selector: string): string => {
    const body = new RegExp(`(?:^|\\})\\s*${selector.replace('.', '\\.')}\\s*\\{([^}]*)\\}`, 'm').exec(css)![1]!;
    return body.replaceAll(/\s+|;\s*$/g, '');
  };
  const sheetOf = async (url: string): Promise<string> => {
    const { body } = await api.app.inject({ url, headers: { accept: 'text/html' } });
    const [, sheet] = /<link rel="stylesheet" href="([^"]+)"/.exec(body)!;
    return (await api.app.inject(sheet!)).body;
  };
  const [landing, reference, dashboard] = await Promise.all(['/', '/docs/api', '/dashboard'].map(sheetOf));
  expect(rule(reference!, '.top')).toBe(rule(landing!, '.top'));
  for (const css of [landing, reference, dashboard]) {
    expect(css).toMatch(/--accent:\s*#14599d/);
    expect(css).toMatch(/\.top\s*\{[^}]*height:\s*var\(--top-height\)/);
  }
});
