import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { createBody } from '../support/requests.ts';
import { newDataDir, runMain, type Program } from '../support/stack.ts';

let api: TestApi;
let folder: Awaited<ReturnType<typeof newDataDir>>;
let program: Program;
beforeAll(async () => {
  [api, folder] = await Promise.all([startTestApi(), newDataDir()]);
  program = runMain('api', [], {
    DATA_DIR: folder.path,
    DATABASE_URL: api.database.url,
    OBJECT_STORE_URL: api.threadData.objects.url,
    DATA_ENCRYPTION_KEY: Buffer.from(api.threadData.objects.keys[0]!).toString('base64'),
    SESSION_SECRET: 'a secret of this test, of 32 characters',
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233',
    DRAIN_SECONDS: '5',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'info',
  });
});
afterAll(async () => {
  await folder.remove();
  await api.close();
});

it('after SIGTERM /readyz says 503, running and new predictions are answered, and the process exits with 0', async () => {
  const { key } = await newAccount(api.database);
  const body = createBody();
  const created = await send(api.app, key, 'POST', '/v1/task-models', body);
  expect(created.status).toBe(201);
  const { labels: _, description: __, ...signal } = body;
  const [, url] = await program.says(/API (http:\S+)/);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 60_000, interval: 100 }).toBe(200);
  const predict = async (): Promise<number> => {
    const reply = await fetch(`${url}/v1/task-models/${created.body.id}/predictions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(signal),
    });
    await reply.arrayBuffer();
    return reply.status;
  };
  const running = Array.from({ length: 8 }, predict);
  await sleep(20);
  program.child.kill('SIGTERM');
  const told = async (): Promise<unknown> =>
    ((await (await fetch(`${url}/readyz`)).json()) as { status: string }).status;
  await expect.poll(told, { timeout: 4_000, interval: 20 }).toBe('unavailable');
  running.push(predict());
  expect(await Promise.all(running)).toEqual(running.map(() => 200));
  expect(await program.exit).toBe(0);
  for (const line of program.output().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
});
