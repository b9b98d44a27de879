import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
});
afterAll(() => api.close());

/** As browsers send it in a navigation. */
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const get = (url: string, accept?: string, method: 'GET' | 'POST' = 'GET') =>
  api.app.inject({ url, method, headers: accept === undefined ? {} : { accept } });

const unknownPaths = ['/nothing', '/docs/nothing', '/v1/nothing', '/dashboard/api/nothing', '/shared/x', '/%E0%A4%A'];

it.each(unknownPaths)('%s is a page in a browser, and an error object for a program', async (path) => {
  const page = await get(path, browserAccept);
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.body).toContain('<a href="/docs">');
  expect(page.body).not.toMatch(/NOT_FOUND|"code"|endpoint/);
  expect(page.body).toContain(String(page.headers['x-request-id']));
  expect(page.headers['cache-control']).toBe('no-store');
  for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0']) {
    const answer = await get(path, accept);
    expect([answer.statusCode, answer.headers['content-type']], accept).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
    expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', type: 'not_found_error' });
    expect(answer.headers['vary']).toContain('accept');
  }
});

it('a request with a key gets the error object, also if its client asks for HTML first', async () => {
  const java = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
  const headers = { accept: java, authorization: 'Bearer bad' };
  const answer = await api.app.inject({ url: '/v1/usage', headers });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([401, 'application/json; charset=utf-8']);
  expect((await get('/v1/nothing', 'application/json, text/html')).json().code).toBe('NOT_FOUND');
});

it('only a navigation gets a page: a request that changes data gets the error object', async () => {
  expect((await get('/nothing', browserAccept, 'POST')).json().code).toBe('NOT_FOUND');
});

it('a page of an error speaks to a person, and loads nothing from elsewhere', async () => {
  const page = await get('/v1/usage', browserAccept);
  expect([page.statusCode, page.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect(page.body).toContain('<h1>Sign in first</h1>');
  expect(String(page.headers['content-security-policy'])).toContain("default-src 'none'; style-src 'self'");
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
  expect(addresses.filter((url) => !/^[/#]/.test(url))).toEqual([]);
  expect(page.body).not.toMatch(/<script|<style|\sstyle=/);
});

it('a page repeats nothing of its address', async () => {
  const page = await get('/%3Cscript%3Ealert(1)%3C/script%3E?q=%3Cb%3E', browserAccept);
  expect(page.body).not.toMatch(/alert|<b>/);
});
