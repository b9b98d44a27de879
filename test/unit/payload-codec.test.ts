import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultPayloadConverter } from '@temporalio/common';
import { createPayloadCodec } from '../../infra/drivers/temporal/payload-codec.ts';
import { startCodecServer, type CodecServer } from '../../infra/drivers/temporal/codec-server.ts';

const older = new Uint8Array(32).fill(1);
const newer = new Uint8Array(32).fill(2);
const words = { idempotencyKey: 'canary-key', classes: ['canary left', 'canary right'] };
const payload = defaultPayloadConverter.toPayload(words);
const sealed = async (keys: readonly Uint8Array[]) => (await createPayloadCodec(keys).encode([payload]))[0];

describe('the payload codec', () => {
  it('makes every word unreadable, and decrypts it again', async () => {
    const hidden = await sealed([newer]);
    expect(Buffer.from(hidden.data!).includes('canary')).toBe(false);
    expect(Object.keys(hidden.metadata!)).toEqual(['encoding', 'encryption-key-id']);
    const [shown] = await createPayloadCodec([newer]).decode([hidden]);
    expect(defaultPayloadConverter.fromPayload(shown)).toEqual(words);
  });

  it('reads payloads of former keys, and payloads without encryption', async () => {
    const read = await createPayloadCodec([newer, older]).decode([await sealed([older]), payload]);
    expect(read.map((each) => defaultPayloadConverter.fromPayload(each))).toEqual([words, words]);
  });

  it('names the missing key, and refuses changed payloads', async () => {
    await expect(createPayloadCodec([newer]).decode([await sealed([older])])).rejects.toThrow(
      /encrypted with key [0-9a-f]{8}, where this process holds [0-9a-f]{8}: see that DATA_ENCRYPTION_KEY/,
    );
    const changed = await sealed([newer]);
    changed.data![20] ^= 1;
    await expect(createPayloadCodec([newer]).decode([changed])).rejects.toThrow();
  });
});

describe('the codec endpoint', () => {
  let server: CodecServer;
  beforeAll(async () => {
    server = await startCodecServer([newer], ['http://ui']);
  });
  afterAll(() => server.stop());

  const sent = async (keys: readonly Uint8Array[]) => {
    const { metadata, data } = await sealed(keys);
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    return {
      metadata: Object.fromEntries(Object.entries(metadata!).map(([name, value]) => [name, base64(value)])),
      data: base64(data!),
    };
  };
  const decode = async (url: string, body: unknown, headers: Record<string, string> = { origin: 'http://ui' }) =>
    await fetch(`${url}/decode`, { method: 'POST', body: JSON.stringify(body), headers });
  /** One request with headers that `fetch` does not let through. */
  const answered = (method: string, headers: Record<string, string>) =>
    new Promise<{ status?: number; allowed?: string }>((resolve, reject) => {
      request(`${server.url}/decode`, { method, headers }, (reply) => {
        resolve({ status: reply.resume().statusCode, allowed: reply.headers['access-control-allow-origin'] });
      })
        .on('error', reject)
        .end(method === 'POST' ? '{"payloads":[]}' : undefined);
    });

  it('decrypts for a caller that knows its secret path, and leaves payloads of unknown keys unchanged', async () => {
    const reply = await decode(server.url, { payloads: [await sent([newer]), await sent([older])] });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, 'http://ui']);
    const { payloads } = (await reply.json()) as { payloads: { data: string }[] };
    expect(JSON.parse(Buffer.from(payloads[0].data, 'base64').toString())).toEqual(words);
    expect(Buffer.from(payloads[1].data, 'base64').includes('canary')).toBe(false);
  });

  it('answers 404 to everyone else, and listens on this machine only', async () => {
    const { origin, pathname, hostname } = new URL(server.url);
    expect(hostname).toBe('127.0.0.1');
    expect(pathname).toMatch(/^\/[\w-]{43}$/);
    for (const url of [origin, `${origin}/${'x'.repeat(43)}`, `${server.url}x`])
      expect((await decode(url, { payloads: [await sent([newer])] })).status, url).toBe(404);
    expect((await fetch(`${server.url}/encode`, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  it('answers only pages of the interface, and no page that uses DNS rebinding', async () => {
    const { port } = new URL(server.url);
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
      { host: `evil.example:${port}`, origin: 'http://ui' },
      { host: `evil.example:${port}` },
      { 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[])
      for (const method of ['POST', 'OPTIONS'])
        expect(await answered(method, headers), JSON.stringify(headers)).toEqual({ status: 403, allowed: undefined });
    expect((await answered('POST', {})).status).toBe(200);
    expect((await answered('POST', { host: `localhost:${port}`, origin: 'http://ui' })).status).toBe(200);
  });

  it('answers preflight requests of browsers, and refuses bodies that are no list of payloads', async () => {
    expect(await answered('OPTIONS', { origin: 'http://ui' })).toEqual({ status: 204, allowed: 'http://ui' });
    expect((await fetch(`${server.url}/decode`, { method: 'POST', body: 'no json' })).status).toBe(400);
  });
});
