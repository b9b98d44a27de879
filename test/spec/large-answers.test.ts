import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { predictingBy } from '../support/predicting-by.ts';
import { createBody, nested } from '../support/requests.ts';

const mebibyte = 1024 * 1024;
const path = '/v1/task-models';
const { description: _description, labels: _labels, ...signal } = createBody();

let api: TestApi;
let account: TestAccount;
let url: string;
let computed = 0;
/** The service, where the thread's part of each answer has 20 MiB. */
let app: ReturnType<TestApi['second']>;
let port: number;

const data = JSON.stringify([{ padding: 'x'.repeat(20 * mebibyte) }]);

beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database, { key: { mode: 'test' } });
  const id = (await send(api.app, account.key, 'POST', path, createBody())).body.id as string;
  url = `${path}/${id}/predictions`;
  const classes = Array.from({ length: 60 }, (_, at) => `${'ä'.repeat(190)}${at}`);
  await api.database.pool.query('UPDATE task_models SET classes = $2 WHERE id = $1', [id, classes]);
  app = api.second({
    threads: predictingBy(api.deps.threads, async () => {
      computed += 1;
      return { data, warnings: [] } as never;
    }),
    answers: { answerBytes: 64 * mebibyte, pace: { bytesPerSecond: mebibyte, patienceSeconds: 1 } },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(() => api.close());

const predict = (trials: number) => send(app, account.key, 'POST', url, { ...signal, x: nested(trials, 3, 8) });
const leases = async (): Promise<number> =>
  (await api.database.pool.query('SELECT FROM request_leases WHERE account_id = $1', [account.accountId])).rowCount!;

/** Sends a prediction over a socket of its own, whose answer is not read until somebody does. */
async function unread(trials: number): Promise<Socket> {
  const before = computed;
  const socket = connect(port, '127.0.0.1').pause();
  const body = JSON.stringify({ ...signal, x: nested(trials, 3, 8) });
  socket.on('error', () => undefined);
  socket.write(
    `POST ${url} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${account.key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  await expect.poll(() => computed, { timeout: 20_000 }).toBe(before + 1);
  return socket;
}

it('refuses a prediction whose answer could exceed 32 MiB before it is computed, and says how many trials fit', async () => {
  const refused = await predict(4_096);
  expect([refused.status, refused.body.code, refused.body.field], refused.text).toEqual([
    413,
    'PAYLOAD_TOO_LARGE',
    'x',
  ]);
  expect(computed).toBe(0);
  const { trials_that_fit: fitting } = refused.body.details;
  expect(fitting).toBeGreaterThan(100);
  expect((await predict(fitting)).status).toBe(200);
  expect((await predict(fitting + 1)).status).toBe(413);
});

it('sends a large answer whole, and ends the lease when its bytes are gone', async () => {
  const socket = await unread(100);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head, body] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body).data).toEqual(JSON.parse(data));
  await expect.poll(leases).toBe(0);
});

it('keeps lease and memory while an answer is unread, disconnects a reader that pauses, and serves the account again', async () => {
  const socket = await unread(100);
  expect(await leases()).toBe(1);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const crowded = await predict(600);
  expect([crowded.status, crowded.body.code], crowded.text).toEqual([503, 'POOL_SATURATED']);
  await sleep(2_500);
  socket.resume();
  await closed;
  expect(socket.bytesRead).toBeLessThan(20 * mebibyte);
  await expect.poll(leases).toBe(0);
  expect((await predict(600)).status).toBe(200);
}, 30_000);
