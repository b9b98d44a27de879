import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { taskModelResource } from '../../infra/contract/task-model-resource.ts';
import { statusAt } from '../../infra/contract/lifecycle.ts';
import { dayMs } from '../../infra/contract/limits.ts';
import { findModel, listModels } from '../../infra/records/task-models/models.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { newAccount } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const start = new Date('2026-03-01T00:00:00Z');

/** Instants on a coarse grid with a millisecond to either side, so that many fall on the edges of the rules. */
const instant = fc
  .tuple(fc.integer({ min: -40, max: 80 }), fc.constantFrom(-1, 0, 0, 1))
  .map(([halfDays, ms]) => new Date(start.getTime() + (halfDays * dayMs) / 2 + ms));
const maybe = fc.option(instant, { nil: null });

const row = fc.record({
  mode: fc.constantFrom('live', 'test'),
  status: fc.constantFrom('collecting', 'collecting', 'active', 'active', 'active', 'expired', 'deleted'),
  created_at: instant,
  collect_until: instant,
  expires_at: maybe,
  fitted_at: instant,
  paid_through: instant,
  unpaid_since: maybe,
  deleted_at: maybe,
  pending: fc.boolean(),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;

async function insert(accountId: string, rows: readonly Row[]): Promise<string[]> {
  const stored = rows.map((each) => ({
    ...each,
    id: `clf_${randomUUID().replaceAll('-', '')}`,
    paid_through: each.mode === 'live' ? each.paid_through : null,
    retry_at: each.unpaid_since && new Date(each.unpaid_since.getTime() + dayMs),
    deleted_at: each.status === 'deleted' ? each.deleted_at : null,
  }));
  await database.admin.query(
    `INSERT INTO task_models (id, account_id, mode, description, status, task_kind, classes, channels, signal, model_ref, method,
       created_at, collect_until, expires_at, fitted_at, paid_through, unpaid_since, retry_at, deleted_at)
     SELECT r.id, $1, r.mode, '', r.status, 'other', '{a,b}', '{Cz}', '{}', 'x', '{}',
       r.created_at, r.collect_until, r.expires_at, r.fitted_at, r.paid_through, r.unpaid_since, r.retry_at, r.deleted_at
     FROM json_populate_recordset(NULL::task_models, $2) r`,
    [accountId, JSON.stringify(stored)],
  );
  await database.admin.query(
    `INSERT INTO fit_requests (job_id, model_id, account_id, request, created_at)
     SELECT 'job of ' || id, id, $1, '{}', $3 FROM unnest($2::text[]) id`,
    [accountId, stored.filter(({ pending }) => pending).map(({ id }) => id), start],
  );
  return stored.map(({ id }) => id);
}

test(
  'the SQL list and the status at an instant agree on every model at every instant',
  { timeout: 60_000 },
  async () => {
    let shown = 0;
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 30, maxLength: 60 }),
        fc.array(instant, { minLength: 6 }),
        async (rows, instants) => {
          const accountId = await newAccount(database.pool, start);
          const ids = await insert(accountId, rows);
          const records = await Promise.all(ids.map(async (id) => (await findModel(database.pool, accountId, id))!));
          for (const at of instants) {
            const { models } = await listModels(database.pool, accountId, { limit: 100, before: null, at });
            const living = records.filter((record) => ['collecting', 'active'].includes(statusAt(record, at)));
            expect(models.map(({ id }) => id).toSorted()).toEqual(living.map(({ id }) => id).toSorted());
            shown += living.length;
            hidden += records.length - living.length;
          }
        },
      ),
      { numRuns: 8 },
    );
    expect(Math.min(shown, hidden)).toBeGreaterThan(200);
  },
);

test('a test model shows the day on which it ends; a live one shows none', async () => {
  const accountId = await newAccount(database.pool, start);
  const [id] = await insert(accountId, [
    {
      mode: 'test',
      status: 'active',
      created_at: start,
      collect_until: start,
      expires_at: null,
      fitted_at: start,
      paid_through: start,
      unpaid_since: null,
      deleted_at: null,
      pending: false,
    },
  ]);
  const record = (await findModel(database.pool, accountId, id!))!;
  const shown = taskModelResource(record, start).test_ends_at!;
  expect(shown).toBe((start.getTime() + 30 * dayMs) / 1000);
  expect(statusAt(record, new Date(shown * 1000 - 1))).toBe('active');
  expect(statusAt(record, new Date(shown * 1000))).toBe('deleted');
  expect(taskModelResource({ ...record, mode: 'live' }, start).test_ends_at).toBeNull();
});
