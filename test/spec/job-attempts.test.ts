import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAttempts, type RecordedJob } from '../../activities/attempts/attempts.ts';
import { createActivities } from '../../activities/create-activities.ts';
import { processName } from '../../infra/drivers/process-name.ts';
import { deaths } from '../../infra/observe/metrics.ts';
import { beginAttempt, endAttempt, judgeAttempts } from '../../infra/records/deaths/job-attempts.ts';
import { announceStop, beat } from '../../infra/records/deaths/worker-processes.ts';
import { threadsHere } from '../support/activities-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let job: string;
const other = 'other/1/abcd';
const { signal } = new AbortController();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  job = crypto.randomUUID();
  await database.pool.query('DELETE FROM worker_processes');
  for (const process of [processName, other]) await beat(database.pool, process);
});

const sql = () => database.pool;
/** The process was last seen so long ago; `me`: the asking process has been seen steadily for that long. */
const seen = (process: string, seconds: number) =>
  sql().query(`UPDATE worker_processes SET seen_at = now() - make_interval(secs => $2) WHERE process = $1`, [
    process,
    seconds,
  ]);
const steady = (seconds: number) =>
  sql().query(`UPDATE worker_processes SET steady_since = now() - make_interval(secs => $2) WHERE process = $1`, [
    processName,
    seconds,
  ]);
const judge = async () => {
  const { unknown, died, diedAlone } = await judgeAttempts(sql(), { job, process: processName, since: null });
  return [unknown, died, diedAlone];
};
const howOf = async (of = job) =>
  (
    await sql().query<{ alone: boolean; how: string | null }>(
      'SELECT alone, how FROM job_attempts WHERE job = $1 ORDER BY attempt',
      [of],
    )
  ).rows.map(({ alone, how }) => `${alone ? 'alone' : 'beside'} ${how}`);

/** Attempts of a job that died, as another process left them. */
async function die(of: string, ...alone: boolean[]): Promise<void> {
  for (const each of alone) {
    const { attempt } = (await beginAttempt(sql(), { job: of, process: other, alone: true }))!;
    await sql().query('UPDATE job_attempts SET alone = $3 WHERE job = $1 AND attempt = $2', [of, attempt, each]);
    await endAttempt(sql(), { job: of, attempt, how: 'died' });
  }
}

it('an attempt whose process is gone has died, unless the database was unreachable; a recorded end counts first', async () => {
  await beginAttempt(sql(), { job, process: other, alone: false });
  await seen(other, 60);
  expect(await judge(), 'this process has not been seen for long enough itself').toEqual([1, 0, 0]);
  await steady(60);
  expect(await judge()).toEqual([0, 1, 0]);
  expect(await beginAttempt(sql(), { job, process: processName, alone: false })).toBeNull();
  await endAttempt(sql(), { job, attempt: 1, how: 'stopped' });
  expect(await beginAttempt(sql(), { job, process: processName, alone: false })).toEqual({ attempt: 2, failed: 0 });
});

it('a process with heartbeats lives: its attempt is lost, and does not count', async () => {
  await beginAttempt(sql(), { job, process: other, alone: false });
  await steady(60);
  const { at, unknown } = await judgeAttempts(sql(), { job, process: processName, since: null });
  expect(unknown).toBe(1);
  await beat(sql(), other);
  const { died } = await judgeAttempts(sql(), { job, process: processName, since: at });
  expect([died, await howOf()]).toEqual([0, ['beside lost']]);
});

it('a process that was told to stop gives up no job', async () => {
  await beginAttempt(sql(), { job, process: other, alone: false });
  await announceStop(sql(), other);
  await seen(other, 60);
  expect([await judge(), await howOf()]).toEqual([[0, 0, 0], ['beside stopped']]);
});

it('a heartbeat after a gap begins a new continuous stretch', async () => {
  await steady(60);
  await seen(processName, 8);
  await beat(sql(), processName);
  const { rows } = await sql().query(
    `SELECT now() - steady_since < interval '5 seconds' AS anew FROM worker_processes WHERE process = $1`,
    [processName],
  );
  expect(rows).toEqual([{ anew: true }]);
});

const recorded = (change: Partial<RecordedJob<string>> = {}): RecordedJob<string> => ({
  id: job,
  kind: 'fit',
  mayRequeue: true,
  givenUp: (why) => `given up: ${why}`,
  ...change,
});

it('after a death a job runs alone; after a death alone it is given up, with one line and a metric', async () => {
  const lines: string[] = [];
  const log = { warn: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
  const attempt = createAttempts({ pool: sql(), log: log as never });
  await die(job, false);
  expect(await attempt(recorded(), signal, async () => 'done')).toBe('done');
  expect(await howOf()).toEqual(['beside died', 'alone done']);
  const before = (await deaths.givenUp.get()).values.find(({ labels }) => labels.kind === 'fit')?.value ?? 0;
  await die(job, true);
  lines.length = 0;
  expect(await attempt(recorded(), signal, async () => 'done')).toBe('given up: killed');
  expect(lines).toEqual(['A job was given up: it ended its process twice, the second time alone.']);
  expect((await deaths.givenUp.get()).values.find(({ labels }) => labels.kind === 'fit')!.value).toBe(before + 1);
});

it('attempts that are stopped or that an outage ends do not count as failed', async () => {
  const attempt = createAttempts({ pool: sql() });
  const away = Object.assign(new Error('The server was away.'), { code: 'ECONNREFUSED' });
  const failing = (error: Error, of = signal) => attempt(recorded({ mostFailed: 1 }), of, () => Promise.reject(error));
  await expect(failing(away)).rejects.toThrow('away');
  const stop = new AbortController();
  const stopped = attempt(recorded({ mostFailed: 1 }), stop.signal, async () => {
    stop.abort();
    throw new Error('It was stopped.');
  });
  await expect(stopped).rejects.toThrow('stopped');
  await expect(failing(new Error('The disk was full.'))).rejects.toThrow('full');
  expect(await attempt(recorded({ mostFailed: 1 }), signal, async () => 'done')).toBe('given up: failed');
  expect((await howOf()).slice(0, 3)).toEqual(['beside outage', 'beside stopped', 'beside failed']);
});

const info = { workflowExecution: { workflowId: 'w', runId: 'r' }, activityId: '1' };
const logger = new DefaultLogger('ERROR');
const activities = () =>
  createActivities({
    pool: sql(),
    objects: {} as never,
    client: {} as Client,
    reference: { url: null, cacheDir: 'nowhere' },
    threads: threadsHere,
  });

it('a step of the reconciler that died alone is reported as a problem, and the later steps run', async () => {
  await die('reconcile/models/r/1', true);
  const report = await new MockActivityEnvironment(info, { logger }).run(activities().reconcileModels, {
    at: Date.now(),
    after: null,
  });
  const problem = 'The step "models" of the reconciler ended its process twice and was given up.';
  expect(report).toEqual({ healed: [], problems: [problem], next: null });
});

it('if preparing a person died alone, the recordings count as faulty, and the preparation is not retried by itself', async () => {
  const key = { set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' };
  await die('person/eegmmidb/1.0.0/eyes-open-closed/S001/r', true);
  const run = new MockActivityEnvironment(info, { logger }).run(activities().preparePerson, { key, person: 'S001' });
  expect(await run).toMatchObject({ status: 'faulty', reason: expect.stringContaining('end the process') });
});

it('a fit of reference people and a survey that died alone end', async () => {
  const request = { key: 'k', set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' } as never;
  await die('reference-fit/k/r', true);
  await die('survey/eegmmidb/1.0.0/eyes-open-closed/r', true);
  const run = () => new MockActivityEnvironment(info, { logger });
  expect(await run().run(activities().fitPeople, { request })).toMatchObject({ status: 'failed' });
  const key = { set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' };
  await expect(run().run(activities().surveyReference, { key })).rejects.toMatchObject({ nonRetryable: true });
});
