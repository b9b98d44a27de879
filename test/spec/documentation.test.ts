import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examples } from '../../api/contract/examples.ts';
import { docsPages, sourceOf } from '../../api/docs/site.ts';
import { fillIn } from '../../api/docs/facts.ts';
import { renderMarkdown } from '../../api/docs/markdown.ts';
import { routes } from '../../clients/dashboard/routes.ts';
import { ApiError, errorTable, type ErrorCode } from '../../infra/contract/errors.ts';
import { limits, newAccountLimits } from '../../infra/contract/limits.ts';
import { dollars, prices } from '../../infra/contract/prices.ts';
import { newAccount, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { createTestDesk, type TestDesk } from '../support/reference-desk.ts';
import { storeReferenceFit } from '../support/reference-fit.ts';
import { outputsOf, scriptOf, snippetsOf } from '../support/snippets.ts';

const addresses = ['/', '/docs', ...docsPages.map(({ name }) => `/docs/${name}`)];

let api: TestApi;
let desk: TestDesk;
const pages = new Map<string, Reply>();
const html = (address: string): string => pages.get(address)!.text;
beforeAll(async () => {
  desk = createTestDesk();
  api = await startTestApi({ reference: desk }, { inProcess: true });
  for (const address of [...addresses, '/docs/api']) pages.set(address, await send(api.app, null, 'GET', address));
});
afterAll(() => api.close());

/** Text of a page, as it is read. */
const words = (address: string): string =>
  html(address)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('every page', () => {
  it.each(addresses)('%s is complete, loads only its style sheet and icon, and contains no placeholder', (address) => {
    const { status, headers } = pages.get(address)!;
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toBe(
      address === '/'
        ? "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
            "frame-ancestors 'none'"
        : "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const scripts = html(address).match(/<script[^>]*>[^<]*/g) ?? [];
    expect(scripts).toEqual(address === '/' ? [] : ['<script type="module" src="/docs/page.js">']);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(html(address)).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
    expect(html(address)).not.toMatch(/\{\{|\}\}|undefined|NaN|\[object/);
    expect(html(address).match(/<h1[ >]/g)).toHaveLength(1);
    const loaded = [...html(address).matchAll(/<(?:link|img)[^>]*(?:href|src)="([^"]+)"/g)].map(([, url]) => url);
    expect([...new Set(loaded)]).toEqual(['/docs/icon.svg', '/docs/style.css']);
  });

  it('links to existing pages and headings', async () => {
    const ids = new Map(
      addresses.map((at) => [at, new Set([...html(at).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const links = addresses.flatMap((from) =>
      [...html(from).matchAll(/<a[^>]*href="([^"]+)"/g)].map(([, href]) => ({ from, href })),
    );
    expect(links.length).toBeGreaterThan(200);
    const broken: string[] = [];
    // One document answers at every path of the account pages: their own table says which there are.
    const account = (to: string): number => (routes.some(({ path }) => path === to) ? 200 : 404);
    const status = async (to: string): Promise<number> => (await send(api.app, null, 'GET', to)).status;
    const statuses = new Map<string, number>();
    for (const { from, href } of links) {
      if (href.startsWith('https://')) continue;
      const [path, anchor] = href.split('#');
      const to = path || from;
      if (!statuses.has(to)) statuses.set(to, to.startsWith('/dashboard') ? account(to) : await status(to));
      const found = statuses.get(to)! < 400 && (!anchor || ids.get(to)?.has(anchor));
      if (!found) broken.push(`${from}: ${href}`);
    }
    expect(broken).toEqual([]);
  });

  it('has its sections in the search, which link to existing headings', async () => {
    const sections: { url: string; heading: string; text: string }[] = (
      await send(api.app, null, 'GET', '/docs/search.json')
    ).body;
    for (const { url, heading, text } of sections) {
      const [path, anchor] = url.split('#');
      expect(anchor === undefined || html(path!).includes(` id="${anchor}"`), url).toBe(true);
      expect(heading).not.toMatch(/[<>]|&\w+;/);
      expect(text).toContain(heading);
    }
    expect(new Set(sections.map(({ url }) => url.split('#')[0]))).toEqual(
      new Set(docsPages.map(({ name }) => `/docs/${name}`)),
    );
    expect((await send(api.app, null, 'GET', '/docs/page.js')).headers['content-type']).toContain('text/javascript');
  });

  it('is one of the files in the folder of pages, and each file is a page', () => {
    const files = readdirSync(new URL('../../api/docs/pages/', import.meta.url));
    const pages = docsPages.map(({ name }) => name).filter((name) => name !== 'movement-network');
    expect(files.sort()).toEqual(['index', ...pages].map((name) => `${name}.md`).sort());
  });
});

describe('facts', () => {
  it.each(Object.keys(errorTable) as ErrorCode[])('error %s has a heading with status, meaning and fix', (code) => {
    const section = html('/docs/errors').split(`id="${code.toLowerCase()}"`)[1]?.split('<h3')[0];
    expect(section).toContain(`<strong>${errorTable[code].status}</strong>`);
    expect(section).toContain(`<code>${errorTable[code].type}</code>`);
    expect(section).toMatch(/<strong>Fix\.<\/strong> \w.{20,}/);
  });

  it('every limit is on the limits page', () => {
    const text = words('/docs/limits');
    const shown = (value: number): string => (value % 1_048_576 ? value : value / 1_048_576).toLocaleString('en-US');
    for (const value of [...Object.values(limits), ...Object.values(newAccountLimits)].flatMap((each) =>
      each === null ? [] : typeof each === 'object' ? [each.min, each.max] : [each],
    ))
      expect(text, String(value)).toMatch(new RegExp(`\\b${shown(value)}\\b`));
  });

  it('every price and every kind of ledger line is on the page of billing', () => {
    const text = words('/docs/billing');
    for (const price of Object.values(prices)) expect(text).toContain(dollars(price));
    for (const kind of ['task_models.create_fee', 'task_models.hosting', 'task_models.predict'])
      expect(text).toContain(kind);
  });

  it('a placeholder without a fact, and two headings with one anchor, are errors', () => {
    expect(() => fillIn('costs {{price.nothing}}')).toThrow('No fact is named "price.nothing"');
    expect(() => renderMarkdown('## Fits\n\n## fits!')).toThrow('Two headings have the anchor "fits"');
  });
});

describe('code in several languages', () => {
  it('is in one group of tabs, and alone if there is one language', () => {
    const { html: text } = renderMarkdown('```sh\na <b>\n```\n\n```python\nc\n```\n\nwords\n\n```sh\nd\n```\n');
    expect(text.match(/<fieldset/g)).toHaveLength(1);
    expect(text.match(/<label for="code-1-\w+">(curl|Python)<\/label>/g)).toHaveLength(2);
    expect(text.match(/checked/g)).toHaveLength(1);
    expect(text).toContain('a &lt;b&gt;');
    expect(text.match(/<pre tabindex="0">/g)).toHaveLength(3);
  });
});

describe('/docs/api', () => {
  it('is drawn by a script of our own origin, and may load nothing from elsewhere', async () => {
    const { headers, text } = pages.get('/docs/api')!;
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual(['<script src="/docs/api/scalar.js">']);
    expect(text).toContain('&quot;url&quot;:&quot;/openapi.json&quot;');
    const script = await send(api.app, null, 'GET', '/docs/api/scalar.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.headers['content-encoding']).toBe('gzip');
  });
});

describe('example trials', () => {
  it('have other kinds than those of the API description, so that they can be distinguished', async () => {
    const { body } = await send(api.app, null, 'GET', '/docs/examples/train.json');
    expect(body.labels.length).toBeGreaterThan(2 * examples.create.value.labels.length);
  });
});

/** Runs the curl snippets of a page against the service; what each printed. */
async function runPage(page: string, key: string, app = api.app): Promise<string[]> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'eeg-docs-'));
  const env = { ...process.env, EEG_API_KEY: key, EEG_BASE_URL: `http://127.0.0.1:${port}` };
  try {
    const script = scriptOf(snippetsOf(page, 'sh'));
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env });
    return outputsOf(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('curl snippets, run unchanged', () => {
  const test = { key: { mode: 'test' as const } };

  it('of the quickstart: estimate, create, predictions that are mostly right, delete', async () => {
    const { key } = await newAccount(api.database, test);
    const printed = await runPage('quickstart', key);
    expect(printed).toHaveLength(5);
    expect(JSON.parse(printed[1])).toMatchObject({
      object: 'task_model.estimate',
      classes: ['both feet', 'both fists'],
    });
    expect(Number(/[\d.]+$/.exec(printed[2].trim())![0])).toBeGreaterThan(0.7);
    const answered = JSON.parse(printed[3]).data.map(({ label }: { label: string }) => label);
    const right = (await send(api.app, null, 'GET', '/docs/examples/new-labels.json')).body as string[];
    expect(answered.filter((label: string, i: number) => label === right[i]).length).toBeGreaterThanOrEqual(9);
    expect(JSON.parse(printed[4])).toMatchObject({ object: 'task_model', status: 'deleted' });
  });

  it('of the deferred fit: two batches and a fit', async () => {
    const { key } = await newAccount(api.database, test);
    const printed = await runPage('deferred-fits', key);
    expect(JSON.parse(printed[1])).toMatchObject({
      batches: 2,
      trials_per_class: { 'both feet': 12, 'both fists': 12 },
    });
    expect(JSON.parse(printed[2])).toMatchObject({ status: 'active', classes: ['both feet', 'both fists'] });
  });

  it('of the model without trials: the estimate, and a create with its mapping', async () => {
    desk.preparationIs({ status: 'ready' });
    const channels = ['O1', 'Oz', 'O2'];
    desk.fitIs({ status: 'ready', result: await storeReferenceFit(api.deps.objects, channels) });
    const { key } = await newAccount(api.database, test);
    const [estimate, created] = await runPage('zero-shot', key);
    expect(estimate).toContain('"ready":true');
    expect(created.trim()).toMatch(/^clf_[0-9a-f]{32}$/);
  });

  it('of the long fits: a job that is started, read and cancelled', async () => {
    const later = new ApiError('POOL_UNAVAILABLE', 'Not yet.', { details: { job: 'running' } });
    const app = api.second({ jobs: { ...api.deps.jobs, runFit: () => Promise.reject(later) } });
    const { key } = await newAccount(api.database, test);
    const [started, read, cancelled] = await runPage('jobs', key, app);
    expect(started).toMatch(/^location: \/v1\/jobs\/job_[0-9a-f]{32}\s*$/i);
    expect(JSON.parse(read)).toMatchObject({ object: 'job', operation: 'create', status: 'queued' });
    expect(JSON.parse(cancelled)).toMatchObject({ status: 'cancelled', id: JSON.parse(read).id });
  });

  it('twice, so that no create is the stored answer of an earlier run', async () => {
    const { key } = await newAccount(api.database, test);
    const ids = [await runPage('deferred-fits', key), await runPage('deferred-fits', key)].map(
      (printed) => JSON.parse(printed[2]).id as string,
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('have no Idempotency-Key that is the same in each run', () => {
    const root = new URL('../../', import.meta.url);
    const documents = ['README.md', 'docs/start.md', 'clients/python/README.md', 'clients/typescript/README.md'];
    const texts = [
      ...documents.map((name) => readFileSync(new URL(name, root), 'utf8')),
      ...docsPages.map(({ name }) => sourceOf(name)),
    ];
    const keys = texts.flatMap((text) => [...text.matchAll(/Idempotency-Key: ([^"\n]+)"/g)].map(([, key]) => key!));
    expect(keys.length).toBeGreaterThan(6);
    expect(keys.filter((key) => !key.startsWith('$'))).toEqual([]);
  });

  it('of the retries: a create', async () => {
    const { key } = await newAccount(api.database, test);
    expect(JSON.parse((await runPage('retries', key))[0])).toMatchObject({ object: 'task_model', status: 'active' });
  });
});
