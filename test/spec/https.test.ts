import { request } from 'node:https';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAccount, startTestApi, type TestApi } from '../support/api.ts';
import { selfSigned } from '../support/self-signed.ts';

const { cert, key: privateKey } = selfSigned();
let api: TestApi;
let key: string;
let url: string;
beforeAll(async () => {
  api = await startTestApi({ tls: { cert: Buffer.from(cert), key: Buffer.from(privateKey) }, requireHttps: true });
  ({ key } = await newAccount(api.database));
  url = await api.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());

const get = (path: string) =>
  new Promise<{ status?: number; hsts?: string }>((resolve, reject) => {
    request(new URL(path, url), { ca: cert, headers: { authorization: `Bearer ${key}` } }, (reply) => {
      reply.resume();
      resolve({ status: reply.statusCode, hsts: reply.headers['strict-transport-security'] });
    })
      .on('error', reject)
      .end();
  });

it('serves HTTPS with the given certificate, and sends Strict-Transport-Security', async () => {
  expect(url).toMatch(/^https:/);
  expect(await get('/v1/usage')).toEqual({ status: 200, hsts: 'max-age=31536000' });
  expect(await get('/docs')).toEqual({ status: 200, hsts: 'max-age=31536000' });
  expect((await get('/healthz')).status).toBe(200);
});

it('answers nothing on the same port over plain HTTP', async () => {
  await expect(fetch(url.replace('https:', 'http:') + '/v1/usage')).rejects.toThrow();
});

it('behind a proxy refuses plain HTTP before the key is read, except for the health check', async () => {
  const app = api.second({ tls: null, trustedProxies: ['10.0.0.1'] });
  const ask = (path: string, proto: string) =>
    app.inject({
      url: path,
      remoteAddress: '10.0.0.1',
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-proto': proto, host: 'eeg.example.org' },
    });
  expect((await ask('/v1/usage', 'https')).statusCode).toBe(200);
  const refused = await ask('/v1/usage', 'http');
  expect([refused.statusCode, refused.json().code, refused.json().details.errors]).toEqual([
    422,
    'INVALID_REQUEST',
    [expect.objectContaining({ field: 'scheme' })],
  ]);
  expect(refused.headers['x-ratelimit-limit-requests']).toBeUndefined();
  expect((await ask('/healthz', 'http')).statusCode).toBe(200);
});

it('over plain HTTP a browser gets a page in plain words that leads to the secure address, with its style', async () => {
  const app = api.second({ tls: null, trustedProxies: ['10.0.0.1'] });
  const open = (url: string) =>
    app.inject({
      url,
      remoteAddress: '10.0.0.1',
      headers: { accept: 'text/html', 'x-forwarded-proto': 'http', host: 'eeg.example.org' },
    });
  for (const path of ['/', '/dashboard', '/dashboard/sign-in?next=%22', '/docs']) {
    const { statusCode, body } = await open(path);
    expect([path, statusCode]).toEqual([path, 422]);
    expect(body).toContain('<h1>Open the secure address</h1>');
    expect(body).toContain(`<a href="https://eeg.example.org${path}">`);
    expect(body).not.toMatch(/X-Forwarded|INVALID_REQUEST|`/);
    for (const [, part] of body.matchAll(/<link [^>]*href="([^"]+)"/g)) expect((await open(part)).statusCode).toBe(200);
  }
});
