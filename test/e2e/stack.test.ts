import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, adminKey, newDataDir, runMain, type Program } from '../support/stack.ts';

let first: Awaited<ReturnType<typeof newDataDir>>;
let second: Awaited<ReturnType<typeof newDataDir>>;
const urlOf = async (program: Program): Promise<string> => (await program.says(/API\s+(http:\S+)/))[1];

beforeAll(async () => {
  [first, second] = await Promise.all([newDataDir(), newDataDir()]);
});
afterAll(() => Promise.all([first.remove(), second.remove()]));

describe('npm start', () => {
  let one: Program;
  let two: Program;
  let urls: string[];

  beforeAll(async () => {
    one = runMain('start', [], { DATA_DIR: first.path });
    two = runMain('start', [], { DATA_DIR: second.path });
    urls = await Promise.all([urlOf(one), urlOf(two)]);
  });

  it('runs two at a time on free ports, each with its own Temporal interface', async () => {
    expect(urls[0]).not.toBe(urls[1]);
    for (const url of urls) expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' });
    const interfaces = await Promise.all(
      [one, two].map(async (program) => (await program.says(/Temporal UI\s+(http:\S+)/))[1]),
    );
    expect(new Set(interfaces).size).toBe(2);
    for (const url of interfaces) expect((await fetch(url)).status).toBe(200);
  });

  it('shows Temporal to this machine only, and its codec to pages of that interface only, without a secret', async () => {
    const [, ui] = await one.says(/Temporal UI\s+(http:\S+)/);
    const { port } = new URL(ui);
    const under = (host: string, path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request(`${ui}${path}`, { headers: { host } }, (reply) => resolve(reply.resume().statusCode));
        asked.on('error', reject).end();
      });
    for (const path of ['/', '/api/v1/settings']) {
      expect(await under(`127.0.0.1:${port}`, path)).toBe(200);
      expect(await under(`evil.example:${port}`, path)).toBe(403);
    }
    const { Codec } = (await (await fetch(`${ui}/api/v1/settings`)).json()) as { Codec: { Endpoint: string } };
    expect(Codec.Endpoint).toBe(`${ui}/payload-codec`);
    const decode = async (origin: string) =>
      (await fetch(`${Codec.Endpoint}/decode`, { method: 'POST', body: '{"payloads":[]}', headers: { origin } }))
        .status;
    expect([await decode(ui), await decode('http://evil.example')]).toEqual([200, 403]);
  });

  it('names the process that uses DATA_DIR when it is started there again', async () => {
    const third = runMain('start', [], { DATA_DIR: first.path });
    expect(await third.exit).toBe(1);
    expect(third.output()).toContain(
      `${first.path} is in use by process ${one.child.pid} (npm start, serving ${urls[0]})`,
    );
    expect(third.output()).not.toMatch(/at .*\.ts:/);
  });

  it('keeps secrets for their owner only', async () => {
    for (const name of ['secrets/data-encryption-key', 'secrets/session-secret', 'stack.json', 'postgres/password']) {
      expect((await stat(join(first.path, name))).mode & 0o077, name).toBe(0);
    }
  });

  it('lets the admin command work while it runs, and accepts its keys at once', async () => {
    const { key } = await adminKey(first.path);
    const usage = async () =>
      (await fetch(`${urls[0]}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await usage()).toBe(200);
    await admin(first.path, 'key', 'revoke', '--key-id', key.split('_')[2]);
    expect(await usage()).toBe(401);
  });

  it('lets a second API process join it', async () => {
    const api = runMain('api', [], { DATA_DIR: first.path });
    const url = await urlOf(api);
    const { key } = await adminKey(first.path);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    expect((await fetch(`${url}/v1/usage`, { headers })).status).toBe(200);
    // Stopped in the middle of an upload, it waits for the rest and answers.
    const sent = request(`${url}/v1/task-models`, { method: 'POST', headers });
    const reply = once(sent, 'response');
    sent.write('{"x": ');
    await sleep(500);
    const ended = api.interrupt();
    await api.says(/Waiting for the requests that still run/);
    sent.end('1}');
    const [{ statusCode }] = (await reply) as [IncomingMessage];
    expect(statusCode).toBe(422);
    expect(await ended).toBe(0);
  });

  it('stops everything it started on Ctrl-C, keeps the data, and starts again in seconds', async () => {
    const { accountId } = await adminKey(first.path);
    expect(await Promise.all([one.interrupt(), two.interrupt()])).toEqual([0, 0]);
    expect([...(await first.processes()), ...(await second.processes())]).toEqual([]);
    expect(await admin<object>(first.path, 'account', 'show', '--account', accountId)).toMatchObject({
      balance_usd: '5.00',
    });
    const before = performance.now();
    const again = runMain('start', [], { DATA_DIR: first.path });
    await urlOf(again);
    expect((performance.now() - before) / 1000).toBeLessThan(20);
    expect(await again.interrupt()).toBe(0);
    expect(await readFile(join(first.path, 'secrets/session-secret'), 'utf8')).toHaveLength(44);
  });
});

describe('settings', () => {
  it('must name the secrets when DATABASE_URL is set', async () => {
    const program = runMain('start', [], {
      DATA_DIR: first.path,
      DATABASE_URL: 'postgres://user:canary-password@127.0.0.1:1/none',
    });
    expect(await program.exit).toBe(1);
    expect(program.output()).toMatch(/DATA_ENCRYPTION_KEY must be set[^]*SESSION_SECRET must be set/);
    expect(program.output()).not.toContain('canary-password');
  });

  it.each(['start', 'api'])('must say how keys are kept secret before `npm run %s` serves others', async (name) => {
    const program = runMain(name, [], { DATA_DIR: second.path, HOST: '0.0.0.0' });
    expect(await program.exit).toBe(1);
    expect(program.output()).toContain('HOST is 0.0.0.0, which others can reach');
  });

  it.each(['api', 'worker'])('say what `npm run %s` needs', async (name) => {
    const program = runMain(name, [], { DATA_DIR: second.path });
    expect(await program.exit).toBe(1);
    expect(program.output()).toContain('Set DATABASE_URL and TEMPORAL_ADDRESS, or run `npm start`');
  });
});
