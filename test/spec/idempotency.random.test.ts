import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { runs, seed } from '../support/counts.ts';
import { createFrailApp, createDurableJobs, type Fault, type FrailApp } from '../support/frail-api.ts';
import { path, signal, small, startKeyedApi, type KeyedApi } from '../support/keyed-api.ts';
import { createBody } from '../support/requests.ts';

let keyed: KeyedApi;
/** Milliseconds that a job of the schedule takes. */
let jobTakes = 0;
let run: ReturnType<typeof createDurableJobs>;
const mostAttempts = 4;
/** Processes that nothing ends, one for each attempt of a schedule: they serve all schedules. */
let lasting: readonly FrailApp[];
beforeAll(async () => {
  keyed = await startKeyedApi();
  run = createDurableJobs(keyed.api.deps, () => jobTakes);
  lasting = Array.from({ length: mostAttempts }, () => createFrailApp(keyed.api.deps, run, 'none'));
});
afterAll(() => keyed.api.close());

type Kind = 'create' | 'collect' | 'predict';
interface Attempt {
  readonly wait: number;
  readonly fault: Fault;
  readonly hangsUpAfter: number | null;
}

const faults: readonly Fault[] = [
  'none',
  'none',
  'dies before the job',
  'dies during the job',
  'dies after the job',
  'the job fails',
];
const attempt: fc.Arbitrary<Attempt> = fc.record({
  wait: fc.integer({ min: 0, max: 12 }),
  fault: fc.constantFrom(...faults),
  hangsUpAfter: fc.option(fc.integer({ min: 1, max: 15 }), { freq: 5 }),
});
const schedule = fc.record({
  kind: fc.constantFrom<Kind>('create', 'create', 'collect', 'predict'),
  attempts: fc.array(attempt, { minLength: 1, maxLength: mostAttempts }),
  jobTakes: fc.integer({ min: 0, max: 10 }),
});

/** The locks of processes that died expire; here at once. */
const passTime = (key: string) =>
  keyed.api.database.pool.query(
    `UPDATE idempotency_keys SET locked_until = now() WHERE key = $1 AND state = 'running'`,
    [key],
  );

async function runSchedule({
  kind,
  attempts,
  jobTakes: takes,
}: {
  kind: Kind;
  attempts: readonly Attempt[];
  jobTakes: number;
}): Promise<void> {
  const key = randomUUID();
  jobTakes = takes;
  const body = kind === 'predict' ? signal : createBody({ ...small, name: key, defer_fit: kind === 'collect' });
  const url = kind === 'predict' ? keyed.predictUrl : path;
  const before = await keyed.available();
  const replies = await Promise.all(
    attempts.map(async ({ wait, fault, hangsUpAfter }, at) => {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const lasts = fault === 'none' && hangsUpAfter === null;
      const frail = lasts ? lasting[at]! : createFrailApp(keyed.api.deps, run, fault);
      if (hangsUpAfter !== null) setTimeout(frail.die, hangsUpAfter);
      return keyed.post(url, body, key, frail.app);
    }),
  );
  for (let i = 0; i < 60; i++) {
    const last = await keyed.post(url, body, key, lasting[0]!.app);
    replies.push(last);
    if (last.status < 300) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
    await passTime(key);
  }
  const good = replies.filter(({ status }) => status < 300);
  expect(good.length).toBeGreaterThan(0);
  expect(new Set(good.map(({ text }) => text)).size).toBe(1);
  for (const { status } of replies) expect([200, 201, 409, 500, 502]).toContain(status);
  expect(before - (await keyed.available())).toBe(kind === 'create' ? 2_000_000n : 36_000n);
  if (kind === 'predict') return;
  const { rows } = await keyed.api.database.pool.query(`SELECT status FROM task_models WHERE name = $1`, [key]);
  expect(rows).toEqual([{ status: kind === 'create' ? 'active' : 'collecting' }]);
}

describe('random schedules of duplicate, concurrent and interrupted requests with one key', () => {
  it('end with one charge, one model and equal answers', { timeout: 1_200_000 }, async () => {
    await fc.assert(fc.asyncProperty(schedule, runSchedule), {
      numRuns: runs(60, 1_000),
      seed: seed(),
      endOnFailure: true,
    });
    const { rows } = await keyed.api.database.pool.query(`SELECT FROM holds WHERE state = 'open'`);
    expect(rows).toHaveLength(0);
    expect(await checkLedger(keyed.api.database.pool)).toMatchObject({ ok: true });
  });
});
