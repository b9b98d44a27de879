import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiDeps } from '../../api/deps.ts';
import { job as jobSchema } from '../../api/contract/job.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { jobIdOf } from '../../infra/contract/job-id.ts';
import { dayMs, limits } from '../../infra/contract/limits.ts';
import { reapFitRequests } from '../../infra/records/fit-jobs/stuck.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { newAccount, newKey, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { createDurableJobs, createFrailApp } from '../support/frail-api.ts';
import { path, small } from '../support/keyed-api.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
let account: TestAccount;
/** The fits that were started; each runs once `go` resolves. */
let started: FitRequest[];
let go: () => void;
let opened: Promise<void>;
const runs = new Map<string, Promise<unknown>>();

/** Jobs that start at once and run in this process when `go` is called. Every call with the same job joins it. */
const gated = (run: ApiDeps['jobs']): ApiDeps['jobs'] => ({
  ...run,
  async runFit(request, patienceMs) {
    if (!runs.has(request.jobId)) {
      started.push(request);
      runs.set(
        request.jobId,
        opened.then(() => run.runFit(request)).catch(() => undefined),
      );
    }
    const late = pause(patienceMs ?? 60_000).then(() => {
      throw new ApiError('POOL_UNAVAILABLE', 'Not yet.', { details: { job: 'running' } });
    });
    late.catch(() => undefined);
    return (await Promise.race([runs.get(request.jobId), late])) as never;
  },
});

beforeAll(async () => {
  const plain = await startTestApi();
  api = { ...plain, app: plain.second({ jobs: gated(plain.deps.jobs) }) };
});
afterAll(() => api.close());
beforeEach(async () => {
  account = await newAccount(api.database);
  started = [];
  ({ promise: opened, resolve: go } = Promise.withResolvers<void>());
});

const async = { prefer: 'respond-async' };
const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  send(api.app, account.key, 'POST', url, body, headers);
const create = (key: string, headers: Record<string, string> = async, body: unknown = createBody(small)) =>
  post(path, body, { 'idempotency-key': key, ...headers });
const read = (url: string, key = account.key): Promise<Reply> => send(api.app, key, 'GET', url);
const funds = () => balance(api.database.pool, account.accountId);
const ended = async (location: string): Promise<Reply> => {
  for (;;) {
    const reply = await read(location);
    if (reply.body.finished !== null) return reply;
    await pause(20);
  }
};
const free = 5_000_000n;

describe('a create with Prefer: respond-async', () => {
  it('is answered 202 with a job, then the job has the model, and the key replays 201', async () => {
    const key = randomUUID();
    const reply = await create(key);
    expect([reply.status, reply.headers['preference-applied']], reply.text).toEqual([202, 'respond-async']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(jobSchema.parse(reply.body)).toEqual(reply.body);
    const { location } = reply.headers;
    expect(location).toBe(`/v1/jobs/${reply.body.id}`);
    expect(reply.body).toMatchObject({ status: 'queued', operation: 'create', task_model: null, error: null });
    expect(await funds()).toEqual({ available: free - 2_000_000n, held: 2_000_000n });

    const [again, plain] = [await create(key), await create(key, {})];
    expect([again.status, again.body.id, again.headers.location]).toEqual([202, reply.body.id, location]);
    expect([plain.status, plain.body.code, plain.body.details.progress]).toEqual([
      409,
      'CONFLICT',
      { candidates_scored: 0, candidates: [] },
    ]);
    expect(started).toHaveLength(1);

    go();
    const done = await ended(location);
    expect(jobSchema.parse(done.body)).toEqual(done.body);
    expect([done.status, done.body.status, done.body.error]).toEqual([200, 'succeeded', null]);
    expect(done.headers['retry-after']).toBeUndefined();
    for (const headers of [async, {}]) {
      const replay = await create(key, headers);
      expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([201, 'true']);
      expect(replay.body).toEqual(done.body.task_model);
    }
    expect(await funds()).toEqual({ available: free - 2_000_000n, held: 0n });
    expect(await checkLedger(api.database.pool)).toMatchObject({ problems: [] });
  });

  it('waits as long as `wait` says, and then answers as usual or with the job', async () => {
    go();
    const quick = await create(randomUUID(), { prefer: 'respond-async, wait=20' });
    expect([quick.status, quick.headers['preference-applied']]).toEqual([201, undefined]);
    ({ promise: opened, resolve: go } = Promise.withResolvers<void>());
    const slow = await create(randomUUID(), { prefer: 'wait=1, respond-async' });
    expect([slow.status, slow.headers['preference-applied']]).toEqual([202, 'respond-async, wait=1']);
    go();
    await ended(slow.headers.location);
  });

  it('joins a create that another connection waits for', async () => {
    const key = randomUUID();
    const waiting = create(key, {});
    while (started.length === 0) await pause(10);
    const [asked, plain] = [await create(key), await create(key, {})];
    expect([asked.status, asked.body.status, plain.status]).toEqual([202, 'queued', 409]);
    go();
    const [made, done] = [await waiting, await ended(asked.headers.location)];
    expect([made.status, made.body]).toEqual([201, done.body.task_model]);
    expect(await funds()).toEqual({ available: free - 2_000_000n, held: 0n });
  });

  it('is ignored without a key, and for an estimate', async () => {
    go();
    expect((await post(path, createBody(small), async)).status).toBe(201);
    const estimate = await create(randomUUID(), async, createBody({ ...small, dry_run: true }));
    expect([estimate.status, estimate.headers['preference-applied']]).toEqual([200, undefined]);
    expect(estimate.body.fit_seconds).toBeGreaterThanOrEqual(1);
  });

  it('that is not valid, or not covered, is refused at once', async () => {
    expect((await create(randomUUID(), async, createBody({ units: 'unknown' }))).status).toBe(422);
    go();
    await create(randomUUID(), {});
    await create(randomUUID(), {});
    expect((await create(randomUUID())).body.code).toBe('INSUFFICIENT_CREDIT');
  });

  it('whose fit fails has the error of the request, which the key replays', async () => {
    const key = randomUUID();
    const flat = createBody({
      x: Array.from({ length: 12 }, () => [
        [...Array(80)].map(() => 1),
        [...Array(80)].map(() => 2),
        [...Array(80)].map(() => 3),
      ]),
    });
    const reply = await create(key, async, flat);
    expect(reply.status, reply.text).toBe(202);
    go();
    const done = await ended(reply.headers.location);
    expect([done.body.status, done.body.error.code]).toEqual(['failed', 'CLASSIFIER_FIT_FAILED']);
    const replay = await create(key, async, flat);
    expect([replay.status, replay.body]).toEqual([422, done.body.error]);
    expect(await funds()).toEqual({ available: free, held: 0n });
  });
});

describe('an API process that dies after it recorded a job', () => {
  it('leaves a job that the same request reads, and starts once the lock has expired; it is charged once', async () => {
    const key = { 'idempotency-key': randomUUID(), ...async };
    const run = createDurableJobs(api.deps, () => 0);
    const body = createBody(small);
    const dying = createFrailApp({ ...api.deps, leaseSeconds: 1 }, run, 'dies before the job');
    await send(dying.app, account.key, 'POST', path, body, key);
    const read202 = await post(path, body, key);
    expect([read202.status, read202.body.status, started], read202.text).toEqual([202, 'queued', []]);
    await pause(1_100);
    go();
    const restarted = await post(path, body, key);
    expect([restarted.status, restarted.body.id]).toEqual([202, read202.body.id]);
    expect(started).toHaveLength(1);
    const done = await ended(restarted.headers.location);
    expect([done.body.status, (await post(path, body, key)).status]).toEqual(['succeeded', 201]);
    expect(await funds()).toEqual({ available: free - 2_000_000n, held: 0n });
    expect(await checkLedger(api.database.pool)).toMatchObject({ problems: [] });
    await dying.app.close();
  });
});

describe('a job', () => {
  it('that is cancelled charges nothing, gives its credit back, and stays cancelled', async () => {
    const key = randomUUID();
    const { headers } = await create(key);
    const cancelled = await post(`${headers.location}/cancel`, undefined);
    expect([cancelled.status, cancelled.body.status, cancelled.body.error.details.cancelled]).toEqual([
      200,
      'cancelled',
      true,
    ]);
    expect(jobSchema.parse(cancelled.body)).toEqual(cancelled.body);
    expect(await funds()).toEqual({ available: free, held: 0n });
    go();
    await Promise.all(runs.values());
    expect((await post(`${headers.location}/cancel`, undefined)).body).toEqual(cancelled.body);
    for (const preference of [async, {}]) {
      const again = await create(key, preference);
      expect([again.status, again.body.code]).toEqual([422, 'CLASSIFIER_FIT_FAILED']);
    }
    expect((await read(path)).body.data).toEqual([]);
    expect(await funds()).toEqual({ available: free, held: 0n });
    expect(await checkLedger(api.database.pool)).toMatchObject({ problems: [] });
  });

  it('that has committed keeps its model when it is cancelled', async () => {
    go();
    const { headers } = await create(randomUUID());
    const done = await ended(headers.location);
    const cancelled = await post(`${headers.location}/cancel`, undefined);
    expect([cancelled.status, cancelled.body]).toEqual([200, done.body]);
    expect((await read(`${path}/${done.body.task_model_id}`)).status).toBe(200);
  });

  it('is read by every key of the account and mode, and by no other', async () => {
    const { headers } = await create(randomUUID());
    const own = await newKey(api.database, account.accountId, { scopes: ['models:read'] });
    const test = await newKey(api.database, account.accountId, { mode: 'test' });
    const other = await newAccount(api.database);
    expect((await read(headers.location, own.key)).status).toBe(200);
    for (const key of [test.key, other.key]) {
      const refused = await read(headers.location, key);
      expect([refused.status, refused.body.code, refused.body.field]).toEqual([404, 'NOT_FOUND', 'job_id']);
      expect((await send(api.app, key, 'POST', `${headers.location}/cancel`)).status).toBe(404);
    }
    expect((await send(api.app, own.key, 'POST', `${headers.location}/cancel`)).body.code).toBe('SCOPE_MISSING');
    expect((await read('/v1/jobs/job_1')).body.code).toBe('NOT_FOUND');
    go();
    await ended(headers.location);
  });

  it(`can be read for ${limits.jobDays} days after its end`, async () => {
    go();
    const { headers, body } = await create(randomUUID());
    await ended(headers.location);
    const end = async (days: number) => {
      await api.database.pool.query('UPDATE fit_requests SET finished_at = $2 WHERE job_id = $1', [
        jobIdOf(body.id),
        new Date(Date.now() - days * dayMs),
      ]);
      const keyed = new Date(Date.now() - limits.jobDays * dayMs);
      await reapFitRequests(api.database.pool, { keyed, unkeyed: new Date(Date.now() - dayMs) });
      return (await read(headers.location)).status;
    };
    expect([await end(limits.jobDays - 1), await end(limits.jobDays + 1)]).toEqual([200, 404]);
  });
});

describe('/fit', () => {
  const collecting = async (labels?: string[]): Promise<string> => {
    const reply = await post(path, createBody({ ...small, defer_fit: true, ...(labels && { labels }) }));
    expect(reply.status, reply.text).toBe(201);
    return reply.body.id;
  };
  const labels = createBody().labels as string[];

  it('with Prefer: respond-async is a job, too; a cancelled one leaves the model collecting', async () => {
    const id = await collecting();
    const url = `${path}/${id}/fit`;
    const first = await post(url, undefined, { 'idempotency-key': 'first', ...async });
    expect([first.status, first.body.operation, first.body.task_model_id], first.text).toEqual([202, 'fit', id]);
    expect((await post(url, undefined, { 'idempotency-key': 'first' })).status).toBe(409);
    expect((await post(`${first.headers.location}/cancel`, undefined)).body.status).toBe('cancelled');
    expect((await read(`${path}/${id}`)).body.status).toBe('collecting');
    go();
    const second = await post(url, undefined, { 'idempotency-key': 'second', ...async });
    const done = await ended(second.headers.location);
    expect([done.body.status, done.body.task_model.status]).toEqual(['succeeded', 'active']);
    const replay = await post(url, undefined, { 'idempotency-key': 'second', ...async });
    expect([replay.status, replay.body]).toEqual([200, done.body.task_model]);
  });

  it('names a mistyped label and its batch; its first alternative makes the fit pass', async () => {
    go();
    const id = await collecting();
    const typo = labels.map((label, at) => (at === 0 ? 'lefft' : label));
    const { description: _description, ...batch } = createBody({ ...small, labels: typo });
    expect((await post(`${path}/${id}/trials`, batch)).status).toBe(200);
    const refused = await post(`${path}/${id}/fit`, undefined);
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([422, 'TOO_FEW_TRIALS', 'labels']);
    expect(refused.body.message).toContain('"lefft" has 1 trial in batch 2; it may be a misspelling of "left".');
    expect(refused.body.alternatives).toEqual([{ ignore_classes: ['lefft'] }]);
    const fitted = await post(`${path}/${id}/fit`, refused.body.alternatives[0]);
    expect([fitted.status, fitted.body.classes], fitted.text).toEqual([200, ['left', 'right']]);
    expect(fitted.body.training_report.trials).toBe(23);
    expect(fitted.body.training_report.warnings.join()).toContain('left out 1 of 3 classes with 1 trials');
  });

  it('refuses to ignore what no batch holds, and what leaves too little', async () => {
    const id = await collecting();
    const unknown = await post(`${path}/${id}/fit`, { ignore_classes: ['rest'] });
    expect([unknown.body.code, unknown.body.field]).toEqual(['INVALID_REQUEST', 'ignore_classes[0]']);
    expect(unknown.body.message).toContain('"left"');
    const few = await post(`${path}/${id}/fit`, { ignore_classes: ['left'] });
    expect([few.body.code, few.body.alternatives]).toEqual(['TOO_FEW_TRIALS', []]);
    go();
    expect((await post(`${path}/${id}/fit`, { ignore_classes: null })).status).toBe(200);
  });
});
