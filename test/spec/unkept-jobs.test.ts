import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WorkflowExecutionAlreadyStartedError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../api/deps.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { cancelUnawaited } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { createJobs } from '../../api/jobs/jobs.ts';
import { answerOf, pendingFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { createFrailApp, createDurableJobs } from '../support/frail-api.ts';
import { path, small } from '../support/keyed-api.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => await api.close());

const free = 5_000_000n;
const funds = async ({ accountId }: TestAccount) => await balance(api.database.pool, accountId);
const body = createBody(small);
const idOf = async ({ accountId }: TestAccount): Promise<string | undefined> =>
  (await api.database.pool.query<{ id: string }>('SELECT id FROM task_models WHERE account_id = $1', [accountId]))
    .rows[0]?.id;

/** Jobs that take `ms` wherever they are asked from; `runFit` waits for them no longer than `patience`. */
function slowJobs(
  ms: number,
  patience: number,
): { jobs: ApiDeps['jobs']; asked: FitRequest[]; all: Promise<unknown>[] } {
  const run = createDurableJobs(api.deps, () => ms);
  const asked: FitRequest[] = [];
  const all: Promise<unknown>[] = [];
  const late = async (): Promise<never> => {
    await pause(patience);
    throw new ApiError('POOL_UNAVAILABLE', 'No worker.', { retryAfterSeconds: 15, details: { job: 'running' } });
  };
  return {
    asked,
    all,
    jobs: {
      ...api.deps.jobs,
      async runFit(request) {
        asked.push(request);
        const job = run(request, false);
        all.push(job.catch(() => undefined));
        return Promise.race([job, late()]);
      },
    },
  };
}

it.each([
  ['its workflow refuses, as one of a collecting model', { batches: true } as const],
  ['its workflow has ended', null],
])('a job that captured meanwhile keeps its answer and its charge if %s', async (_name, source) => {
  const account = await newAccount(api.database);
  const run = createDurableJobs(api.deps, () => 0);
  const refusal = ApplicationFailure.nonRetryable(
    'It is active; only a collecting task model can be fitted.',
    'FitNotPossible',
  );
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: {
      async startUpdateWithStart(_: string, { args: [request] }: { args: [FitRequest] }) {
        await run(request, false);
        throw new WorkflowUpdateFailedError('refused', refusal);
      },
      async start(_: string, { args: [request] }: { args: [FitRequest] }) {
        await run(request, false);
        throw new WorkflowExecutionAlreadyStartedError('It has ended.', request.jobId, 'fitTaskModel');
      },
      getHandle: () => ({ result: async () => undefined }),
    },
  } as unknown as Client;
  const jobs = createJobs({ client, pool: api.database.pool });
  const app = api.second({
    jobs: { ...jobs, runFit: (request) => jobs.runFit({ ...request, ...(source && { source }) }) },
  });
  const headers = { 'idempotency-key': randomUUID() };
  const reply = await send(app, account.key, 'POST', path, body, headers);
  expect([reply.status, reply.body.status], reply.text).toEqual([201, 'active']);
  expect(await funds(account)).toEqual({ available: free - 2_000_000n, held: 0n });
  expect((await send(api.app, account.key, 'POST', path, body, headers)).text).toBe(reply.text);
});

describe('a create that is answered 503', () => {
  it('is cancelled without an Idempotency-Key: retries are charged once, for the one that succeeds', async () => {
    const account = await newAccount(api.database);
    const { jobs, all, asked } = slowJobs(400, 50);
    const app = api.second({ jobs });
    for (let n = 0; n < 2; n++) {
      const reply = await send(app, account.key, 'POST', path, body);
      expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'POOL_UNAVAILABLE', '15']);
      expect(reply.body.message).toMatch(/cancelled and nothing was charged/);
      expect(await funds(account)).toEqual({ available: free, held: 0n });
    }
    await Promise.all(all);
    expect(await funds(account)).toEqual({ available: free, held: 0n });
    expect(await idOf(account)).toBeUndefined();
    expect((await api.deps.objects.list('staged/')).filter(({ name }) => name.includes(asked[0]!.modelId))).toEqual([]);
    expect((await send(api.app, account.key, 'POST', path, body)).status).toBe(201);
    expect(await funds(account)).toEqual({ available: free - 2_000_000n, held: 0n });
  });

  it('continues with an Idempotency-Key: the same request gets its answer, charged once', async () => {
    const account = await newAccount(api.database);
    const { jobs, all } = slowJobs(300, 50);
    const app = api.second({ jobs, leaseSeconds: 1 });
    const headers = { 'idempotency-key': randomUUID() };
    expect((await send(app, account.key, 'POST', path, body, headers)).status).toBe(503);
    await Promise.all(all);
    const again = await send(app, account.key, 'POST', path, body, headers);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(await funds(account)).toEqual({ available: free - 2_000_000n, held: 0n });
  });

  it('is answered with its model if the capture committed before the cancellation', async () => {
    const account = await newAccount(api.database);
    const runFit: ApiDeps['jobs']['runFit'] = async (request) => {
      await createDurableJobs(api.deps, () => 0)(request, false);
      throw new ApiError('POOL_UNAVAILABLE', 'The answer was lost.');
    };
    const app = api.second({ jobs: { ...api.deps.jobs, runFit } });
    const reply = await send(app, account.key, 'POST', path, body);
    expect([reply.status, reply.body.status]).toEqual([201, 'active']);
  });
});

describe('a caller that hangs up during its create', () => {
  async function hangUp(headers: Record<string, string>): Promise<{ account: TestAccount; job: FitRequest }> {
    const account = await newAccount(api.database);
    const { jobs, all, asked } = slowJobs(500, 5_000);
    const app = api.second({ jobs });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const left = new AbortController();
    const answer = fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      signal: left.signal,
    }).catch(() => null);
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(1);
    left.abort();
    await answer;
    await Promise.all(all);
    return { account, job: asked[0]! };
  }

  it('is not charged without an Idempotency-Key', async () => {
    const { account, job } = await hangUp({});
    expect(await funds(account)).toEqual({ available: free, held: 0n });
    expect(await answerOf(api.database.pool, job.jobId)).toMatchObject({ status: 502, microUsd: 0n });
    expect(await readStored(api.database.pool, job.modelId)).toBeNull();
  });

  it('changes nothing with one', async () => {
    const { account, job } = await hangUp({ 'idempotency-key': randomUUID() });
    expect(await funds(account)).toEqual({ available: free - 2_000_000n, held: 0n });
    expect((await readStored(api.database.pool, job.modelId))?.status).toBe('active');
  });
});

describe('a create whose API process dies', () => {
  /** The process dies while the job runs; its lease ends a second later. */
  async function die(ms: number, headers: Record<string, string> = {}): Promise<TestAccount> {
    const account = await newAccount(api.database);
    const run = createDurableJobs(api.deps, () => ms);
    const jobs: Promise<unknown>[] = [];
    const keep: typeof run = (request, fails) => {
      const job = run(request, fails);
      jobs.push(job.catch(() => undefined));
      return job;
    };
    const { app } = createFrailApp({ ...api.deps, leaseSeconds: 1 }, keep, 'dies during the job');
    await send(app, account.key, 'POST', path, body, headers);
    expect((await funds(account)).held).toBe(2_000_000n);
    await Promise.all(jobs);
    return account;
  }

  it('is not captured without an Idempotency-Key once its lease has ended, and the sweep gives the credit back', async () => {
    const account = await die(1_300);
    expect(await funds(account)).toEqual({ available: free - 2_000_000n, held: 2_000_000n });
    const id = (await idOf(account))!;
    expect(await pendingFit(api.database.pool, id)).not.toBeNull();
    expect(await cancelUnawaited(api.database.pool, new Date())).toBe(1);
    expect(await funds(account)).toEqual({ available: free, held: 0n });
    expect(await readStored(api.database.pool, id)).toBeNull();
    expect(await cancelUnawaited(api.database.pool, new Date())).toBe(0);
  });

  it('is charged with an Idempotency-Key, and its answer waits', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const account = await die(1_300, headers);
    const reply = await send(api.app, account.key, 'POST', path, body, headers);
    expect([reply.status, reply.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(await funds(account)).toEqual({ available: free - 2_000_000n, held: 0n });
  });
});

it('after all of this the books are sound', async () => {
  expect((await checkLedger(api.database.pool)).problems).toEqual([]);
});
