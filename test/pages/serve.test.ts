import Fastify, { type FastifyInstance } from 'fastify';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerErrors } from '../../api/http/errors.ts';
import { accountPages } from '../../api/pages/serve.ts';
import { silentLog } from '../../infra/observe/log.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = Fastify();
  answerErrors(app, { log: silentLog });
  accountPages(app, async () => undefined);
  await app.ready();
});
afterAll(() => app.close());

const get = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });
const addressesIn = (html: string): string[] => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
const assetsIn = (html: string): string[] => addressesIn(html).filter((url) => url.startsWith('/dashboard/assets/'));

it('every page is the same document, without resources of other hosts and without inline scripts or styles', async () => {
  const { body } = await get('/dashboard');
  for (const url of ['/dashboard', '/dashboard/', '/dashboard/models/clf_1', '/dashboard/no-such-page']) {
    const page = await get(url);
    expect(page.statusCode).toBe(200);
    expect(page.body).toBe(body);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  }
  expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
  expect(addressesIn(body).filter((url) => !/^[/#]/.test(url))).toEqual([]);
});

it('assets never change under their name, and have the encoding that the browser accepts', async () => {
  const assets = assetsIn((await get('/dashboard')).body);
  expect(assets.length).toBeGreaterThanOrEqual(3);
  for (const url of assets) {
    const plain = await get(url);
    expect(plain.statusCode).toBe(200);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const [br, gzip, refused] = await Promise.all([get(url, 'gzip, br'), get(url, 'gzip'), get(url, 'br;q=0')]);
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(refused.headers['content-encoding']).toBeUndefined();
  }
});

it('the first page is small: scripts below 60 KiB and styles below 17 KiB as they are sent, in at most five files', async () => {
  const assets = assetsIn((await get('/dashboard')).body);
  expect(assets.length).toBeLessThanOrEqual(5);
  const sent = async (ending: string): Promise<number> => {
    const answers = await Promise.all(assets.filter((url) => url.endsWith(ending)).map((url) => get(url, 'br')));
    return answers.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0);
  };
  expect(await sent('.js')).toBeLessThan(60 * 1024);
  expect(await sent('.css')).toBeLessThan(17 * 1024);
});

it('an unknown asset or path of the interface is no page', async () => {
  for (const url of [
    '/dashboard/assets/main-00000000.js',
    '/dashboard/assets/..%2Fmain.tsx',
    '/dashboard/assets/a/b',
    '/dashboard/api',
    '/dashboard/api/',
    '/dashboard/api?a',
    '/dashboard/api/nothing',
  ]) {
    const answer = await get(url);
    expect(answer.statusCode, url).toBe(404);
    expect(answer.json()).toMatchObject({ type: 'not_found_error', code: 'NOT_FOUND' });
  }
});
