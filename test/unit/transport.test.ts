import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { answerErrors } from '../../api/http/errors.ts';
import { requireHttps } from '../../api/http/require-https.ts';
import { ConfigError, loadConfig } from '../../infra/drivers/config.ts';
import { followTlsFiles, readTransport } from '../../infra/main/transport.ts';
import { selfSigned } from '../support/self-signed.ts';
import { silentLog, textLog } from '../../infra/observe/log.ts';

const folder = mkdtempSync(join(tmpdir(), 'transport-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = (name: string) => {
  const pair = selfSigned();
  writeFileSync(join(folder, `${name}.crt`), pair.cert);
  writeFileSync(join(folder, `${name}.key`), pair.key);
  return { TLS_CERT_FILE: `${name}.crt`, TLS_KEY_FILE: `${name}.key` };
};
const read = (environment: Record<string, string>) => readTransport(loadConfig(environment, folder));

describe('where the API may be served', () => {
  it.each(['127.0.0.1', 'localhost', '::1', '127.8.9.1'])('on %s with neither TLS nor a proxy', async (HOST) => {
    expect(await read({ HOST })).toEqual({ tls: null, requireHttps: false });
  });

  it.each(['0.0.0.0', '::', '10.1.2.3', 'eeg.example.org'])('not on %s with neither', async (HOST) => {
    await expect(read({ HOST })).rejects.toThrow(ConfigError);
    await expect(read({ HOST })).rejects.toThrow(/TLS_CERT_FILE and TLS_KEY_FILE.*TRUSTED_PROXIES.*HOST=127\.0\.0\.1/s);
  });

  it('anywhere with a certificate and its key, or behind a trusted proxy', async () => {
    const { tls } = await read({ HOST: '0.0.0.0', ...files('a') });
    expect(tls?.cert.toString()).toContain('BEGIN CERTIFICATE');
    expect(await read({ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.1' })).toEqual({ tls: null, requireHttps: true });
  });

  it('names a file that is missing, unreadable, or does not belong to the other one', async () => {
    expect(() => loadConfig({ TLS_CERT_FILE: 'a.crt' }, folder)).toThrow('TLS_KEY_FILE must be set');
    expect(() => loadConfig({ TLS_KEY_FILE: 'a.key' }, folder)).toThrow('TLS_CERT_FILE must be set');
    const pair = files('b');
    await expect(read({ ...pair, TLS_KEY_FILE: 'absent.key' })).rejects.toThrow('TLS_KEY_FILE cannot be read');
    await expect(read({ ...pair, TLS_KEY_FILE: files('c').TLS_KEY_FILE })).rejects.toThrow(
      /b\.crt.*c\.key.*are no certificate chain with its key/,
    );
  });
});

it('takes a renewed certificate from its files, and keeps the old one if the new pair does not match', async () => {
  files('live');
  const contexts: unknown[] = [];
  const said: string[] = [];
  const end = new AbortController();
  const server = { setSecureContext: (context: unknown) => void contexts.push(context) };
  const paths = { cert: join(folder, 'live.crt'), key: join(folder, 'live.key') };
  followTlsFiles(server, paths, { signal: end.signal, log: textLog((line) => void said.push(line)), everyMs: 20 });
  await sleep(100);
  expect(contexts).toEqual([]);
  const pair = selfSigned();
  writeFileSync(paths.cert, pair.cert);
  utimesSync(paths.cert, 1e9, 1e9);
  await expect.poll(() => said.join()).toContain('are no certificate chain with its key');
  expect(contexts).toEqual([]);
  writeFileSync(paths.key, pair.key);
  utimesSync(paths.key, 2e9, 2e9);
  await expect.poll(() => contexts.length).toBeGreaterThan(0);
  end.abort();
});

describe('a request that came over plain HTTP', () => {
  const app = Fastify({ trustProxy: ['10.0.0.1'] });
  answerErrors(app, { log: silentLog });
  requireHttps(app, true);
  app.get('/v1/x', async () => 'ok');
  const ask = (remoteAddress: string, headers: Record<string, string> = {}) =>
    app.inject({ url: '/v1/x?y=1', remoteAddress, headers: { host: 'eeg.example.org', ...headers } });

  it.each([
    ['by the word of a trusted proxy', '10.0.0.1', { 'x-forwarded-proto': 'http' }],
    ['through a trusted proxy that does not say', '10.0.0.1', {}],
    ['from a stranger who says https', '203.0.113.9', { 'x-forwarded-proto': 'https' }],
    ['through a program of this machine that nobody trusts', '127.0.0.1', { 'x-forwarded-proto': 'https' }],
    ['through a program of this machine that does not say', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }],
  ])('%s is refused with the URL to use', async (_name, remoteAddress, headers) => {
    const reply = await ask(remoteAddress, headers);
    expect([reply.statusCode, reply.json().code, reply.json().field]).toEqual([422, 'INVALID_REQUEST', 'scheme']);
    expect(reply.json().message).toContain('Use https://eeg.example.org/v1/x?y=1.');
    expect(reply.json().message).toContain('HTTPS only');
    expect(reply.headers['strict-transport-security']).toBeUndefined();
  });

  it('is served from this machine itself', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect((await ask(address)).statusCode, address).toBe(200);
  });

  it('does not apply if a trusted proxy used HTTPS: it is served, with the header that keeps HTTPS', async () => {
    const reply = await ask('10.0.0.1', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' });
    expect([reply.statusCode, reply.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  });
});
