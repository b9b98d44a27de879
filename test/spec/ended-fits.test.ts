import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { createPool, keepsSessions } from '../../infra/drivers/postgres/pool.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { listenForEnded } from '../../infra/records/fit-jobs/ended.ts';
import { enqueueFit, finishFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: TestDatabase['pool'];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 4 });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const answer = { status: 201, body: '{}' };

async function newJob(): Promise<string> {
  const jobId = randomUUID();
  await enqueueFit(pool, { jobId, modelId: 'clf_x', accountId: randomUUID() } as FitRequest, new Date());
  return jobId;
}

const listeners = async (): Promise<number[]> => {
  const { rows } = await database.admin.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  return rows.map(({ pid }) => pid);
};

it('the end of a job is announced when its transaction commits, for that job alone, also on a new connection', async () => {
  const fits = listenForEnded(pool);
  const [first, second] = [await newJob(), await newJob()];
  const heard: string[] = [];
  const waits = [first, second].map((id) => {
    const { ended } = fits.subscribe(id);
    return ended.then(() => heard.push(id));
  });
  await expect.poll(listeners).toHaveLength(1);
  await transaction(pool, async (sql) => {
    await finishFit(sql, first, answer, new Date());
    await pool.query('SELECT 1');
    expect(heard).toEqual([]);
  });
  await waits[0];
  expect(heard).toEqual([first]);

  const [before] = await listeners();
  await database.admin.query('SELECT pg_terminate_backend($1)', [before]);
  await expect.poll(listeners).toEqual([]);
  const third = await newJob();
  const { ended } = fits.subscribe(third);
  await expect.poll(listeners).toHaveLength(1);
  for (const id of [second, third]) await finishFit(pool, id, answer, new Date());
  await Promise.all([...waits, ended]);
  fits.close();
  await expect.poll(listeners).toEqual([]);
});

it('other notifications on the channel change nothing', async () => {
  const fits = listenForEnded(pool);
  const jobId = await newJob();
  const { ended } = fits.subscribe(jobId);
  await expect.poll(listeners).toHaveLength(1);
  for (const told of ['', 'error', 'newListener']) await pool.query(`SELECT pg_notify('fit_ended', $1)`, [told]);
  await finishFit(pool, jobId, answer, new Date());
  await ended;
  fits.close();
});

it('a job without a waiting caller is forgotten', async () => {
  const fits = listenForEnded(pool);
  const jobId = await newJob();
  const gone = fits.subscribe(jobId);
  const stays = fits.subscribe(jobId);
  await expect.poll(listeners).toHaveLength(1);
  let told = false;
  void gone.ended.then(() => (told = true));
  gone.forget();
  await finishFit(pool, jobId, answer, new Date());
  await stays.ended;
  expect(told).toBe(false);
  fits.close();
});

it('behind a transaction pooler no connection listens for notifications', () => {
  expect(keepsSessions('postgres://localhost/eeg')).toBe(true);
  expect(keepsSessions('postgres://localhost/eeg?pooler=transaction')).toBe(false);
});
