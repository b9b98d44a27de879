import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulateRecording } from '../support/simulated-recording.ts';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { someOf } from '../support/counts.ts';
import { createOf, httpClient, signalOf } from '../support/http-client.ts';
import { admin, adminKey, newDataDir, runMain } from '../support/stack.ts';

const { trials } = simulateRecording();
const body = createOf(trials, 'imagined movement: fists or feet');

let folder: Awaited<ReturnType<typeof newDataDir>>;
let url: string;
let key: string;
let accountId: string;
let creates = 0;

const start = async () => {
  const program = runMain('start', [], { DATA_DIR: folder.path });
  url = (await program.says(/API\s+(http:\S+)/))[1];
  return program;
};
beforeAll(async () => {
  folder = await newDataDir();
  await start();
  ({ key, accountId } = await adminKey(folder.path));
  await admin(folder.path, 'account', 'credit', '--account', accountId, '--usd', '20');
});
afterAll(() => folder.remove());

const create = (to: string, name: string) =>
  httpClient(to, key).send('POST', '/v1/task-models', body, { 'idempotency-key': name });

/** Sends a create whose connection will be lost. */
const createToLose = (to: string, name: string): Promise<number | string> =>
  create(to, name).then(
    ({ status }) => status,
    () => 'connection lost',
  );

/** Waits until the one create that runs has scored a candidate. */
async function untilScored(): Promise<void> {
  const { databaseUrl } = JSON.parse(await readFile(join(folder.path, 'stack.json'), 'utf8')) as {
    readonly databaseUrl: string;
  };
  const pool = createPool(databaseUrl, { max: 1 });
  const scored = async (): Promise<number> => {
    const { rows } = await pool.query<{ scored: number }>(
      `SELECT count(*)::int AS scored FROM fit_candidates c JOIN fit_requests f USING (job_id)
        WHERE f.finished_at IS NULL AND c.status = 'scored'`,
    );
    return rows[0].scored;
  };
  try {
    await expect.poll(scored, { interval: 20, timeout: 120_000 }).toBeGreaterThan(0);
  } finally {
    await pool.end();
  }
}

/** Retries a create: there is one model, one answer, and one charge more than before. */
async function expectOne(name: string): Promise<{ readonly id: string }> {
  creates += 1;
  const client = httpClient(url, key);
  const created = await client.untilAnswered('/v1/task-models', body, name);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const again = await create(url, name);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(created.body);
  const { body: list } = await client.send('GET', '/v1/task-models');
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual([created.body.id]);
  expect((await client.send('GET', '/v1/usage')).body.month.usd).toBe(`${2 * creates}.00`);
  return created.body;
}

/** Milliseconds after the request was sent; null: once a candidate is scored. */
const moments = someOf([null, 0, 150, 500], 4);

it.each(moments)(
  'answers the retry of a create whose API process was killed (after %s ms), with one model and one charge',
  { timeout: 600_000 },
  async (moment) => {
    const name = `killed-${moment}`;
    const api = runMain('api', [], { DATA_DIR: folder.path });
    const lost = createToLose((await api.says(/API\s+(http:\S+)/))[1], name);
    await (moment === null ? untilScored() : sleep(moment));
    process.kill(api.child.pid!, 'SIGKILL');
    expect(await lost).toBe('connection lost');
    const { id } = await expectOne(name);
    expect((await httpClient(url, key).send('DELETE', `/v1/task-models/${id}`)).status).toBe(200);
  },
);

it(
  'goes on with a running create after a kill -9 of the whole stack: one model, one charge, the answer for the retry',
  { timeout: 600_000 },
  async () => {
    const lost = createToLose(url, 'survives');
    await untilScored();
    await folder.killAll();
    expect(await lost).toBe('connection lost');

    const stack = await start();
    const model = await expectOne('survives');
    expect(model).toMatchObject({ status: 'active', classes: expect.arrayContaining(['fists', 'feet']) });
    const predictions = `/v1/task-models/${model.id}/predictions`;
    const labelled = await httpClient(url, key).send('POST', predictions, signalOf(trials));
    expect(labelled.body.data).toHaveLength(trials.labels.length);
    expect(await admin<object>(folder.path, 'ledger', 'check')).toMatchObject({ ok: true });
    expect(await admin<object>(folder.path, 'account', 'show', '--account', accountId)).toMatchObject({
      held_usd: '0.00',
    });
    expect(await stack.interrupt()).toBe(0);
    expect(await folder.processes()).toEqual([]);
  },
);
