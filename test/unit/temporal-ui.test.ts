import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTemporalUi, type TemporalUi } from '../../infra/embedded/temporal-ui.ts';
import { createPayloadCodec } from '../../infra/drivers/temporal/payload-codec.ts';

const key = new Uint8Array(32).fill(2);
let temporal: Server;
let running = true;
let ui: TemporalUi;
let seen: { method?: string; url?: string; host?: string; body: string }[] = [];

beforeAll(async () => {
  temporal = createServer((asked, reply) => {
    let body = '';
    asked.on('data', (chunk) => (body += chunk));
    asked.on('end', () => {
      seen.push({ method: asked.method, url: asked.url, host: asked.headers.host, body });
      reply.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end('the interface');
    });
  });
  await new Promise<void>((resolve) => temporal.listen(0, '127.0.0.1', resolve));
  const { port } = temporal.address() as AddressInfo;
  const upstream = () => (running ? { host: '127.0.0.1', port } : null);
  ui = await startTemporalUi({ port: null, keys: [key], upstream });
});
afterAll(async () => {
  await ui.stop();
  temporal.close();
});

/** One request as a browser sends it, whatever its Host. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) =>
  new Promise<{ status?: number; headers: IncomingMessage['headers']; text: string }>((resolve, reject) => {
    request(new URL(path, ui.url), { method, headers }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => (text += chunk));
      reply.on('end', () => resolve({ status: reply.statusCode, headers: reply.headers, text }));
    })
      .on('error', reject)
      .end(body);
  });

const portOf = () => new URL(ui.url).port;
const sealed = async (): Promise<string> => {
  const [{ metadata, data }] = await createPayloadCodec([key]).encode([defaultPayloadConverter.toPayload('canary')]);
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const named = Object.entries(metadata!).map(([name, value]) => [name, base64(value)]);
  return JSON.stringify({ payloads: [{ metadata: Object.fromEntries(named), data: base64(data!) }] });
};

describe('the Temporal interface of the embedded server', () => {
  it('is proxied, with methods, bodies and headers', async () => {
    seen = [];
    const reply = await ask('/api/v1/x?y=1', { origin: ui.url }, 'POST', 'sent');
    expect(reply).toMatchObject({ status: 201, text: 'the interface' });
    expect(reply.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(seen).toEqual([{ method: 'POST', url: '/api/v1/x?y=1', host: new URL(ui.url).host, body: 'sent' }]);
    expect((await ask('/', { host: `localhost:${portOf()}` })).status).toBe(201);
    expect((await ask('/', { host: '[::1]:9999' })).status).toBe(201);
  });

  it('is refused under the name of an attacker (DNS rebinding), and to pages of another origin', async () => {
    seen = [];
    const foreign: Record<string, string>[] = [
      { host: `evil.example:${portOf()}` },
      { host: `127.0.0.1.evil.example:${portOf()}` },
      { host: `evil.example:${portOf()}`, origin: `http://evil.example:${portOf()}` },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:3000' },
    ];
    for (const headers of foreign)
      for (const method of ['GET', 'POST']) expect((await ask('/api/v1/settings', headers, method)).status).toBe(403);
    expect(seen).toEqual([]);
  });

  it('says that the server does not run', async () => {
    running = false;
    expect((await ask('/')).status).toBe(502);
    running = true;
  });

  it('listens on this machine only, and refuses a port that is taken, by the name of its variable', async () => {
    expect(new URL(ui.url).hostname).toBe('127.0.0.1');
    const again = startTemporalUi({ port: Number(portOf()), keys: [key], upstream: () => null });
    await expect(again).rejects.toThrow(`TEMPORAL_UI_PORT is ${portOf()}, but another program listens there.`);
  });
});

describe('the codec of the embedded server', () => {
  it('decrypts only for pages of the interface, and has no readable secret', async () => {
    expect(ui.codecUrl).toBe(`${ui.url}/payload-codec`);
    const path = '/payload-codec/decode';
    const body = await sealed();
    for (const [host, origin] of [
      [`127.0.0.1:${portOf()}`, ui.url],
      [`127.0.0.1:${portOf()}`, `http://localhost:${portOf()}`],
    ]) {
      const reply = await ask(path, { host, origin }, 'POST', body);
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, origin]);
      expect(Buffer.from(JSON.parse(reply.text).payloads[0].data, 'base64').toString()).toBe('"canary"');
    }
    const foreign: Record<string, string>[] = [
      { host: `evil.example:${portOf()}`, origin: `http://evil.example:${portOf()}` },
      { host: `evil.example:${portOf()}`, origin: ui.url },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign)
      for (const method of ['POST', 'OPTIONS']) {
        const reply = await ask(path, headers, method, method === 'POST' ? body : undefined);
        expect([reply.status, reply.headers['access-control-allow-origin'], reply.text]).toEqual([403, undefined, '']);
      }
  });
});
