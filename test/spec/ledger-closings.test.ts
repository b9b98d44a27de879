import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCheckBooks } from '../../activities/reconcile/check-books.ts';
import type { Tools } from '../../activities/tools.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { closingHash, comparingDays } from '../../infra/records/ledger/closings-sql.ts';
import { closeLedger } from '../../infra/records/ledger/close.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { forgeries } from '../support/forgeries.ts';
import { problemsAfter } from '../support/planted.ts';
import { later, sealedBooks, type Books } from '../support/sealed-books.ts';

const tomorrow = new Date(Date.now() + 86_400_000);
const options = { at: later(91), carry: true };
let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await createTestDatabase();
  books = await sealedBooks(database);
});
afterAll(() => database.drop());

test('transactions of a day that has not ended stay open', async () => {
  expect(await closeLedger(database.pool, new Date())).toBe(0);
});

test('closed days are carried: the check reads none of their transactions again, and still counts them', async () => {
  const before = await checkLedger(database.pool, options);
  expect(await closeLedger(database.pool, tomorrow)).toBe(1);
  expect(await closeLedger(database.pool, tomorrow)).toBe(0);
  const after = await checkLedger(database.pool, options);
  expect(after).toEqual({ ...before, ok: true });
  // Proof that closed rows are not read: a change of one is only found by the whole check.
  const change = `UPDATE ledger_entries SET amount = amount * 2 WHERE transaction_id = ${books.prediction}`;
  expect(await problemsAfter(database.admin, (sql) => sql.query(change), options)).toEqual([]);
  expect(await problemsAfter(database.admin, (sql) => sql.query(change), { at: later(91) })).not.toEqual([]);
});

test.each([
  ['money is moved from one wallet to another', /wallet holds the sum/],
  ['a counter of a day is cut', /counters of a day/],
  ['paid_through is moved back by a month', /paid through the end/],
  ['a charge that is not sealed is dated ahead', /is dated ahead/],
] as const)('with closed days it still finds that %s', async (name, invariant) => {
  const { sql: forge } = forgeries.find((each) => each.name === name)!;
  const problems = await problemsAfter(database.admin, (sql) => sql.query(forge(books)), options);
  expect(problems.map((each) => each.invariant)).toContainEqual(expect.stringMatching(invariant));
});

test('changed sums of a closing are found, and with a new hash by the check of everything', async () => {
  const forge = `UPDATE ledger_closings SET sums = jsonb_set(sums, '{accounts,0,1}', '1')`;
  const closings = /closed parts of the ledger follow/;
  const found = await problemsAfter(database.admin, (sql) => sql.query(forge), options);
  expect(found.map(({ invariant }) => invariant)).toContainEqual(expect.stringMatching(closings));
  const fault = `UPDATE ledger_closings SET transactions = transactions + 1`;
  const all = await problemsAfter(database.admin, (sql) => sql.query(fault), { at: later(91), all: true });
  expect(all).toContainEqual(expect.objectContaining({ problem: expect.stringContaining('its sums are not those') }));
});

test('a closing with changed sums and a fitting hash, or with a changed transaction, is found once in 28 days', async () => {
  const today = later(91).getTime() / 86_400_000;
  const turn = 91 + ((1 - Math.floor(today)) % comparingDays) + comparingDays;
  const sums = `UPDATE ledger_closings SET sums = jsonb_set(sums, '{days,0,3}', '1');
    UPDATE ledger_closings c SET hash = ${closingHash}`;
  const entry = `UPDATE ledger_entries SET amount = amount * 2 WHERE transaction_id = ${books.prediction}`;
  for (const [forge, found] of [
    [sums, /^its sums are not those of its transactions$/],
    [entry, /^its transactions or entries differ/],
  ] as const) {
    const finding: boolean[] = [];
    for (const day of [turn - 1, turn, turn + 1, turn + comparingDays]) {
      const how = { at: later(day), overdue: false, carry: true };
      const problems = await problemsAfter(database.admin, (sql) => sql.query(forge), how);
      finding.push(problems.some(({ problem }) => found.test(problem)));
    }
    expect(finding).toEqual([false, true, false, true]);
  }
});

test('a part with a fault is not closed, and each check reports it', async () => {
  await sealLedger(database.pool);
  const give = (account: string) =>
    database.admin.query('UPDATE task_models SET account_id = $2 WHERE id = $1', [books.model, account]);
  await give(books.other);
  expect(await closeLedger(database.pool, tomorrow)).toBe(0);
  const { problems } = await checkLedger(database.pool, options);
  expect(problems.map(({ invariant }) => invariant)).toContain('every charge is for a live model of the same account');
  await give(books.account);
  expect(await closeLedger(database.pool, tomorrow)).toBe(1);
});

test('an aborted check leaves no statement running in the server', async () => {
  const abort = new AbortController();
  // A lock that the check waits for, as a long statement would take its time.
  const blocker = await database.admin.connect();
  await blocker.query('BEGIN; LOCK TABLE ledger_entries IN ACCESS EXCLUSIVE MODE');
  const check = checkLedger(database.pool, { ...options, signal: abort.signal });
  const running = async (): Promise<number> => {
    const { rows } = await database.admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]!.n;
  };
  await expect.poll(running).toBe(1);
  abort.abort();
  await expect(check).rejects.toThrow('canceling statement due to user request');
  await sleep(50);
  expect(await running()).toBe(0);
  await blocker.query('ROLLBACK');
  blocker.release();
});

test('a ledger whose days cannot be closed is still checked, and both are reported', async () => {
  let connections = 0;
  const pool = new Proxy(database.pool, {
    get: (of, name) =>
      name === 'connect' && (connections += 1) === 1
        ? () => Promise.reject(new Error('bigint out of range'))
        : (Reflect.get(of, name) as (() => unknown) | undefined)?.bind(of),
  });
  const nothing = { workflow: { list: () => [] } };
  const tools = { pool, client: nothing, clock: async (at: number) => new Date(at) } as unknown as Tools;
  const give = (account: string) =>
    database.admin.query('UPDATE task_models SET account_id = $2 WHERE id = $1', [books.model, account]);
  await give(books.other);
  const { problems } = await createCheckBooks(tools)({ at: later(91).getTime() }, new AbortController().signal);
  await give(books.account);
  expect(problems[0]).toBe('The days that have ended could not be closed: bigint out of range');
  expect(problems.length).toBeGreaterThan(1);
});
