import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { readMarks } from '../../infra/drivers/crash-marks.ts';
import { openAdmin } from '../support/admin.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { createBody, nested } from '../support/requests.ts';
import { runMain, type Program } from '../support/stack.ts';

let api: TestApi;
let account: TestAccount;
let folder: string;
let running: Program | null = null;
beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database, { key: { mode: 'test' } });
  folder = await mkdtemp(join(tmpdir(), 'eeg-predicting-'));
});
afterAll(async () => {
  running?.child.kill('SIGKILL');
  await running?.exit;
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

/** An API process on the database and the objects of the test. */
async function start(): Promise<{ program: Program; url: string }> {
  const { url, keys } = api.threadData.objects;
  const program = runMain('api', [], {
    DATABASE_URL: api.database.url,
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'],
    OBJECT_STORE_URL: url,
    DATA_ENCRYPTION_KEY: Buffer.from(keys![0]!).toString('hex'),
    SESSION_SECRET: 'a session secret of the tests, 32 characters or more',
    XDG_CACHE_HOME: folder,
    LOG_FORMAT: 'text',
  });
  running = program;
  const [, address] = await program.says(/API (http\S+) takes requests/);
  return { program, url: address! };
}

const { description: _, labels: _labels, ...signal } = createBody();
const predict = async (url: string, id: string, trials: number) => {
  const response = await fetch(`${url}/v1/task-models/${id}/predictions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...signal, x: nested(trials) }),
  });
  return { status: response.status, body: await response.json() };
};

/** Folders of the API processes that live or died on this database. */
async function foldersOf(): Promise<string[]> {
  const services = join(folder, 'eeg-task-classifier', 'predicting');
  const [service] = await readdir(services);
  return (await readdir(join(services, service!))).map((name) => join(services, service!, name));
}

/** Kills the process while it labels; false: it has answered before. */
async function killWhileMarked({ child }: Program, file: string, answer: Promise<unknown>): Promise<boolean> {
  const asked = { over: false };
  void answer.catch(() => null).then(() => (asked.over = true));
  for (; !asked.over; await sleep(0)) {
    if (readMarks(file).length === 0) continue;
    child.kill('SIGSTOP');
    await sleep(50);
    if (readMarks(file).length > 0) return child.kill('SIGKILL');
    child.kill('SIGCONT');
  }
  return false;
}

it(
  'after an API was killed twice while it labelled with a model, its next start blocks the model',
  { timeout: 120_000 },
  async () => {
    const reply = await send(api.app, account.key, 'POST', '/v1/task-models', createBody());
    const id = reply.body.id as string;
    const { program, url } = await start();
    expect((await predict(url, id, 1)).status).toBe(200);
    const [own] = await foldersOf();
    const file = join(own!, 'models');
    expect(readMarks(file), 'nothing is labelled now').toEqual([]);
    while (!(await killWhileMarked(program, file, predict(url, id, 1_000))));
    await program.exit;
    const first = await start();
    expect((await predict(first.url, id, 1)).status).toBe(200);
    const [marked] = await foldersOf();
    while (!(await killWhileMarked(first.program, join(marked!, 'models'), predict(first.url, id, 1_000))));
    await first.program.exit;
    const second = await start();
    await second.program.says(/Predictions of a model are blocked/);
    const refused = await predict(second.url, id, 1);
    expect([refused.status, refused.body.code]).toEqual([502, 'BACKEND_FAILURE']);
    expect((await runAdmin(['models', 'unblock', '--model', id], openAdmin(api.database.pool))).exitCode).toBe(0);
    expect((await predict(second.url, id, 1)).status).toBe(200);
    second.program.child.kill('SIGTERM');
    await second.program.exit;
    expect(await foldersOf()).toEqual([]);
  },
);
