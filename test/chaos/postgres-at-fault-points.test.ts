import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activateModel, cleanUpFitted } from '../../activities/fit/activate-model.ts';
import { createActivities } from '../../activities/index.ts';
import type { Activities, FaultPoint } from '../../activities/index.ts';
import { createTools, type Tools } from '../../activities/tools.ts';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import type { EmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { balance, checkLedger, reserve } from '../../infra/records/ledger/index.ts';
import { insertFitting, readStored } from '../../infra/records/task-models/index.ts';
import { createObjectStore } from '../../infra/drivers/objects/index.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';
import { openDatabase, transaction } from '../../infra/drivers/postgres/index.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf, enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { createModel, newAccount, newModel } from '../support/money.ts';

const day = 86_400_000;
const logger = new DefaultLogger('ERROR');
let folder: string;
let server: EmbeddedPostgres;
let pool: Pool;
let objects: ObjectStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-points-'));
  server = await startEmbeddedPostgres({ dir: join(folder, 'postgres') });
  pool = await openDatabase(server.url);
  objects = createObjectStore({ url: pathToFileURL(join(folder, 'objects')).href, keys: [new Uint8Array(32).fill(7)] });
});
afterAll(async () => {
  await pool.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function killServer(): Promise<void> {
  const pid = server.pid;
  process.kill(pid, 'SIGKILL');
  for (const until = Date.now() + 60_000; server.pid === pid; await sleep(50)) {
    if (Date.now() > until) throw new Error('The server was not started again.');
  }
}

/**
 * Runs an activity with Postgres killed at `point`, and again until it ends well, as its workflow does. Returns how
 * often it was tried.
 */
async function survive<T>(
  point: FaultPoint,
  call: (activities: Activities, tools: Tools) => Promise<T>,
): Promise<{ result: T; attempts: number; killed: boolean }> {
  let killed = false;
  const faults = async (passed: FaultPoint): Promise<void> => {
    if (passed !== point || killed) return;
    killed = true;
    await killServer();
  };
  const deps = {
    pool,
    objects,
    threads: {} as never,
    client: {} as Client,
    reference: { url: null, cacheDir: 'nowhere' },
    faults,
    clock: async (ms: number) => new Date(ms),
  };
  const [activities, tools] = [createActivities(deps), createTools(deps)];
  for (let attempts = 1; ; attempts += 1) {
    try {
      return {
        result: await new MockActivityEnvironment({}, { logger }).run(async () => await call(activities, tools)),
        attempts,
        killed,
      };
    } catch (error) {
      if (attempts === 20) throw error;
      await sleep(100);
    }
  }
}

/** An immediate create whose candidates have been scored: hold, row, job, and the model in the store. */
async function fitReady(): Promise<FitRequest> {
  const at = new Date();
  const accountId = await newAccount(pool, at);
  const model = newModel(accountId, at);
  const jobId = crypto.randomUUID();
  return await transaction(pool, async (sql) => {
    const holdId = await reserve(sql, { accountId, mode: 'live', modelId: model.id, at });
    await insertFitting(sql, model);
    const request: FitRequest = {
      jobId,
      modelId: model.id,
      accountId,
      mode: 'live',
      taskKind: 'motor',
      source: { staged: `staged/2026-11-23T08/${model.id}/${jobId}` },
      candidates: [],
      skipped: [],
      bytes: 0,
      cpuSeconds: 0,
      featureSets: [],
      warnings: [],
      idempotencyKey: 'key',
      holdId,
      requestId: 'req_1',
    };
    await sql.query(
      `INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, locked_until, job, created_at) VALUES ($1, 'live', 'key', 'h', 'running', now() + interval '1 minute', $2, now())`,
      [accountId, JSON.stringify({ modelId: model.id, jobId, holdId })],
    );
    await enqueueFit(sql, request, at);
    return request;
  });
}

const keyOf = async (accountId: string) =>
  (
    await pool.query('SELECT state, response_status, response_body FROM idempotency_keys WHERE account_id = $1', [
      accountId,
    ])
  ).rows[0];
const sound = async (): Promise<void> => expect((await checkLedger(pool)).problems).toEqual([]);

test.each(['activate:before', 'activate:before-commit', 'activate:after-commit', 'activate:after-clean-up'] as const)(
  'Postgres killed at %s: the model is active, charged once, and its answer is kept',
  async (point) => {
    const request = await fitReady();
    const fitted = {
      method: { id: 'csp-lda', version: '1', title: 'CSP + LDA' },
      pins: ['method:csp-lda@1'],
      bytes: new Uint8Array([1]),
      report: { balanced_accuracy: 0.9, chance: 0.5, trials_per_class: { left: 20, right: 20 } },
    };
    const { result, killed } = await survive(point, async (_, tools) => {
      const outcome = await activateModel(tools, request, fitted, Date.now());
      await cleanUpFitted(tools, request, outcome);
      return outcome;
    });
    expect(killed).toBe(true);
    expect(result).toEqual({ result: 'activated', status: 201 });
    expect(await readStored(pool, request.modelId)).toMatchObject({ status: 'active' });
    expect(await balance(pool, request.accountId)).toEqual({ available: 3_000_000n, held: 0n });
    const answer = await answerOf(pool, request.jobId);
    expect(await keyOf(request.accountId)).toEqual({
      state: 'done',
      response_status: 201,
      response_body: answer!.body,
    });
    await sound();
  },
);

test.each(['abandon:before-commit', 'abandon:after-commit'] as const)(
  'Postgres killed at %s: nothing is charged, nothing is left, and the answer is kept',
  async (point) => {
    const request = await fitReady();
    const failure = { code: 'CLASSIFIER_FIT_FAILED', message: 'No method could be fitted.', reasons: [] } as const;
    const { result, killed } = await survive(
      point,
      async ({ abandonFit }) => await abandonFit({ request, failure, at: Date.now() }),
    );
    expect(killed).toBe(true);
    expect(result).toEqual({ result: 'abandoned', status: 422 });
    expect(await readStored(pool, request.modelId)).toBeNull();
    expect(await balance(pool, request.accountId)).toEqual({ available: 5_000_000n, held: 0n });
    expect(await keyOf(request.accountId)).toMatchObject({ state: 'done', response_status: 422 });
    expect(
      (await objects.list(`models/${request.modelId}`)).concat(await objects.list(`fits/${request.modelId}`)),
    ).toEqual([]);
    await sound();
  },
);

test.each(['settle:before-commit', 'settle:after-commit', 'settle:after-clean-up'] as const)(
  'Postgres killed at %s: a renewal is charged once',
  async (point) => {
    const start = new Date(Date.now() - 30 * day);
    const accountId = await newAccount(pool, start);
    const id = await createModel(pool, accountId, start);
    const { killed } = await survive(
      point,
      async ({ settleLifecycle }) => await settleLifecycle({ modelId: id, at: Date.now() }),
    );
    expect(killed).toBe(true);
    expect(await balance(pool, accountId)).toEqual({ available: 2_000_000n, held: 0n });
    expect(await readStored(pool, id)).toMatchObject({
      status: 'active',
      paidThrough: new Date(start.getTime() + 60 * day),
    });
    await sound();
  },
);
