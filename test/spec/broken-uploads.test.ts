import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usualWaits } from '../../api/jobs/jobs.ts';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { answerOn, headOf, opened } from '../support/raw-uploads.ts';
import { createBody } from '../support/requests.ts';

const path = '/v1/task-models';
const mebibyte = 1024 * 1024;
let api: TestApi;
let port: number;
beforeAll(async () => {
  api = await startTestApi({
    bodies: { bodyBytes: 16 * mebibyte, pace: { bytesPerSecond: 100_000, patienceSeconds: 1 } },
  });
  port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => api.close());

const estimate = async (key: string) => {
  const { status, body } = await send(api.app, key, 'POST', path, createBody({ dry_run: true }));
  return [status, body.code];
};

it('frees the memory of uploads that end in the middle', async () => {
  const { key } = await newAccount(api.database);
  for (let round = 0; round < 30; round++) {
    const start = round % 2 ? headOf(path, key, 4 * mebibyte) : `${headOf(path, key)}100000\r\n`;
    const socket = await opened(port, `${start}{"x":"${'A'.repeat(mebibyte / 2)}`);
    await sleep(20);
    socket.destroy();
  }
  await expect.poll(() => estimate(key)).toEqual([200, undefined]);
});

it('answers an unknown path before its body has arrived', async () => {
  const socket = await opened(port, `${headOf('/v1/nothing', 'nobody')}4\r\n{"x"\r\n`);
  const { status, text, body } = await answerOn(socket);
  socket.destroy();
  expect(status).toBe(404);
  expect(text).toContain(`x-request-id: ${body.details.request_id}`);
});

it('ignores an unknown Expect header', async () => {
  const { key } = await newAccount(api.database);
  const head = `GET /v1/usage HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n`;
  const socket = await opened(port, `${head}expect: more\r\n\r\n`);
  expect(await answerOn(socket)).toMatchObject({ status: 200, body: { object: 'usage' } });
  socket.destroy();
});

it('closes idle connections, but none that waits for a fit', () => {
  expect(api.app.server.timeout).toBeGreaterThan(usualWaits.accept + usualWaits.answer);
  expect(api.app.server.timeout).toBeLessThan(3_600_000);
});

it('checks the key before it reads the body', async () => {
  const socket = await opened(port, headOf(path, 'nobody', 8 * mebibyte));
  expect(await answerOn(socket)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  socket.destroy();
});

it('ends an upload that is slower than the slowest pace, and says so', async () => {
  const { key } = await newAccount(api.database);
  const socket = await opened(port, headOf(path, key, 8 * mebibyte));
  const drip = setInterval(() => socket.write('{'), 50);
  const { status, body } = await answerOn(socket).finally(() => clearInterval(drip));
  expect([status, body.code, body.field]).toEqual([422, 'INVALID_REQUEST', 'body']);
  expect(body.message).toMatch(/too slowly: \d+ bytes in \d s, and 100000 bytes a second are required/);
  expect(await estimate(key)).toEqual([200, undefined]);
});

it('waits for an upload that pauses for less than the limit', async () => {
  const { key } = await newAccount(api.database);
  const bytes = Buffer.from(JSON.stringify(createBody({ dry_run: true })));
  const socket = await opened(port, headOf(path, key, bytes.length));
  const step = Math.ceil(bytes.length / 4);
  for (let at = 0; at < bytes.length; at += step) {
    await sleep(150);
    socket.write(bytes.subarray(at, at + step));
  }
  expect((await answerOn(socket)).status).toBe(200);
  socket.destroy();
});

it('leaves room to others while one account sends as many bodies as it can', async () => {
  const [greedy, other] = await Promise.all([newAccount(api.database), newAccount(api.database)]);
  const start = `{"x":"${'A'.repeat(mebibyte)}`;
  const sockets: Socket[] = [];
  for (let at = 0; at < 4; at++) sockets.push(await opened(port, headOf(path, greedy.key, 4 * mebibyte) + start));
  const refused = await Promise.race(sockets.map(answerOn));
  expect([refused.status, refused.body.code]).toEqual([503, 'POOL_SATURATED']);
  expect(refused.body.message).toMatch(/holds 8\.0 MiB of request bodies, 8\.0 MiB of them the account's/);
  expect(await estimate(other.key)).toEqual([200, undefined]);
  for (const socket of sockets) socket.destroy();
  await sleep(100);
  expect(await estimate(greedy.key)).toEqual([200, undefined]);
});

it('counts a body until no work uses it, also after its caller has disconnected', async () => {
  const { key } = await newAccount(api.database);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let working = 0;
  const app = api.second({
    bodies: { bodyBytes: 16 * mebibyte },
    threads: {
      ...api.deps.threads,
      intake: async (...args) => {
        working++;
        await ended;
        return api.deps.threads.intake(...args);
      },
    },
  });
  const other = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  const body = Buffer.alloc(4 * mebibyte, 'A');
  for (let sent = 1; sent <= 2; sent++) {
    const socket = await opened(other, headOf(path, key, body.length));
    socket.write(body);
    await expect.poll(() => working, { timeout: 10_000 }).toBe(sent);
    socket.destroy();
    await sleep(50);
  }
  const third = await opened(other, headOf(path, key, body.length));
  third.write(body);
  expect(await answerOn(third)).toMatchObject({ status: 503, body: { code: 'POOL_SATURATED' } });
  third.destroy();
  end();
  await expect
    .poll(async () => (await send(app, key, 'POST', path, createBody({ dry_run: true }))).status, { timeout: 10_000 })
    .toBe(200);
});
