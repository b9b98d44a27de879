import { readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError, errorTable, type ErrorCode } from '../../infra/contract/errors.ts';
import { examples } from '../../api/contract/examples.ts';
import { errorObject } from '../../api/contract/responses.ts';
import { examplesFile, type AnswerExamples } from '../../api/docs/answer-examples.ts';
import { operations } from '../../api/routes/routes.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { createTestDesk, type TestDesk } from '../support/reference-desk.ts';
import { waysToErrors } from '../support/ways-to-errors.ts';

/** `UPDATE_EXAMPLES=1` writes the examples of the interface description from the answers below. */
const updates = process.env['UPDATE_EXAMPLES'] === '1';

let api: TestApi;
let desk: TestDesk;
let account: TestAccount;
let answers: Record<string, Record<string, Record<string, object>>>;

const path = '/v1/task-models';
const call = async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(api.app, account.key, method, url, body, headers);

/** Keeps an answer as the example of an operation. */
function keep(operation: string, name: string, reply: Reply): Reply {
  const byStatus = (answers[operation] ??= {});
  (byStatus[String(reply.status)] ??= {})[name] = reply.body;
  return reply;
}

beforeAll(async () => {
  desk = createTestDesk();
  api = await startTestApi({ reference: desk });
  account = await newAccount(api.database, { key: { mode: 'test' } });
  answers = {};
  const { create, estimate, defer_fit: first, batch, zero_shot: zeroShot, predict, rename } = examples;
  keep('getHealth', 'serving', await call('GET', '/healthz'));
  keep('getReadiness', 'ready', await call('GET', '/readyz'));
  const starting = {
    status: 503 as const,
    body: JSON.stringify({ ...(await call('GET', '/readyz')).body, status: 'starting' }),
  };
  const other = api.second({ readiness: { answer: starting, draining: false } });
  keep('getReadiness', 'starting', await send(other, null, 'GET', '/readyz'));
  keep('getStatus', 'serving', await call('GET', '/v1/status'));
  keep('createTaskModel', 'estimate', await call('POST', path, estimate.value));
  desk.preparationIs({ status: 'running', estimatedSeconds: 12 });
  keep('createTaskModel', 'estimate without trials', await call('POST', path, zeroShot.value));
  keep('createTaskModel', 'recordings in preparation', await call('POST', path, { ...zeroShot.value, dry_run: false }));
  const made = keep('createTaskModel', 'fitted', await call('POST', path, create.value)).body.id as string;
  const one = `${path}/${made}`;
  keep('predict', 'predictions', await call('POST', `${one}/predictions`, predict.value));
  keep('getTaskModel', 'active', await call('GET', one));
  keep('updateTaskModel', 'renamed', await call('PATCH', one, rename.value));
  const collecting = keep('createTaskModel', 'collecting', await call('POST', path, first.value)).body.id as string;
  keep('listTaskModels', 'a page', await call('GET', path));
  keep('addTrials', 'a further batch', await call('POST', `${path}/${collecting}/trials`, batch.value));
  const waiting = api.second({
    jobs: { ...api.deps.jobs, runFit: neverTaken },
  });
  const job = await send(waiting, account.key, 'POST', path, create.value, {
    'idempotency-key': randomUUID(),
    prefer: 'respond-async',
  });
  keep('createTaskModel', 'a job', job);
  keep('getJob', 'queued', await call('GET', job.headers['location'] as string));
  keep('cancelJob', 'cancelled', await call('POST', `${job.headers['location']}/cancel`));
  const fitJob = await send(waiting, account.key, 'POST', `${path}/${collecting}/fit`, undefined, {
    'idempotency-key': randomUUID(),
    prefer: 'respond-async',
  });
  keep('fitTaskModel', 'a job', fitJob);
  await call('POST', `${fitJob.headers['location']}/cancel`);
  keep('fitTaskModel', 'fitted', await call('POST', `${path}/${collecting}/fit`));
  keep('deleteTaskModel', 'deleted', await call('DELETE', one));
  keep('getUsage', 'of a test key', await call('GET', '/v1/usage'));
});
afterAll(() => api.close());

/** Jobs that no worker takes. */
async function neverTaken(): Promise<never> {
  throw new ApiError('POOL_UNAVAILABLE', 'Not yet.', { details: { job: 'running' } });
}

const stored = (): AnswerExamples => JSON.parse(readFileSync(examplesFile, 'utf8')) as AnswerExamples;

const schemaOf = (schema: z.ZodType | readonly z.ZodType[]): z.ZodType => {
  const all = [schema].flat() as z.ZodType[];
  return all.length === 1 ? all[0]! : z.union(all as [z.ZodType, z.ZodType]);
};

describe('examples of answers', () => {
  it('are one for each answer of each operation, from real requests, and as the schema says', () => {
    for (const { id, answers: described } of operations)
      for (const [status, { schema }] of Object.entries(described)) {
        const made = Object.entries(answers[id]?.[status] ?? {});
        expect(made.length, `${id} ${status}`).toBeGreaterThan(0);
        for (const [name, value] of made)
          expect(schemaOf(schema).safeParse(value), `${id} ${status} ${name}`).toMatchObject({ success: true });
      }
  });

  it('are one for each error code', async () => {
    const live = await newAccount(api.database);
    const { body } = await send(api.app, live.key, 'POST', path, examples.create.value);
    const ways = waysToErrors(api, live, `${path}/${body.id}/predictions`);
    const errors: Partial<Record<ErrorCode, object>> = {};
    for (const code of Object.keys(errorTable) as ErrorCode[])
      errors[code] = errorObject.parse((await ways[code]()).body);
    if (updates) writeFileSync(examplesFile, `${JSON.stringify({ answers, errors }, null, 2)}\n`);
    expect(Object.keys(stored().errors)).toEqual(Object.keys(errors));
    for (const [code, error] of Object.entries(stored().errors)) {
      const fresh = errors[code as ErrorCode] as z.infer<typeof errorObject>;
      expect(Object.keys(errorObject.parse(error)).sort()).toEqual(Object.keys(fresh).sort());
    }
  });

  it('in the interface description are these (`UPDATE_EXAMPLES=1` writes them)', () => {
    const namesOf = (all: AnswerExamples['answers']) =>
      Object.fromEntries(
        Object.entries(all).map(([id, byStatus]) => [
          id,
          Object.fromEntries(
            Object.entries(byStatus).map(([status, named]) => [
              status,
              Object.fromEntries(Object.entries(named).map(([name, value]) => [name, Object.keys(value)])),
            ]),
          ),
        ]),
      );
    expect(namesOf(stored().answers)).toEqual(namesOf(answers));
    for (const { id, answers: described } of operations)
      for (const [status, { schema }] of Object.entries(described))
        for (const [name, value] of Object.entries(stored().answers[id]![status]!))
          expect(schemaOf(schema).safeParse(value), `${id} ${status} ${name}`).toMatchObject({ success: true });
  });
});
